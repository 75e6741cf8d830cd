/** Counts of characters, letters and bytes. Pure. */
import { lazyRegExp } from "../once.ts";

/** How many characters a text has: a pair of surrogates is one. Makes no list of them, since a text may be long. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (!isLow || (text.charCodeAt(at - 1) & 0xfc00) !== 0xd800) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}

const letterOrDigit = lazyRegExp(String.raw`[\p{L}\p{N}]`, "u");
const lettersAndDigits = lazyRegExp(String.raw`[\p{L}\p{N}]`, "gu");

export const hasLetterOrDigit = (text: string): boolean => letterOrDigit().test(text);

export const countLettersAndDigits = (text: string): number => text.match(lettersAndDigits())?.length ?? 0;

/** How many bytes a text takes in UTF-8. */
const encoder = new TextEncoder();

export const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;
