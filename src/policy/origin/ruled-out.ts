/**
 * Whether the user's words name a value only to rule it out: "not to eve@example.com", "all but b.txt". Pure.
 *
 * Only the words right before the value count (in Japanese and Korean those right after it), within its clause. A missed negation is a
 * value that counts as the user's; one that is seen where there is none costs a question. So phrases that ask in spite of a negation
 * ("don't forget to", "no later than") are not negations.
 */
import { latePattern } from "../../lib/once.ts";

/** UTF-16 units around the value that are read. */
const AROUND = 60;

const before = latePattern(
  String.raw`(?:^|[\s"'“„«])(?:not|never|n['’]t|\p{L}+n['’]t|cannot|without|except|excluding|avoid|besides|instead\s+of|rather\s+than|anything\s+but|(?:all|everyone|everything|everybody|nobody)\s+but|nicht|niemals|nie|kein(?:e[nmrs]?)?|au(?:ß|ss)er|(?:an)?statt|ohne|pas|jamais|sauf|except[ée]|hormis|nunca|jam[aá]s|excepto|salvo|no\s+(?:a|al|para))(?<gap>(?:\s+[\p{L}\p{M}'’]+){0,4})\s*["'“„«‘(<]*$`,
  "u",
);
const inSpite = latePattern(
  String.raw`(?:\s(?:only|just|forget|hesitate|fail|later|earlier|before|after|until|more|less|sure|if|nur|vergessen|vergiss|vergesse|später|oublie\w*|olvid\w*|mehr|seulement|s[oó]lo)(?=\s|$))|^\s+but\s`,
  "u",
);
const hanBefore =
  /(?:不要|不用|不许|不是|请勿|切勿|除了|而非|而不是|(?<![特分级个类区性差])别)[^，。！？；、\s]{0,6}$/u;
const after =
  /^["'”」』)]*\s?(?:(?:には|では|へは|は|へ|に|を|で)?[^。！？、\n]{0,8}?(?:ないで|ません|以外|除いて|ではなく|じゃなく)|以外|除外|말고|제외|빼고|\s*(?:ver)?meiden\b)/u;

/** @param text folded; `start` and `end` of the value in it. */
export function isRuledOut(text: string, start: number, end: number): boolean {
  const [clause = ""] = /[^.!?;:,\n。！？；，—–(]*$/u.exec(text.slice(Math.max(0, start - AROUND), start)) ?? [];
  const { gap } = before().exec(clause)?.groups ?? {};
  if (
    gap !== undefined &&
    !inSpite().test(`${gap} `) &&
    !/\b(?:why|whether|if|or|warum|pourquoi)\s+\S*$/u.test(clause.slice(0, -gap.length || undefined).trimEnd())
  )
    return true;
  return hanBefore.test(clause) || after.test(text.slice(end, end + AROUND));
}
