/** Users' names for the things that the tools of an intent work on. Pure. */
import { unique } from "../../../lib/unique.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { ACCESS, spokenNouns } from "../../../policy/infer/nouns.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool, IntentKind } from "./intent-kinds.ts";
import { thingsOf } from "./phrases/acts.ts";

/** Families whose nouns do not replace one another: to set the alarm is not to unlock the door. */
export const DIFFERENT_THINGS: ReadonlySet<string> = new Set(["device"]);

/** @param taken things of other intents, which this one is not about unless its tools name them. */
export function nounsOf(
  family: string,
  kind: IntentKind,
  tools: readonly DraftTool[],
  taken: ReadonlySet<string>,
): readonly string[] {
  const own = tools.flatMap(({ inferred }) => inferred.nouns.slice(0, 4));
  const fields = kind === "change" ? tools.flatMap(({ words }) => fieldsOf(words)) : [];
  const rights = own.filter((noun) => ACCESS.has(noun));
  // A request to change the address of an account is none for another password.
  if (kind === "access" && rights.length > 0) return unique(rights);
  const things = new Set(tools.flatMap(thingsOf));
  const named = unique(tools.flatMap(({ words, inferred }) => inferred.nouns.filter(isIn(words))));
  const spoken = spokenNouns(family).filter((noun) => noun !== "general");
  const nouns = unique([
    ...spoken.slice(0, 2),
    ...named,
    ...own,
    ...tools.flatMap(kindsIn).slice(0, 6),
    ...fields.slice(0, 3),
    ...spoken,
    ...fields,
  ])
    .map((noun) => noun.replaceAll("_", " "))
    .filter((noun) => !/^\d/.test(noun) && (!taken.has(noun) || things.has(noun)));
  return nouns.filter((noun) => kind === "find" || !ACCESS.has(noun) || noun === family).slice(0, 20);
}

const isIn =
  ({ name }: ToolWords) =>
  (noun: string): boolean =>
    nameWords(name).map(singular).includes(noun);

/** "Type of resource (e.g., pods, deployments)": what else the thing is called. */
function kindsIn({ words: { description = "", parameters } }: DraftTool): readonly string[] {
  const texts = argumentsOf(parameters).flatMap(({ name, description, choices = [] }) =>
    /(?:type|kind)$/i.test(name) ? [description, `e.g. ${choices.join(", ")}`] : [],
  );
  return [description, ...texts].flatMap((text) => {
    const [, list = ""] = KINDS.exec(text) ?? [];
    return list
      .toLowerCase()
      .split(/,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/)
      .map((one) => singular(one.trim()))
      .filter((one) => /^\p{Ll}{3,20}$/u.test(one) && one !== "etc" && verbOf(one) === undefined);
  });
}
const KINDS = /(?:\be\.g\.|\bsuch as|\blike)[,:]?\s+([^.)]+)/i;

/** "Set the priority of …": what a tool changes has the names of its arguments. */
const fieldsOf = ({ parameters }: ToolWords): readonly string[] =>
  argumentsOf(parameters)
    .map(({ name }) => nameWords(name).join(" "))
    .filter((name) => name.length > 3 && !/\b(?:id|key|name|text|body|content|value|type|to)$/.test(name));
