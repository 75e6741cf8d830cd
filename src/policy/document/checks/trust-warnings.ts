/** Warns of trust in text that third parties write: a whole result or a directory that seems to hold it, or a field of that kind. Pure. */
import { ADDRESSES, OTHERS_TEXT } from "../../infer/nouns.ts";
import { nameWords, singulars } from "../../origin/roles/name-words.ts";
import { selectorKind } from "../../selectors.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";

/** Words for fields that third parties fill, besides the words for their texts. Also in a description, which may list the fields. */
const MORE: ReadonlySet<string> = new Set(["subject", "snippet"]);
/** Often the user's own: an author who trusts local files and notes knows that. */
const OWN: ReadonlySet<string> = new Set(
  "note file document content text log diff snapshot menu highlight answer event decision link".split(" "),
);
/** Fields of a record into which people write what they like. A `ticket` or a `page` is as often its number as its text. */
const WRITTEN: ReadonlySet<string> = new Set(
  "about bio body caption comment description feedback message opinion post reply review snippet story subject summary testimonial transcript tweet website".split(
    " ",
  ),
);

const isOthersText = (word: string): boolean => MORE.has(word) || (OTHERS_TEXT.has(word) && !OWN.has(word));

/** A word of a tool's name or description for text of third parties; undefined if there is none. */
export const othersTextIn = (name: string, description = "", isDirectory = false): string | undefined =>
  [...nameWords(name), ...description.split(/\s+/).flatMap(nameWords)]
    .flatMap(singulars)
    // In a directory, mail is an address and no text.
    .find((word) => isOthersText(word) && !(isDirectory && ADDRESSES.has(word)));

/** A result of a tool that writes confirms what the call itself holds. */
const READING: ReadonlySet<string | undefined> = new Set([undefined, "read_only", "external"]);

export function* warnTrust({ tools }: PolicyDocument): Warnings {
  for (const [key, { trusted, directory, category, description }] of Object.entries(tools)) {
    for (const [index, field] of (typeof trusted === "object" ? trusted : []).entries()) {
      const last = nameWords(field.slice(field.lastIndexOf("/") + 1)).at(-1) ?? "";
      const word = singulars(last).find((one) => WRITTEN.has(one));
      const text = `is a field that others write (\`${word}\`): a value that somebody writes there would count as the user's choice`;
      yield ["trusted_text_of_others", ["tools", key, "trusted", index], word !== undefined && text];
    }
    if (selectorKind(key) !== "name" || !READING.has(category)) continue;
    const whole = trusted === true ? othersTextIn(key, description) : undefined;
    const wholeText = `trusts its whole result, which seems to hold what others write (\`${whole}\`): name the fields that nobody else writes, such as \`["/id"]\``;
    yield ["trusted_text_of_others", ["tools", key, "trusted"], whole !== undefined && wholeText];
    const listed = directory === true ? othersTextIn(key, description, true) : undefined;
    const listedText = `lets calls go to every value of its result, which seems to hold what others write (\`${listed}\`): name the fields that nobody else writes in \`trusted\` instead, such as \`["/email"]\``;
    yield ["trusted_text_of_others", ["tools", key, "directory"], listed !== undefined && listedText];
  }
}
