/** Decides whether an author's hint that a tool only reads is believed, for a draft that a person reviews. Pure. */
import { memberOf } from "../../lib/json/json-value.ts";
import { argumentEvidence, argumentsOf } from "./arguments.ts";
import type { Evidence, ToolWords } from "./evidence.ts";
import { nameWords, singular } from "./name-words.ts";
import { familyOfNoun, OTHERS_TEXT } from "./nouns.ts";
import { isAlsoNoun, verbOf } from "./verbs.ts";

export function readOnlyEvidence(tool: ToolWords): readonly Evidence[] {
  return saysReadOnlyHint(tool) && !mayHaveUnknownVerb(tool)
    ? [{ effect: "read", why: "its server says `readOnlyHint`", head: true }]
    : [];
}

/** Verbs by which a name says that its tool only reads: fewer than in `src/lib/acts`, because here an author's hint is believed. */
const READS: ReadonlySet<string> = new Set(
  "get list search read find count describe view lookup look query show fetch browse retrieve".split(" "),
);
/** After one of these such a word is the second act of a name, though elsewhere it is a noun: `read_write_file`. */
const SECOND_ACTS: ReadonlySet<string> = new Set("write update set move copy rename send post".split(" "));

/**
 * Its server and its name both say that it only reads: then the prose of its description adds no other act. Not if the name or an
 * argument mentions one.
 */
export function readsByHint(tool: ToolWords, named: readonly Evidence[]): boolean {
  if (!saysReadOnlyHint(tool) || !named.every(({ effect }) => effect === "read")) return false;
  const words = nameWords(tool.name);
  const head = words.findIndex((word) => verbOf(word) !== undefined);
  const acts = words.some((word, at) => {
    const verb = verbOf(word);
    if (!verb || at <= head || verb.effect === "read" || verb.form !== "base") return false;
    return !isAlsoNoun(verb.verb) || (at === head + 1 && SECOND_ACTS.has(word));
  });
  const reads = head >= 0 ? READS.has(words[head] ?? "") : isNounOnly(words, tool.description ?? "");
  return reads && !acts && (!takesCode(tool) || takesReadOnlyQuery(tool));
}

/** `directory_tree`, "Get a recursive tree view of the files": only nouns, and the description begins with a reading verb. */
function isNounOnly(words: readonly string[], description: string): boolean {
  const verb = /^\s*(?:\p{L}+ly\s+)?(\p{L}+)/u.exec(description)?.[1]?.toLowerCase().replace(/s$/, "") ?? "";
  const nouns = description.toLowerCase().match(/\b(?:an?|the)\s+\p{L}+(?:\s+\p{L}+)?/gu) ?? [];
  const isNoun = (word: string) =>
    familyOfNoun(singular(word)) !== undefined || nouns.some((noun) => noun.split(/\s+/).includes(word));
  return READS.has(verb) && words.every(isNoun);
}

const takesCode = ({ parameters, description }: ToolWords): boolean =>
  argumentEvidence(parameters, { isReader: true, believesChoices: true, text: description }).some(
    ({ effect }) => effect === "execute",
  );

const saysReadOnlyHint = ({ annotations }: ToolWords): boolean =>
  memberOf(annotations, "readOnlyHint") === true && memberOf(annotations, "destructiveHint") !== true;

/** "Run a read-only SQL query": the query is given, and changes nothing. */
export function takesReadOnlyQuery(tool: ToolWords): boolean {
  const runs = argumentsOf(tool.parameters).some(({ name }) => nameWords(name).some((word) => RUN.has(word)));
  return !runs && (saysReadOnlyHint(tool) || saysReadOnlyQuery(tool.description ?? "")) && !mayHaveUnknownVerb(tool);
}
const RUN: ReadonlySet<string> = new Set("command cmd script shell bash code".split(" "));

const QUERIED = "(?:quer(?:y|ies)|statements?|search(?:es)?|transactions?|access|select)";
const READ_ONLY_QUERY = new RegExp(
  String.raw`\bread[- ]only\s+(?:[\p{L}-]+\s+){0,2}${QUERIED}\b|\b${QUERIED}\s+(?:(?:is|are|must be)\s+)?read[- ]only\b`,
  "iu",
);
/** "Pass read-only: false", "not read-only". */
const DENIED = /\b(?:not|no|non|never|false|unless|without|cannot)\b|n['’]t\b/i;

const saysReadOnlyQuery = (description: string): boolean => {
  const sentences = description.split(/[.!?;\n]/).filter((sentence) => /\bread[- ]only\b/i.test(sentence));
  return sentences.some((one) => READ_ONLY_QUERY.test(one)) && !sentences.some((one) => DENIED.test(one));
};

/** `nuke_db`, `db_nuke`: a verb is first or last in a name, and an unknown word may be one. */
function mayHaveUnknownVerb({ name, description = "" }: ToolWords): boolean {
  const words = nameWords(name).filter((word) => !/^\d/.test(word));
  const described = description.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const isNamed = (word: string) =>
    described.some((one, at) => singular(one) === word && BEFORE_NOUNS.has(described[at - 1] ?? ""));
  return [words[0] ?? "", words.at(-1) ?? ""].some((word) => {
    const noun = singular(word);
    return verbOf(word) === undefined && familyOfNoun(noun) === undefined && !OTHERS_TEXT.has(noun) && !isNamed(noun);
  });
}
const BEFORE_NOUNS: ReadonlySet<string> = new Set(
  "the a an all of its your this these current every each any".split(" "),
);
