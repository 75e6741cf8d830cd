/** Each value once. Pure. */

/** In the order in which they first come. */
export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

export const uniqueSorted = (texts: readonly string[]): string[] => unique(texts).sort();
