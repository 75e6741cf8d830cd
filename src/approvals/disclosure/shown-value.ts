/** An argument's value as a person sees it before they decide: it is the value, or it shows how much is missing. Pure. */

import { sha256Hex } from "../../lib/digest.ts";
import { countCodePoints } from "../../lib/text/characters.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { beginningOf, type ShownText, shownJson, shownLine } from "../../lib/text/visible-text.ts";
import type { DisclosedArgument } from "./disclosed.ts";

/** UTF-16 units. */
const MAX_VALUE = 300;
/** Longer ones are not looked at whole: a run of blanks is shown as its count. */
const MAX_LOOKED_AT = 20_000;
const MAX_NAME = 80;
const MAX_IN_SENTENCE = 120;

interface ShownValue extends ShownText {
  readonly cut: DisclosedArgument["cut"];
}

/** On one line. */
export function shownValue(value: unknown, max = MAX_VALUE): ShownValue {
  const isText = typeof value === "string" && !readsAsJson(value);
  const whole = isText ? value : (JSON.stringify(value) ?? "");
  const show = isText ? shownLine : shownJson;
  const all = mayFit(whole, max) ? show(whole) : undefined;
  if (all && (whole.length <= max || all.text.length <= max)) return { ...all, cut: null };
  // Both ends: what matters may stand at either.
  const [begun, end] = [show(beginningOf(whole, max - max / 6)), show(endOf(whole, max / 6))];
  return {
    text: `${begun.text}…${end.text}`,
    escaped: begun.escaped || end.escaped,
    cut: measureOf(typeof value === "string" ? value : whole),
  };
}

/** Only a run of blanks is shown shorter than it is. */
const mayFit = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= MAX_LOOKED_AT && text.replace(/ {2,}/g, " ").length <= max);

function endOf(text: string, max: number): string {
  const first = text.charCodeAt(text.length - max);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? 1 - max : -max);
}

/** Distinguishes a text that is cut from any other with the same beginning. */
export const measureOf = (text: string): NonNullable<ShownValue["cut"]> => ({
  characters: countCodePoints(text),
  digest: shortDigest(text),
});

/** Such a text stands between quotation marks, so that `"5"` and `5` differ; so does an empty one. `40 Euro` is no number. */
const readsAsJson = (text: string): boolean =>
  /^(?:$|["[{]|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$)/.test(text);

/** The first digits of the text's SHA-256. A text with lone surrogates has no encoding: its JSON is taken. */
function shortDigest(text: string): string {
  return sha256Hex(text.isWellFormed() ? text : JSON.stringify(text)).slice(0, 8);
}

/** An argument's name, as a span of code where it is not a plain one. */
export function shownName(name: string): { readonly text: string; readonly escaped: boolean } {
  const begun = beginningOf(name, MAX_NAME);
  const { text, escaped } = begun === "" ? { text: '""', escaped: false } : shownLine(begun);
  return { text: begun.length < name.length ? `${text}…${shortDigest(name)}` : text, escaped };
}

/** Inside a sentence: as code. A list of texts is written item by item. */
export function valueInSentence(value: unknown): string {
  const items = Array.isArray(value) && value.length > 0 && value.length <= 5 ? (value as unknown[]) : [value];
  const isList = items.every((item) => typeof item === "string");
  return (isList ? items : [value]).map((item) => codeSpan(shownValue(item, MAX_IN_SENTENCE).text)).join(", ");
}

const MAX_TITLED = 80;

/** A value that a title can show whole, as it is, and briefly; undefined for any other. */
export function nameable(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const { text, escaped, cut } = shownValue(value, MAX_TITLED);
  return escaped || cut !== null || text === '""' ? undefined : text;
}
