/**
 * Finds instructions to the model in untrusted text, by a small trained model and some patterns. Pure; time is linear in the text.
 *
 * A net, not a wall: an attacker who knows the model can write around it, and the origin of values is judged without it
 * (`policy/origin`). So a harmless text that is found is worse than an attack that is missed.
 */

import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { lazyRegExp } from "../../lib/once.ts";
import { normalForm } from "../../lib/text/normal-form.ts";
import { withoutUnseen } from "../../lib/text/unseen-characters.ts";
import { beginningOf } from "../../lib/text/visible-text.ts";
import type { FoundInstruction } from "../../policy/origin/origin-types.ts";
import { addressAt, overrideAt } from "./address-patterns.ts";
import { decodedTexts, withoutEscapes } from "./decoded-texts.ts";
import { instructionAt } from "./judge-passages.ts";

const known = boundedCache<FoundInstruction | null>({ maxBytes: CACHE_BYTES.foundInstructions });

/** The first one. Results are cached by the text's digest: a conversation brings the same results with each request. */
export function findInstructions(text: string): FoundInstruction | undefined {
  if (text.length < MIN_LENGTH) return undefined;
  const key = sha256Hex(text);
  const before = known.get(key);
  if (before !== undefined) return before ?? undefined;
  const found = search(text);
  known.set(key, found ?? null, found === undefined ? 0 : 2 * found.passage.length + 100);
  return found;
}

/** UTF-16 units. A shorter text orders nothing. */
const MIN_LENGTH = 8;

function search(text: string): FoundInstruction | undefined {
  const read = plain(text);
  const found = searchPlain(read);
  if (found) return found;
  for (const decoded of decodedTexts(read)) {
    const inside = searchPlain(plain(decoded));
    if (inside) return { kind: "encoded", passage: inside.passage };
  }
  return undefined;
}

/** One character for a whole formula or unit (`ﷺ`, `㌖`): the compatible form is up to 18 letters long, and none of them orders anything. */
const ligatures = /[\ufdfa\ufdfb\u3300-\u3357]/g;

const plain = (text: string): string =>
  normalForm(withoutUnseen(withoutEscapes(text)).replace(ligatures, " "), "NFKC")
    .replace(/[^\S\n]{2,}|[^\S\n ]/g, " ")
    .replace(/ ?\n ?/g, "\n");

/** Marks of a conversation's form, which no page or mail has. */
const forgedTurn = lazyRegExp(
  "<\\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\\|>|\\[/?INST\\][^\\n]{0,4}<<|<</?SYS>>|</(?:tool_result|tool_response|function_results?|tool_output|untrusted[\\w-]*)>\\s*<",
  "i",
);

function searchPlain(text: string): FoundInstruction | undefined {
  const mark = text.includes("<") ? text.search(forgedTurn()) : -1;
  if (mark !== -1) return { kind: "forged_turn", passage: passageAt(text, mark) };
  const unquoted = withoutQuotations(text);
  const plainly = [overrideAt(unquoted), addressAt(unquoted)].find((place) => place !== -1);
  const at = plainly ?? instructionAt(unquoted);
  return at === undefined ? undefined : { kind: "text", passage: passageAt(text, at) };
}

const PASSAGE = 200;

const BEFORE = 80;
/** Up to the last sentence, line, tag or value of JSON that ends; else up to a word. */
const opening = lazyRegExp(String.raw`^[\s\S]*(?:[.!?]\s+|\n|"\s*:\s*"|>)|^\S*\s`, "");

/** From the beginning of its sentence on, if that is near. Escaping is left to the places that show it: an approver's page, a record. */
function passageAt(text: string, at: number): string {
  const from = Math.max(0, at - BEFORE);
  const begun = opening().exec(text.slice(from, at)) ?? [""];
  const start = from === 0 && !/[.!?\n":>]/.test(begun[0]) ? 0 : from + begun[0].length;
  const passage = beginningOf(text.slice(start), PASSAGE).replace(/\s+/g, " ").trim();
  return /^\s*[[{]/.test(text) ? passage.replace(/["}\]\s]+$/, "") : passage;
}

/** Marks behind a colon, a comma or a bracket belong to a format: they hold no quotation. */
const quotation = lazyRegExp(
  '(?<![:,[{(=>]\\s?)(?:“[^”“„\\n]{4,300}[”“]|„[^“”„\\n]{4,300}[“”]|«[^«»\\n]{4,300}»|「[^「」\\n]{4,300}」|『[^『』\\n]{4,300}』|(?<![\\w\\\\"])"[^"\\n]{4,300}"(?![:\\w])|(?<=\\s)\'[^\'\\n]{8,300}\'(?!\\w))',
  "g",
);

/** UTF-16 units of a line around a quotation that are looked at: a line may be the whole text. */
const AROUND = 80;

/** With blanks for quotations: an article that cites attacks gives no orders. A line that is nothing but a quotation stays: it cites nothing. */
export function withoutQuotations(text: string): string {
  return text.replace(quotation(), (quoted: string, at: number) => {
    const end = at + quoted.length;
    const before = text.slice(Math.max(0, at - AROUND), at);
    const line = before.slice(before.lastIndexOf("\n") + 1) + text.slice(end, end + AROUND).split("\n", 1)[0];
    return /\p{L}{2}/u.test(line) ? `"${" ".repeat(quoted.length - 1)}` : quoted;
  });
}
