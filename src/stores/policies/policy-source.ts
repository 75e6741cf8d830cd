/**
 * Policies as one isolate reads them from KV. If version and pointer become visible in the wrong order (KV promises none between
 * keys), the known version stays in force until both are there.
 */
import { type BoundedCache, boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { withTimeout } from "../../lib/deadline.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { KvPort } from "../../ports/kv-port.ts";

/** With KV's own 60 s, a change reaches every isolate within two minutes. */
const pointerLifetimeMs = 60_000;
/** How long a failed refresh is not tried again, so that an outage does not cost every request a wait. */
const retryAfterMs = 5_000;

/** Digest and numbers of a pointer. */
const POINTER_BYTES = 250;
/** For a document that was parsed: `{}` and a name are an object. */
const BYTES_PER_CHARACTER = 10;

interface KnownPointer extends PolicyPointer {
  readonly until: number;
  readonly stale: boolean;
  /** Until then KV may not show it yet. */
  readonly absentUntil: number;
}

/**
 * @param fallback the embedded document, in force for every tenant without a pointer.
 * @param event the log line of an outage.
 */
export function policySource(
  kv: Pick<KvPort, "get">,
  fallback: { readonly document: unknown; readonly digest: string },
  event = "policy_store_unreadable",
): PolicySource {
  const pointers = boundedCache<KnownPointer>({ maxBytes: CACHE_BYTES.policyPointers });
  const outage = outageLog(event);
  const read = (key: string) => outage.watch(() => kv.get(key));
  const { versionOf, keep } = documents(read, fallback);

  async function lastKnown(tenant: string, now: number): Promise<Result<LoadedPolicy, PolicyUnavailable>> {
    const known = pointers.get(tenant);
    if (known === undefined) return err("policy_unavailable");
    const policy = await versionOf(known.digest).catch(() => undefined);
    if (policy === undefined) return err("policy_unavailable");
    // Written while KV failed to read: it is no older than KV.
    if (now < known.until && !known.stale) return ok(policy);
    pointers.set(tenant, { ...known, until: now + retryAfterMs, stale: true }, POINTER_BYTES);
    return ok({ ...policy, stale: true });
  }

  return {
    async load(tenant, now) {
      const known = pointers.get(tenant);
      const fresh = known !== undefined && now < known.until ? known : undefined;
      try {
        const shown = fresh ?? readPointer(await read(pointerKey(tenant)));
        const pointer = fresh ?? newerOf(shown, pointers.get(tenant), now);
        const policy = await versionOf(pointer.digest);
        // Written in the meantime: this request uses what it read, and the next one the newer.
        if (!fresh && (pointers.get(tenant)?.at ?? 0) <= pointer.at) pointers.set(tenant, pointer, POINTER_BYTES);
        return ok({ ...policy, stale: pointer.stale });
      } catch (error) {
        // A KV outage has a log line of its own, once. Only this one names what KV holds and the gateway cannot use.
        if (!outage.isOngoing()) log("error", "policy_unreadable", { tenant, ...describeError(error) });
        return lastKnown(tenant, now);
      }
    },
    noteWritten(tenant, { digest, at }, text, now) {
      if (digest !== null && text !== null) keep(digest, text);
      const known = pointers.get(tenant);
      if (known && known.at > at) return;
      const until = now + pointerLifetimeMs;
      pointers.set(tenant, { digest, at, until, stale: false, absentUntil: now + EVERYWHERE_MS }, POINTER_BYTES);
    },
    degraded: outage.isOngoing,
  };
}

/** The pointer in KV, or the known one if that is newer: written while KV was read, or not yet visible in KV. */
function newerOf(shown: PolicyPointer | null, known: KnownPointer | undefined, now: number): KnownPointer {
  const newer = known && (shown === null ? now < known.absentUntil : known.at > shown.at) ? known : undefined;
  const { digest, at } = newer ?? shown ?? { digest: null, at: 0 };
  return { digest, at, until: now + pointerLifetimeMs, stale: false, absentUntil: newer?.absentUntil ?? 0 };
}

/** Versions never change, so a version is read only once. */
function documents(
  read: (key: string) => Promise<string | null>,
  fallback: { readonly document: unknown; readonly digest: string },
) {
  const held: BoundedCache<LoadedPolicy> = boundedCache({ maxBytes: CACHE_BYTES.policyDocuments });
  const size = JSON.stringify(fallback.document).length;
  const embedded: LoadedPolicy = { ...fallback, size, source: "embedded", stale: false };

  function keep(digest: string, text: string): LoadedPolicy {
    const document: unknown = JSON.parse(text);
    const loaded: LoadedPolicy = { digest, document, size: text.length, source: "kv", stale: false };
    held.set(digest, loaded, BYTES_PER_CHARACTER * text.length);
    return loaded;
  }

  return {
    keep,
    /** Null means the embedded one. Throws if KV fails, and if it has no such document. */
    async versionOf(digest: string | null): Promise<LoadedPolicy> {
      if (digest === null) return embedded;
      const known = held.get(digest);
      if (known) return known;
      const text = await read(documentKey(digest));
      if (text === null) throw new Error(`the document of policy version \`${digest}\` is not in KV`);
      // Audit records name versions by digest: under that name no other document may decide.
      if (sha256Hex(text) !== digest) throw new Error(`the document of policy version \`${digest}\` was altered`);
      return keep(digest, text);
    },
  };
}

/** Logs once when KV begins to fail, and once when it works again, however many requests meet the outage. */
function outageLog(event: string) {
  let ongoing = false;
  return {
    /** Throws what the read throws. */
    async watch<T>(read: () => Promise<T>): Promise<T> {
      try {
        const value = await read();
        if (ongoing) log("warn", `${event}_over`);
        ongoing = false;
        return value;
      } catch (error) {
        if (!ongoing) log("error", event, describeError(error));
        ongoing = true;
        throw error;
      }
    },
    isOngoing: () => ongoing,
  };
}

const ANSWER_MS = 5_000;

/** A `KvPort` whose reads do not hang: a reader can handle a store that fails, but not one that never answers. */
export const kvWithDeadline = (kv: KvPort): KvPort => ({
  get: (key) => withTimeout(ANSWER_MS, kv.get(key)),
  put: (key, value) => kv.put(key, value),
  delete: (key) => kv.delete(key),
});

export interface LoadedPolicy {
  readonly digest: string;
  readonly document: unknown;
  /** UTF-16 code units of its canonical JSON. */
  readonly size: number;
  readonly source: "kv" | "embedded";
  /** True if KV failed and this is the version last known. */
  readonly stale: boolean;
}

/**
 * KV failed (or holds something broken) and nothing is known of this tenant: its policy may be stricter than the embedded one, so
 * nothing is served in its place.
 */
export type PolicyUnavailable = "policy_unavailable";

export interface PolicySource {
  load(tenant: string, now: number): Promise<Result<LoadedPolicy, PolicyUnavailable>>;
  /** After a write: this isolate serves the new version at once. @param text the document's; null for the embedded one. */
  noteWritten(tenant: string, pointer: PolicyPointer, text: string | null, now: number): void;
  /** Whether KV failed when it was last read. No I/O. */
  degraded(): boolean;
}

/** The digest that names a version. The order of members counts: it is that of intents and groups in offers and texts. */
export const policyDigest = (document: unknown): string => sha256Hex(JSON.stringify(document));

/**
 * Puts a valid document into force without the tenant's ledger, which adopts it with its next call. Returns its digest. Throws if KV
 * fails.
 */
export async function putPolicy(kv: KvPort, tenant: string, document: unknown, now: number): Promise<string> {
  const text = JSON.stringify(document);
  const digest = sha256Hex(text);
  await kv.put(documentKey(digest), text);
  await kv.put(pointerKey(tenant), writePointer({ digest, at: now }));
  return digest;
}

/**
 * The keys of policies in KV. Pure.
 *
 *   policy:doc:<digest>       the document as compact JSON, written once and never changed
 *   policy:current:<tenant>   { digest, at }: the version in force; `digest` null: the embedded one
 *
 * Each new pointer has a later `at` than the one before, which shows of two pointers the older one: KV shows a write up to 60 s
 * late, and may apply a put that it reported as failed.
 */
export interface PolicyPointer {
  /** Null if the tenant went back to the embedded policy. */
  readonly digest: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** After this time a pointer is in force everywhere: twice what KV promises, once for KV and once for the isolates' caches. */
export const EVERYWHERE_MS = 120_000;

export const pointerKey = (tenant: string): string => `policy:current:${tenant}`;
export const documentKey = (digest: string): string => `policy:doc:${digest}`;

export const writePointer = ({ digest, at }: PolicyPointer): string => JSON.stringify({ digest, at });

/** The last millisecond that a `Date` can hold: a later `at` could not be followed by another. */
const latest = 8_640_000_000_000_000;

/** Null if there is none. Throws on anything else. `at` may be ISO text: earlier versions of `npm start` wrote it so. */
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
