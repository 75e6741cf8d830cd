/** Random numbers that are the same for the same seed. */
export interface Draw {
  /** From 0 to below 1. */
  readonly next: () => number;
  /** From `from` to `to`, both among them. */
  readonly whole: (from: number, to: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly oneIn: (many: number) => boolean;
}

/** Mulberry32. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T,
    oneIn: (many) => whole(1, many) === 1,
  };
}
