/**
 * Finds whether the user says how much to pay. Pure.
 *
 * If they do ("pay 20 to …", "transfer 300 euros"), another amount is not theirs. If they leave it to be worked out ("send
 * back the difference", "pay a third of it"), any amount may be right, and asking about each would be noise. If they say neither,
 * an amount without another source is the model's own.
 */
import { lazyRegExp } from "../../lib/once.ts";

const VERB = String.raw`(?<!\p{L})(?:pay|send|transfer|wire|remit|refund|überweise|zahle?|sende|paga|transfiere|envía|paie|payez|vire|virez|envoie)\s+`;
const DIGITS = String.raw`\d(?:[\d.,]*\d)?\s?`;
const CURRENCY = "eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|franken|yen";

const stated = lazyRegExp(
  String.raw`${VERB}(?:(?:him|her|them|back|exactly|ihm|ihr|ihnen|genau)\s+)?(?:[$€£]\s?\d[\d.,]*\d?|${DIGITS}(?:[€£]|(?:to|from|into|for|${CURRENCY}|an|auf|von|a|à|al)(?!\p{L})|(?=[.,;!?](?:\s|$)|$)))`,
  "iu",
);
/** "Pay Anna 20 euros": a few words may precede the amount. */
const statedLater = lazyRegExp(
  String.raw`${VERB}((?:[^\s.,;:!?]+\s+){1,3}?)(?:[$€£]\s?\d|${DIGITS}(?:[€£]|(?:${CURRENCY})(?!\p{L})))`,
  "iu",
);

const WORDS = "\\s+(?:\\S+\\s+){0,4}?";
/** Words for an amount that follows from others. */
const WORKED_OUT = [
  "difference|remainder|remaining|rest|share|half|halves|thirds?|quarters?|percent(?:age)?|total|sum|average|same|usual(?:ly)?|accordingly|split",
  "differenz|unterschied|restbetrag|übrige[nrs]?|anteil|hälfte|drittel|viertel|prozent|summe|gesamt\\p{L}*|gleiche[nrs]?|selbe[nr]?|übliche[nrs]?|wie immer|entsprechend|aufteilen",
  "diferencia|resto|restante|parte|mitad|tercio|cuarto|por ciento|suma|mism[oa]|habitual|de siempre|en consecuencia",
  "différence|reste|part|moitié|tiers|quart|pour ?cent|somme|même|habituel(?:le)?|comme d['’]habitude|en conséquence",
  "differenza|rimanente|metà|terzo|percento|somma|stess[oa]|solit[oa]|di conseguenza|diferença|metade|terço|soma|mesm[oa]|costume",
  `(?:what|as much as|how much|whatever|the amount)${WORDS}(?:sent|paid|pays?|owed?|owes|spent|lent|costs?)`,
  `(?:was|so ?viel|wie ?viel)${WORDS}(?:geschickt|gezahlt|bezahlt|überwiesen|schulde\\p{L}*|gekostet|kostet)`,
  `(?:lo que|cuanto|quello che|quanto|o que|ce que?)${WORDS}(?:envi[óo]|pag[óué]\\p{L}*|deb[eo]|costó|cuesta|inviato|pagato|devo|deve|costa|envoyé|payé|dois|doit|coûte)`,
];
const workedOut = lazyRegExp(
  `%|(?<!\\p{L})(?:${WORKED_OUT.join("|")})(?!\\p{L})|差额|差額|余额|剩余|剩下|残り|一半|半分|[二三四五六七八九十]分之|百分之|总额|总数|合计|合計|总共|平分|同样|同じ|照旧|いつも|相应`,
  "iu",
);

/** UTF-16 units of a message that are read. */
const MAX_TEXT = 4_000;

/** @param text the user's own words. */
export function statesAmount(text: string): boolean {
  const beginning = text.slice(0, MAX_TEXT);
  if (stated().test(beginning)) return true;
  // "Send Anna half of 20 euros" states none.
  const before = statedLater().exec(beginning)?.[1];
  return before !== undefined && !workedOut().test(before);
}

/** Whether it is to be worked out. @param text the user's own words. */
export const leavesAmountOpen = (text: string): boolean =>
  !statesAmount(text) && workedOut().test(text.slice(0, MAX_TEXT));
