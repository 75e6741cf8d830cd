/** What is made at its first use. Schemas take milliseconds to make, and most isolates never read what they describe. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
