/** A request rate limit as settings and operators write it. Pure. */
import * as z from "zod";
import { once } from "../lib/once.ts";
import { duration } from "../policy/document/duration-text.ts";

export interface RateLimit {
  readonly max: number;
  readonly windowMs: number;
}

/** Windows are bounded so that a meter's memory is, and so that a mistyped unit shows. */
const MAX_WINDOW_MS = 31 * 86_400_000;
const max = () => z.int("must be a whole number").min(1, "must be at least 1").max(1_000_000_000, "is too large");
const window = () => duration().refine((ms) => ms >= 1_000 && ms <= MAX_WINDOW_MS, "must be from `1s` to `31d`");

/** `{ "max": 600, "window": "1m" }` */
export const rateLimitObject = once(() =>
  z
    .strictObject({ max: max(), window: window() })
    .transform(({ max, window }): RateLimit => ({ max, windowMs: window })),
);

/** `600/1m` */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, count, per] = /^(\d{1,10})\/(\S+)$/.exec(text.trim()) ?? [];
  return rateLimitObject().safeParse({ max: Number(count), window: per }).data;
}
