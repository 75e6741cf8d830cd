/** Trust in a whole result that seems to hold what others write. Pure. */
import { OTHERS_TEXT } from "../../infer/nouns.ts";
import { nameWords, singulars } from "../../origin/roles/name-words.ts";
import { selectorKind } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";

/** Fields that strangers fill, besides the words for what they write. In a description too: it may list the fields. */
const MORE: ReadonlySet<string> = new Set(["subject", "snippet"]);
/** The user's own as often as not: an author who trusts local files and notes knows that. */
const OWN: ReadonlySet<string> = new Set(
  "note file document content text log diff snapshot menu highlight answer event decision link".split(" "),
);

const isOthersText = (word: string): boolean => MORE.has(word) || (OTHERS_TEXT.has(word) && !OWN.has(word));

/** A result of a tool that writes confirms what the call itself said. */
const READING: ReadonlySet<string | undefined> = new Set([undefined, "read_only", "external"]);

export function* warnTrust({ tools }: PolicyDocument): Warnings {
  for (const [key, { trusted, category, description = "" }] of Object.entries(tools)) {
    if (trusted !== true || selectorKind(key) !== "name" || !READING.has(category)) continue;
    const words = [...nameWords(key), ...description.split(/\s+/).flatMap(nameWords)];
    const found = words.flatMap(singulars).find(isOthersText);
    const text = `trusts its whole result, which seems to hold what others write (\`${found}\`): name the fields that nobody else writes, such as \`["/id"]\``;
    yield ["trusted_text_of_others", ["tools", key, "trusted"], found !== undefined && text];
  }
}
