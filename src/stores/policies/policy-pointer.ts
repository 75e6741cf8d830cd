/**
 * How policies stand in KV. Pure.
 *
 *   policy:doc:<digest>       the document as compact JSON, written once and never changed
 *   policy:current:<tenant>   { digest, at }: the version in force; `digest` null: the embedded one
 *
 * Each new pointer has a later `at` than the one before, which shows of two pointers the older one: KV shows a write up to 60 s
 * late, and may apply a put that it reported as failed.
 */
export interface PolicyPointer {
  /** Null where the tenant went back to the embedded policy. */
  readonly digest: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** After so long a pointer is in force everywhere: twice what KV promises, the second time for what isolates keep. */
export const EVERYWHERE_MS = 120_000;

export const pointerKey = (tenant: string): string => `policy:current:${tenant}`;
export const documentKey = (digest: string): string => `policy:doc:${digest}`;

export const writePointer = ({ digest, at }: PolicyPointer): string => JSON.stringify({ digest, at });

/** The last millisecond that a `Date` can hold: a later `at` could not be followed by another. */
const latest = 8_640_000_000_000_000;

/** Null where there is none. Throws on what is no pointer. `at` may be ISO text: earlier versions of `npm start` wrote it so. */
export function readPointer(text: string | null): PolicyPointer | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (typeof value === "object" && value !== null && "digest" in value && "at" in value) {
    const { digest, at: written } = value;
    const at = typeof written === "string" ? Date.parse(written) : written;
    const timed = typeof at === "number" && at >= 0 && at < latest;
    if (timed && (digest === null || typeof digest === "string")) return { digest, at };
  }
  throw new Error("not a policy pointer");
}
