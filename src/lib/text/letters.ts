/** Letters and digits of any script. */
import { latePattern } from "./late-pattern.ts";

const letterOrDigit = latePattern(String.raw`[\p{L}\p{N}]`, "u");
const lettersAndDigits = latePattern(String.raw`[\p{L}\p{N}]`, "gu");

export const hasLetterOrDigit = (text: string): boolean => letterOrDigit().test(text);

export const countLettersAndDigits = (text: string): number => text.match(lettersAndDigits())?.length ?? 0;
