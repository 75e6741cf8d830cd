/** French puts a blank before some signs, at which no line may break: a sign would begin the next line. Pure. */

/** U+202F before `?`, `!` and `;`, U+00A0 before a colon and inside quotation marks. */
const withSpaces = (text: string): string =>
  text
    .replace(/ (?=[?!;])/g, "\u202f")
    .replace(/ (?=[:»])/g, "\u00a0")
    .replace(/(?<=«) /g, "\u00a0");

/** @returns a table of texts of the same shape. */
export function withFrenchSpaces<T>(texts: T): T {
  if (typeof texts === "string") return withSpaces(texts) as T;
  if (Array.isArray(texts)) return texts.map((text: unknown) => withFrenchSpaces(text)) as T;
  if (typeof texts !== "object" || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, withFrenchSpaces(text)])) as T;
}
