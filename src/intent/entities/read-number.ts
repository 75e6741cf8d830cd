/** Numbers as people write them. Pure. */

/** One number, as part of an expression: `1,500.5`, `1.500,5`, `0.5`, `12`. Each alternative reads a character once. */
export const NUMBER_SOURCE = String.raw`\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,3}(?:\.\d{3}){1,4},\d{1,9}|\d{1,15}(?:[.,]\d{1,9})?`;

const WHOLE = new RegExp(`^[+-]?(?:${NUMBER_SOURCE})$`);

/** @returns undefined for what is no number, or is too long to be held exactly. */
export function readNumber(text: string): number | undefined {
  const plain = text.trim().replace(/^\u2212/, "-");
  if (!WHOLE.test(plain)) return undefined;
  const value = Number(withPoint(plain));
  return Number.isFinite(value) ? value : undefined;
}

/** `1,500` are fifteen hundred, `1,5` is one and a half. */
function withPoint(text: string): string {
  if (/^[+-]?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(text)) return text.replaceAll(",", "");
  if (text.includes(",")) return text.replaceAll(".", "").replace(",", ".");
  return text;
}
