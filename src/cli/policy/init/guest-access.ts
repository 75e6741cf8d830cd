/** Which tools of a draft are closed to guests, and why. A guest may be any stranger. Pure. */
import type { InferredEffect } from "../../../policy/infer/effects.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { familyOfNoun, isGeneric } from "../../../policy/infer/nouns.ts";
import { verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftTool } from "./intent-kinds.ts";
import type { KeptRecords } from "./kept-records.ts";

/** By the name of each closed tool: why a guest may not use it, even if a person is asked. */
export function closedToGuests(tools: readonly DraftTool[], kept: KeptRecords): ReadonlyMap<string, string> {
  const closed = new Map<string, string>();
  for (const tool of tools) {
    const why = closedByItself(tool, kept);
    if (why !== undefined) closed.set(tool.inferred.name, why);
  }
  const shut = tools.filter(({ inferred }) => closed.has(inferred.name) && READS.has(inferred.effect));
  const parents = new Set(shut.flatMap((tool) => [tool.family, ...thingsIn(tool)]));
  // The comments of a page, the address of a project: parts of something that may not be read are closed, too.
  for (const tool of tools.filter(({ inferred }) => !closed.has(inferred.name))) {
    const parent = thingsIn(tool).find((thing) => parents.has(thing) && (familyOfNoun(thing) ?? thing) !== tool.family);
    if (parent !== undefined) closed.set(tool.inferred.name, `what it reads belongs to a ${parent}, which is closed`);
  }
  return closed;
}

const READS: ReadonlySet<InferredEffect> = new Set<InferredEffect>(["read", "reach"]);

/** The nouns of its name, and their families. */
function thingsIn({ words }: DraftTool): readonly string[] {
  const nouns = nameWords(words.name)
    .map(singular)
    .filter((word, at) => at > 0 || verbOf(word) === undefined)
    .filter((word) => !SMALL.has(word) && !isGeneric(word));
  return nouns.flatMap((noun) => [noun, familyOfNoun(noun) ?? []].flat());
}
const SMALL: ReadonlySet<string> = new Set(
  "a an the all of for to in on at by with from and or my user id name list info detail data number get new details".split(
    " ",
  ),
);

/** Undefined for a tool that only looks up public things: not those that the same server writes or that only its description names. */
function closedByItself({ words, inferred, family }: DraftTool, kept: KeptRecords): string | undefined {
  const { effect, effects, nouns } = inferred;
  const grave = GRAVE.find((one) => effects.has(one));
  if (grave !== undefined) return grave;
  if (effect !== "read" && effect !== "reach") return effect;
  const acts = [...effects].find((one) => one !== "read" && one !== "reach");
  if (acts !== undefined) return acts;
  if (LETTERS.has(family)) return "it reads mail or messages";
  if (PEOPLE.has(family) || nouns.some((noun) => PERSONS.has(noun))) return "it reads records of people";
  const named = nameWords(words.name).map(singular);
  if (isPublicManual(named, words.description ?? "") && !kept.families.has(family)) return undefined;
  const isNamed = named.some((word) => familyOfNoun(word) === family) && !named.some((word) => OWN.has(word));
  const isKept = kept.families.has(family) || named.some((word) => kept.nouns.has(word));
  return PUBLIC.has(family) && isNamed && !isKept
    ? undefined
    : "nothing says that anybody may read it; if so, remove `roles`";
}

/** `search_docs`, "Search the Acme documentation": how a product is used, and no user's document. */
const isPublicManual = (named: readonly string[], description: string): boolean =>
  ["search", "find", "query", "lookup"].includes(named[0] ?? "") &&
  ["doc", "documentation", "manual"].includes(named.at(-1) ?? "") &&
  /\b(?:public|official|product|\p{Lu}\p{L}+)\s+(?:docs|documentation|manual)\b/u.test(description) &&
  !/\b(?:internal|private|your|our|my|company|team|confidential|workspace)\b/i.test(description);

/** Whose it is. */
const OWN: ReadonlySet<string> = new Set(["my", "me", "our", "own"]);
/** Named before the effect that a tool is called after. */
const GRAVE: readonly InferredEffect[] = ["destroy", "pay", "commit", "access", "execute"];
/** Families of messages between people. */
const LETTERS: ReadonlySet<string> = new Set(["email", "message"]);
/** Families of records about people. */
const PEOPLE: ReadonlySet<string> = new Set(["patient", "customer", "contact", "account"]);
const PERSONS: ReadonlySet<string> = new Set(
  "student pupil tenant resident applicant candidate donor client employee guest passenger owner".split(" "),
);
/** Families of public things. */
const PUBLIC: ReadonlySet<string> = new Set(
  "product review hotel flight restaurant ride web post weather time rate music video stock".split(" "),
);
