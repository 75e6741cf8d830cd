/** The verbs that a tool's own author uses: those of its name, of the acts that it offers, and of what its description says it is for. Pure. */
import { unique } from "../../../lib/unique.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import { headOf } from "../../../policy/infer/name-evidence.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool } from "./intent-kinds.ts";

/** The likeliest first. */
export const ownVerbs = (tool: DraftTool): readonly string[] =>
  unique([...nameVerbs(tool), ...derivedVerbs(tool), ...offeredVerbs(tool), ...purposeVerbs(tool)]);

/** `channels_archive`, `vacuum_start`: the verb may be anywhere in a name. */
function nameVerbs({ words: { name, parameters } }: DraftTool): readonly string[] {
  const words = nameWords(name);
  const head = words[headOf(words, argumentsOf(parameters).length > 0)];
  const last = words.at(-1) ?? "";
  if (head !== undefined) return [head];
  return verbOf(last)?.form === "base" ? [last] : [];
}

/** To add a reaction is to react. */
function derivedVerbs({ words: { name }, inferred }: DraftTool): readonly string[] {
  const stems = nameWords(name).flatMap((word) => /^(\p{Ll}{4,})ions?$/u.exec(word)?.[1] ?? []);
  return inferred.effect === "read" ? [] : stems.filter((stem) => verbOf(stem) !== undefined);
}

/** Arguments that say which of several acts the tool does. */
const ACTS = /^(?:method|action|operation|op|event|command|sub_?command)$/i;

/** `method: "rerun_failed_jobs"`. A tool that acts is not requested by what it looks up. */
function offeredVerbs({ words: { parameters }, inferred }: DraftTool): readonly string[] {
  const choices = argumentsOf(parameters).flatMap(({ name, choices = [] }) => (ACTS.test(name) ? choices : []));
  return choices.flatMap((choice) => {
    const [first = ""] = nameWords(choice);
    const verb = verbOf(first) ?? verbOf(first.replace(/^re/, ""));
    return verb?.form === "base" && (verb.effect !== "read" || inferred.effect === "read") ? [first] : [];
  });
}

/** "To archive an email, remove the label". */
const PURPOSE = /(?:^|[.;]\s+)to (\p{Ll}+) (?:an?|the|your) \p{Ll}+,/giu;

function purposeVerbs({ words: { description = "" }, inferred }: DraftTool): readonly string[] {
  if (inferred.effect === "read") return [];
  return [...description.matchAll(PURPOSE)].flatMap(([, verb = ""]) => {
    const effect = verbOf(verb)?.effect;
    return effect === "change" || effect === "create" ? [verb] : [];
  });
}

/** To invite a person is not to write to them. */
export const invites = (tool: DraftTool): boolean => nameVerbs(tool)[0] === "invite";

/** The noun of a made thing is also used as a verb: "invoice Anna for May". */
const NOUN_VERBS: ReadonlySet<string> = new Set(["invoice", "refund", "bill", "comment", "email", "message", "fork"]);

export const verbalNouns = ({ words: { name }, inferred: { effect } }: DraftTool): readonly string[] =>
  effect === "read"
    ? []
    : nameWords(name)
        .slice(1, 3)
        .filter((word) => NOUN_VERBS.has(word));
