/**
 * A text without the values that a request hands over: ids, addresses, dates, lists in brackets. They say nothing of whether the user
 * asks; read as words, they look like a record that somebody pasted. Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";

/** Stands for a value; a number reads as the same. */
const value = "0";

/** Brackets around what has a colon, an equals sign or a digit; an aside in words is the user's speech. Not nested. */
const lists = lazyRegExp(String.raw`\([^()\n]{0,300}\)|\{[^{}\n]{0,300}\}|\[[^\[\]\n]{0,300}\]`, "g");

/** A word with digits, an underscore or an at-sign: "#W12", "paypal_40", "ann@example.com", "2024-05-19", "10:00". */
const values = lazyRegExp(
  String.raw`(?<![\p{L}\p{N}_@#])#?(?=[\p{Script=Latin}.+:/-]{0,40}[\p{N}_@])[\p{Script=Latin}\p{N}_@.+:/-]{1,80}(?<![.:,/+-])`,
  "gu",
);

export function withoutData(text: string): string {
  if (!/[\p{N}_@([{]/u.test(text)) return text;
  return text.replace(lists(), (list) => (/[:=\d]|^..$/.test(list) ? " " : list)).replace(values(), value);
}
