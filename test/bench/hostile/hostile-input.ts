/** One shape of an input that somebody else chooses, at its worst. */
import type { Gateway } from "./gateway.ts";

/** What the bound is about: a larger input may cost more, in proportion. */
export const MAX_BYTES = 64 * 1024;

export interface HostileInput {
  readonly name: string;
  /** Measured where the pure functions run. */
  readonly isPure?: true;
  /** What is done before, which is not measured: a policy is put, a question is asked. */
  readonly prepare?: (gateway: Gateway, salt: string) => Promise<unknown>;
  /**
   * Sends the input, and comes back with the reply.
   * @param salt another each time: what a cache holds of an earlier one must not help.
   * @param prepared what `prepare` came back with.
   */
  readonly send: (gateway: Gateway, salt: string, prepared: unknown) => Promise<Sent>;
}

export interface Sent {
  /** Of the hostile input. */
  readonly bytes: number;
  /** What came of it, in a few words. */
  readonly outcome: string;
}

export const bytesOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));

/** The part as often as it fits. @param size in bytes of UTF-8. */
export function fill(part: string, size = MAX_BYTES): string {
  return part.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(part))));
}

/** Without a pattern in it, and the same each time. */
export function noise(alphabet: string, length: number, seed = 7): string {
  const letters = [...alphabet];
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return letters[(state >>> 8) % letters.length];
  }).join("");
}
