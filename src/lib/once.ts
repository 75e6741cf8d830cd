/** What is made at its first use. Schemas take milliseconds to make, and most isolates never read what they describe. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * A regular expression that is made at its first use. Of a literal V8 reads the pattern whenever it reads the file, used or
 * not, and again where it is evaluated: with classes such as `\p{L}`, half a millisecond of each start, each time.
 */
export const latePattern = (source: string, flags: string): (() => RegExp) => once(() => new RegExp(source, flags));
