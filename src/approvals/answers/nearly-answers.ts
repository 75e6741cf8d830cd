/**
 * Whether a message that is no answer was meant as one: it begins as an answer does, and names a call. Whoever mistypes a
 * code, or says more than can be read, is asked again; plain words remain a message. Pure.
 */

import { latePattern } from "../../lib/once.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import { beginningPhrases, type Item } from "./find-phrases.ts";
import { plainWords } from "./plain-words.ts";

/** An answer's beginning, and the rest of it as far as it is looked at. UTF-16 units. */
const MAX_HEAD = 120;
const MAX_LOOKED_AT = 4_000;

/** Of the letters that codes are made of. */
const likeCode = latePattern(
  String.raw`(?<![\p{L}\p{N}_])(?=[A-HJ-NP-Z]*[2-9])[A-HJ-NP-Z2-9]{4}(?![\p{L}\p{N}_])`,
  "iu",
);
/** Where a code should stand, what is written like one without a digit. */
const capitals = latePattern(String.raw`^[\s:,⟦\x60'"([]{0,4}([A-Z]{4})(?![\p{L}\p{N}_])`, "u");

/** @returns the codes that stand where an answer has them, in capitals; undefined where it was not meant as an answer. */
export function nearlyAnswers(text: string): readonly string[] | undefined {
  const head = beginningOf(text.trim(), MAX_HEAD);
  const { items, rest } = beginningPhrases(plainWords(head));
  const first = items.find(({ kind }) => kind !== "polite" && kind !== "code" && kind !== "all");
  if (!first || !answers.has(first.kind)) return undefined;
  const codes = items.flatMap((item) => (item.kind === "code" && item.code.length > 2 ? [item.code] : []));
  const behind = rest === 0 ? "" : head.slice(-rest);
  const [, mistyped] = plainWords(head).length === head.length ? (capitals().exec(behind) ?? []) : [];
  if (mistyped !== undefined) return [...codes, mistyped];
  return codes.length > 0 || likeCode().test(beginningOf(text, MAX_LOOKED_AT)) ? codes : undefined;
}

const answers: ReadonlySet<Item["kind"]> = new Set([
  "yes",
  "y",
  "no",
  "always",
  "edit",
  "preview",
  "learnMore",
  "continue",
  "done",
]);
