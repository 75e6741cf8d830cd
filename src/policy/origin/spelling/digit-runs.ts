/**
 * Reads numbers of phones, cards and accounts as people group their digits: `138 0013 5521`, `8 (900) 555-01-23`, `20-00-00`. Pure.
 *
 * Only a whole run counts. A part of it, or a run with a digit more, is another number.
 */
import { lazyRegExp } from "../../../lib/once.ts";

export interface DigitRun {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** The same number as it is dialled from abroad, if its groups leave no doubt. */
  readonly international: string | undefined;
}

const runs = lazyRegExp(
  String.raw`(?<![\p{N}@_#&=%*/+.:-]|[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|\+\s?\(?|\p{N}[ .-]|\p{N}\)[ -]?)\(?\d+(?:(?:[ .-]|\)[ -]?| ?\()\d+){1,7}(?!\p{N}|[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[@_/*#:]|[.,-][\p{L}\d])`,
  "gu",
);

/** Two groups with a blank between them may be two numbers, and so may a group and something long. */
function isOneNumber(written: string): boolean {
  const groups = written.match(/\d+/g) ?? [];
  if (/^\d{2}-\d{2}-\d{2}$/.test(written)) return true;
  if (groups.join("").length < 7 || groups.join("").length > 17) return false;
  if (groups.some(({ length }) => length > 5) || groups.slice(1).some(({ length }) => length < 2)) return false;
  return !written.includes(" ") || groups.length >= 3;
}

/** "Ticket 202 555 0100" is the number of a ticket. */
const record =
  /(?:^|[^\p{L}])(?:tickets?|orders?|invoices?|cases?|items?|part|products?|bestellung|rechnung|auftrag|artikel|vorgang|commande|facture|dossier|pedido|factura|ordine|fattura|fatura|zamówieni\p{L}*|faktur\p{L}*|заказ\p{L}*|заявк\p{L}*|sku|订单|工单|注文|주문)(?:\s?(?:number|no\.?|nr\.?|#|№))?\s?$/u;

/** @param text folded. */
export function digitRunsIn(text: string): readonly DigitRun[] {
  return [...text.matchAll(runs())]
    .filter(({ 0: written, index }) => isOneNumber(written) && !record.test(text.slice(Math.max(0, index - 30), index)))
    .map(({ 0: written, index }) => ({
      digits: written.replace(/\D/g, ""),
      start: index,
      end: index + written.length,
      international: internationalOf(written),
    }));
}

/** A number with a separate 1 or in the groups 3-3-4 is American, and no national number has twelve digits. */
function internationalOf(written: string): string | undefined {
  const digits = written.replace(/\D/g, "");
  if (/^1[ .-]?\(?[2-9]\d{2}\)?[ .-]?[2-9]\d{2}[ .-]?\d{4}$/.test(written)) return `+${digits}`;
  if (/^(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[.-]\d{4}$/.test(written)) return `+1${digits}`;
  return digits.length >= 12 && /^[1-9]\d{0,2}[ .-]/.test(written) ? `+${digits}` : undefined;
}

/** The digits of a value that may be grouped in a text; undefined for others. @param value folded. */
export function groupedDigits(value: string): string | undefined {
  if (!/^\+?[\d ().-]{6,24}$/.test(value)) return undefined;
  const digits = value.replace(/\D/g, "");
  const isCode = /^\d{6}$/.test(value) || /^\d{2}-\d{2}-\d{2}$/.test(value);
  if (!isCode && digits.length < 7) return undefined;
  return value.startsWith("+") ? `+${digits}` : digits;
}

export const isSameRun = ({ digits, international }: DigitRun, value: string): boolean =>
  digits === value || international === value;
