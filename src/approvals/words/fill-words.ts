/** A text of `words/` with what stands in its `{places}`; what is filled in is never filled again. Pure. */
export function fillWords(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : place,
  );
}
