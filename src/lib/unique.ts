/** Lists without repeated values, and the comparison of two lists as sets. Pure. */

/** In the order in which they first come. */
export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

export const uniqueSorted = (texts: readonly string[]): string[] => unique(texts).sort();

/** Ignores the order, and how often a list has a value. */
export function isSameSet(one: Iterable<string>, other: Iterable<string>): boolean {
  const [names, others] = [new Set(one), new Set(other)];
  return names.size === others.size && names.isSubsetOf(others);
}
