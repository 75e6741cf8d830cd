/**
 * Whether the user says how much is paid: "pay 20 to …", "transfer 300 euros". Pure.
 *
 * Then another amount is not the user's. Where they leave it open ("pay the bill", "send them a third of it"), an amount is worked out,
 * and asking about each would be noise.
 */
import { lazyRegExp } from "../../lib/once.ts";

const stated = lazyRegExp(
  String.raw`\b(?:pay|send|transfer|wire|remit|refund|überweise|zahle?|sende|paga|transfiere|envía|paie|payez|vire|virez|envoie)\s+(?:(?:him|her|them|back|exactly|ihm|ihr|ihnen|genau)\s+)?(?:[$€£]\s?\d[\d.,]*\d?|\d(?:[\d.,]*\d)?\s?(?:[€£]|(?:to|from|into|for|eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|franken|yen|an|auf|von|a|à|al)(?!\p{L})))`,
  "iu",
);

/** UTF-16 units of a message that are read. */
const MAX_TEXT = 4_000;

/** @param text the user's own words. */
export const statesAmount = (text: string): boolean => stated().test(text.slice(0, MAX_TEXT));
