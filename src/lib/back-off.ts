/** How long to wait before a retry. Pure. */

/** `retry-after-ms`, else `retry-after` in seconds or as a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const ms = numberOf(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const text = headers.get("retry-after");
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  // Only a text with letters is a date: `Date.parse` accepts `-5` too.
  const at = /[a-z]/i.test(text ?? "") ? Date.parse(text ?? "") : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}

const numberOf = (text: string | null): number | undefined =>
  text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;

interface BackOffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

const WITHIN_A_REQUEST: BackOffLimits = { firstMs: 400, longestMs: 5_000 };

/**
 * Doubled with each attempt. Half of it is random, so that requests that failed together are not repeated together.
 * @param retry 0 for the first.
 * @param random from 0 up to 1.
 */
export const backOffMs = (retry: number, random: number, { firstMs, longestMs } = WITHIN_A_REQUEST): number =>
  Math.min(firstMs * 2 ** retry, longestMs) * (0.5 + random / 2);
