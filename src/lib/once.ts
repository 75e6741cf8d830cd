/** Makes a value at its first use. Schemas take milliseconds to make, and most isolates never need most of them. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * A regular expression that is made at its first use. V8 parses a literal whenever it loads the file, used or not, and again
 * at its evaluation: with classes such as `\p{L}` that costs half a millisecond of each start, each time.
 */
export const lazyRegExp = (source: string, flags: string): (() => RegExp) => once(() => new RegExp(source, flags));
