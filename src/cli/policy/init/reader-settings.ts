/** Which parts of a reading tool's results a draft trusts. Pure. */
import { othersTextIn } from "../../../policy/document/checks/trust-warnings.ts";
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";

export type Settings = Readonly<Record<string, unknown>>;

export interface DraftedSettings {
  readonly values: Settings;
  readonly reasons: readonly string[];
  /** Lines for an operator who wants it otherwise. */
  readonly advice?: readonly string[];
}

/** Fields of a record that the system sets, and that hold no prose. */
const RECORD_IDS = ["/*/id", "/*/id_", "/*/*/id"];
/** Keys of records that the system gave and people use. */
const RECORD_KEYS = ["/key", "/*/key", "/*/*/key"];
const RECORD_FIELDS = [
  ...RECORD_IDS,
  ...["/*_id", "/*Id", "/*/*_id", "/*/*Id", "/*/*/*_id", "/*/*/*Id"],
  ...["amount", "price", "total", "balance", "currency", "date", "status", "quantity", "created_at"].map(
    (field) => `/${field}`,
  ),
];

/** Names of an id that a system gave: Python writes `id_`, because `id` is taken. */
export const idFields = (nouns: readonly string[]): readonly string[] => [
  ...["/id", "/_id", "/id_", "/uuid"],
  ...nouns
    .filter((noun) => /^[a-z]+$/.test(noun))
    .slice(0, 2)
    .flatMap((noun) => [`/${noun}_id`, `/${noun}Id`]),
];

/** The number or code that the keeper of records gives each: `flight_number`. The number of an account or a phone belongs to a person. */
const recordNumbers = (nouns: readonly string[]): readonly string[] =>
  nouns
    .slice(0, 2)
    .filter((noun) => /^[a-z]+$/.test(noun) && !SOMEBODYS.has(noun))
    .flatMap((noun) => ["number", "code", "reference"].map((word) => `/${noun}_${word}`));
const SOMEBODYS: ReadonlySet<string> = new Set("account phone card contact member payment transfer user".split(" "));

/** See "Mails to your own customers ask every time" in `docs/policy.md`. */
const OWN_VALUES =
  'mails to an address in its records ask: where nobody but you writes it, add the field to `trusted` ("/email"); `"directory": true` is for a list of your own contacts alone';

const DIRECTORY =
  "`directory`: a call may go to every value that it returns, so remove it where anybody but the user writes into this list";

/**
 * Stores of the user's own, whose system gives each record its id, and stores that the same tools write to. Anything else in a page, a shop
 * or a file's text is a third party's choice.
 */
const OWN_STORES: ReadonlySet<string> = new Set(["email", "message", "calendar", "file", "note", "task", "issue"]);

/** It returns records, and not the text of one. */
const listsRecords = (name: string): boolean => {
  const words = nameWords(name);
  return (
    words.some((word) => ["list", "search", "find"].includes(word)) || words.some((word) => singular(word) !== word)
  );
};

/** Names of the places of the user's own workspace: a tool that lists them gives a list to choose from. */
const PLACES: ReadonlySet<string> = new Set(
  "channel folder calendar label group team workspace project board mailbox playlist collection category notebook".split(
    " ",
  ),
);

/** It lists all of them: `list_channels`, `getAllFolders`, and not `read_channel` or `list_messages_of_channel`. */
function listsPlaces({ name, parameters }: ToolWords): boolean {
  const words = nameWords(name);
  const last = words.at(-1) ?? "";
  return (
    ["list", "get", "show"].includes(words[0] ?? "") &&
    last !== singular(last) &&
    PLACES.has(singular(last)) &&
    argumentsOf(parameters).every(({ required }) => !required)
  );
}

/**
 * @param isOwn it finds records of a kind that the same tools write.
 * @param hasKeys tools of the list take keys (`issueIdOrKey`).
 */
export function readerSettings(
  tool: ToolWords,
  { origin, nouns }: InferredTool,
  { family, isOwn, hasKeys }: { readonly family: string; readonly isOwn: boolean; readonly hasKeys: boolean },
): DraftedSettings {
  const { name } = tool;
  if (listsPlaces(tool))
    return {
      values: { trusted: ["/*", "/name", ...idFields(nouns), ...RECORD_IDS] },
      reasons: ["the names and ids of the user's own places are trusted, and nothing else that it returns"],
    };
  const isPlain = othersTextIn(name, "", origin === "directory") === undefined;
  if (origin === "own" && isPlain) return { values: { trusted: true }, reasons: [] };
  if (origin === "directory" && isPlain) return { values: { directory: true }, reasons: [DIRECTORY] };
  if (origin !== "third_party")
    return {
      values: { trusted: [...idFields(nouns), ...recordNumbers(nouns), ...RECORD_FIELDS] },
      reasons: ["of its records only these fields are trusted: others may write the rest"],
      advice: [OWN_VALUES],
    };
  if ((OWN_STORES.has(family) || isOwn) && listsRecords(name))
    return {
      values: { trusted: [...idFields(nouns), ...RECORD_IDS, ...(hasKeys ? RECORD_KEYS : [])] },
      reasons: ["of its records only the ids are trusted: the system gives them, and others may write the rest"],
    };
  return { values: {}, reasons: [] };
}
