/** What stands in quotation marks is mentioned, not said. Pure. */
export interface Quote {
  readonly start: number;
  readonly end: number;
}

/** Longer ones are more likely a mark that was never closed. Apostrophes are no quotation marks. */
const quoted =
  /"[^"\n]{1,500}"|“[^”\n]{1,500}”|„[^“”\n]{1,500}[“”]|«[^»\n]{1,500}»|「[^」\n]{1,500}」|『[^』\n]{1,500}』|`[^`\n]{1,500}`/g;

export function quotesOf(text: string): readonly Quote[] {
  return [...text.matchAll(quoted)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}
