/** Lists of a comparison that are cut to a limit. The comparison tells whether anything was cut. */
export interface Limited {
  /** The first `max` of a list. */
  first<T>(list: readonly T[], max: number): readonly T[];
  readonly truncated: boolean;
}

export function newLimited(): Limited {
  let truncated = false;
  return {
    first(list, max) {
      if (list.length > max) truncated = true;
      return list.slice(0, max);
    },
    get truncated() {
      return truncated;
    },
  };
}
