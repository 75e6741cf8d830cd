/**
 * Detects that the user's words name a value only to rule it out: "not to eve@example.com", "all but b.txt". Pure.
 *
 * Only the words right before the value count (in Japanese and Korean those right after it), within its clause. If a negation is missed,
 * the value counts as the user's; one that is detected by mistake costs a question. So phrases that ask in spite of a negation
 * ("don't forget to", "no later than") are not negations.
 */
import { lazyRegExp } from "../../../lib/once.ts";

/** UTF-16 units around the value that are read. */
const AROUND = 60;

const SMALL =
  "to|at|for|with|in|on|into|onto|the|a|an|my|our|his|her|their|your|this|that|old|other|order|number|address|account|file|pr|issue|ticket|invoice|" +
  "an|am|bei|für|fur|zu|mit|von|den|dem|der|die|das|alte|alten|alter|altes|mehr|fall|konto|nummer|bestellung|datei|" +
  "à|au|aux|chez|pour|le|la|les|l['’]?\\p{L}*|adresse|compte|numéro|fichier|ancien|ancienne|" +
  "al|para|el|los|las|cuenta|número|pedido|archivo|antigu[ao]|il|lo|gli|alla|da|conto|vecchi[ao]|o|os|as|conta";
/** Right before the value, or before small words. */
const excluded = lazyRegExp(
  String.raw`(?:^|[\s"'“„«])(?:not|never|except|excluding|avoid|instead\s+of|rather\s+than|(?:other|apart|aside)\s+(?:than|from)|any(?:thing|where|one|body)\s+but|(?:all|everyone|everything|everybody|nobody)\s+but(?:\s+(?:not|never))?|(?<!vergiss\s|vergesst\s|vergessen\s)nicht|niemals|nie|kein(?:e[nmrs]?)?|au(?:ß|ss)er|(?:an)?statt|(?:en\s+(?:vez|lugar)|au\s+lieu|invece|em\s+vez)\s+d(?:el|i|e|o|a)|(?<!oublie[rz]?\s)pas|jamais|sauf|except[ée]|hormis|nunca|jam[aá]s|excepto|salvo|no(?=\s+(?:a|al|para)\s)|(?<=^\s?)no(?=\s+(?:el|la|los|las)\s)|non(?=\s+(?:a|al|alla|per)\s)|tranne|eccetto|exceto|behalve|кроме|tod[oa]s?\b[^.!?\n]{0,40}\smenos|tutt[aeio]\b[^.!?\n]{0,40}\smeno|bis\s+auf|à\s+part)(?:\s+(?:${SMALL}|a))*\s*["'“„«‘(<]*$`,
  "u",
);
/** "Send nothing to": also with the verb first. */
const nothing = lazyRegExp(
  String.raw`(?<=^|[\s"'“])(?:nothing|nichts|rien|nada|niente|non\s+\p{L}+(?:\s+nulla)?)\s+(?:to|for|an|bei|für|à|chez|pour|a|al|para|da|per)(?:\s+(?:${SMALL}))*\s*["'“„«‘(<]*$`,
  "u",
);
/** An order not to do something: "I never heard from" and "we don't know" are none. */
const forbidden =
  /(?<!(?:^|\s)(?:i|we|you|they|he|she|it|who|have|has|had|did|why|if)\s+)(?<=^|[\s"'“])(?:do\s+not|don['’]?t|never|must\s*(?:not|n['’]t)|should\s*(?:not|n['’]t))(?<gap>(?:\s+[\p{L}'’]+){1,4})\s*["'“‘(<]*$/u;
const inSpite = /\s(?:forget|hesitate|fail|only|just|mind|know|see|get|have|need|think|worry)(?=\s|$)/u;
/** The order spares the value after "delete 3391, keep", and the one in "leave … alone". */
const spared = lazyRegExp(
  String.raw`(?<=(?:^|[^\p{L}])(?:delete|remove|cancel|drop|erase|lösch\w*|storniere?|entferne?|supprime[rz]?|annule[rz]?|borra|elimina|cancela|anula|删除|取消|削除)(?![\p{Script=Latin}])(?:[^.!?。！？\n]|[.!?](?!\s))*[\s,;，、])(?:keep|leave|spare|behalte?|lass|garde[rz]?|laisse[rz]?|conserva|deja|mant[eé]n|保留|留下|别动)(?:\s+(?:${SMALL}))*\s*["'“„«‘(<#]*$`,
  "u",
);
const leftAlone = {
  before: lazyRegExp(
    String.raw`(?<=^|\s)(?:leave|lass|lasse|laisse[rz]?|deja|lascia)(?:\s+(?:${SMALL}))*\s*["'“„«‘(<#]*$`,
    "u",
  ),
  after: /^["'”’»)>]*\s+(?:alone|untouched|in ruhe|unberührt|tranquille|en paz|tranquil[oa]|stare)(?![\p{L}])/u,
} as const;
/** "… was my old one", "… already has it". */
const past =
  /^["'”’»)>]*\s+(?:(?:is|was|were)\s+(?:my|our|the|his|her|their|an?)\s+(?:old|former|previous|wrong)|(?:ist|war)\s+(?:mein|unser|das|die|der)e?\s+(?:alte|frühere|falsche)|(?:es|era)\s+(?:mi|la|el|nuestr[ao])\s+(?:antigu[ao]|anterior|viej[ao])|(?:est|était)\s+(?:mon|ma|l['’]|notre)\s*(?:ancien|vieux|vieille)|already\s+(?:has|have|got)\s+(?:it|them|one)|hat\s+(?:es|ihn|sie|das)\s+schon|ya\s+l[oa]s?\s+tiene|l['’]a\s+déjà|ce\s+l['’]ha\s+già|已经有了|已有了)(?!\p{L})/u;
const hanBefore =
  /(?:不要(?!忘)|不用|不许|不是|请勿|切勿(?!忘)|除了|而非|而不是|(?<![特分级个类区性差])别(?!忘))[^，。！？；、\s]{0,6}\s?$/u;
const after =
  /^["'”」』)]*\s?(?:(?:には|では|へは|は|へ|に|を|で)?[^。！？、\n]{0,8}?(?:(?<!忘れ)ないで(?!しょうか)|ません(?!か)|以外|除いて|(?<!だけ|のみ)(?:ではなく|じゃなく)|の?代わりに)|以外|除外|말고|제외|빼고|\s*(?:ver)?meiden\b)/u;

/** @param text folded; `start` and `end` of the value in it. */
export function isRuledOut(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - AROUND), start);
  const behind = text.slice(end, end + AROUND);
  const [clause = ""] = /[^.!?;:,\n。！？；，—–(]*$/u.exec(before) ?? [];
  const order = forbidden.exec(clause);
  if (excluded().test(clause) || nothing().test(clause) || (order && !inSpite.test(order.groups?.gap ?? "")))
    return true;
  if (spared().test(before) || (leftAlone.after.test(behind) && leftAlone.before().test(clause))) return true;
  return hanBefore.test(clause) || after.test(behind) || past.test(behind);
}
