/** Lists of which each value counts once, and when two are the same. Pure. */

/** In the order in which they first come. */
export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

export const uniqueSorted = (texts: readonly string[]): string[] => unique(texts).sort();

/** Whatever the order, and however often a value stands in either. */
export function isSameSet(one: Iterable<string>, other: Iterable<string>): boolean {
  const [names, others] = [new Set(one), new Set(other)];
  return names.size === others.size && names.isSubsetOf(others);
}
