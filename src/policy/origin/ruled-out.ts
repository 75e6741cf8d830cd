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

const SMALL =
  "to|at|for|with|in|on|into|onto|the|a|an|my|our|his|her|their|your|this|that|old|other|order|number|address|account|file|" +
  "an|am|bei|für|fur|zu|mit|von|den|dem|der|die|das|alte|alten|fall|à|au|aux|chez|pour|le|la|les|l['’]?\\p{L}*|adresse|al|para|el|los";
/** Right before the value, or before small words. */
const excluded = latePattern(
  String.raw`(?:^|[\s"'“„«])(?:not|never|except|excluding|avoid|instead\s+of|rather\s+than|anything\s+but|(?:all|everyone|everything|everybody|nobody)\s+but(?:\s+(?:not|never))?|nicht|niemals|nie|kein(?:e[nmrs]?)?|au(?:ß|ss)er|(?:an)?statt|pas|jamais|sauf|except[ée]|hormis|nunca|jam[aá]s|excepto|salvo|no(?=\s+(?:a|al|para)\s))(?:\s+(?:${SMALL}|a))*\s*["'“„«‘(<]*$`,
  "u",
);
/** An order not to do something: "I never heard from" and "we don't know" are none. */
const forbidden =
  /(?<!(?:^|\s)(?:i|we|you|they|he|she|it|who|have|has|had|did|why|if)\s+)(?<=^|[\s"'“])(?:do\s+not|don['’]?t|never|must\s*(?:not|n['’]t)|should\s*(?:not|n['’]t))(?<gap>(?:\s+[\p{L}'’]+){1,4})\s*["'“‘(<]*$/u;
const inSpite = /\s(?:forget|hesitate|fail|only|just|mind|know|see|get|have|need|think|worry)(?=\s|$)/u;
const hanBefore =
  /(?:不要|不用|不许|不是|请勿|切勿|除了|而非|而不是|(?<![特分级个类区性差])别)[^，。！？；、\s]{0,6}$/u;
const after =
  /^["'”」』)]*\s?(?:(?:には|では|へは|は|へ|に|を|で)?[^。！？、\n]{0,8}?(?:(?<!忘れ)ないで(?!しょうか)|ません(?!か)|以外|除いて|ではなく|じゃなく)|以外|除外|말고|제외|빼고|\s*(?:ver)?meiden\b)/u;

/** @param text folded; `start` and `end` of the value in it. */
export function isRuledOut(text: string, start: number, end: number): boolean {
  const [clause = ""] = /[^.!?;:,\n。！？；，—–(]*$/u.exec(text.slice(Math.max(0, start - AROUND), start)) ?? [];
  const order = forbidden.exec(clause);
  if (excluded().test(clause) || (order && !inSpite.test(order.groups?.gap ?? ""))) return true;
  return hanBefore.test(clause) || after.test(text.slice(end, end + AROUND));
}
