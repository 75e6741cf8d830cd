/**
 * Policy documents in KV, which every isolate reads; `policy-pointer.ts` has the keys. A tenant's ledger decides what is
 * written there, and in which order.
 *
 * The version is written before the pointer to it; where the two still show in the other order (KV promises none between
 * keys), the version that is known stays in force until both are there.
 */

import { boundedCache } from "../lib/bounded-cache.ts";
import { sha256Hex } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { KvPort } from "./kv-port.ts";
import { outageLog } from "./outage-log.ts";
import { documentKey, type PolicyPointer, pointerKey, readPointer, writePointer } from "./policy-pointer.ts";

/** With KV's own 60 s, a change reaches everybody within two minutes. */
const pointerLifetimeMs = 60_000;
/** How long a failed refresh is not tried again, so that an outage does not cost every request a wait. */
const retryAfterMs = 5_000;
/** How long KV may still show that there is no pointer, where one was put: twice what it promises. */
const absenceMs = 120_000;

export interface LoadedPolicy {
  readonly digest: string;
  readonly document: unknown;
  /** UTF-16 code units of its canonical JSON. */
  readonly size: number;
  readonly source: "kv" | "embedded";
  /** True where KV failed and this is the version last known. */
  readonly stale: boolean;
}

/**
 * KV failed (or holds something broken) and nothing is known of this tenant: its policy may be stricter than the embedded
 * one, so nothing is served in its place.
 */
export type PolicyUnavailable = "policy_unavailable";

export interface PolicySource {
  load(tenant: string, now: number): Promise<Result<LoadedPolicy, PolicyUnavailable>>;
  /** What was put just now: it shows at once in this isolate. @param text the document's; null for the embedded one. */
  told(tenant: string, pointer: PolicyPointer, text: string | null, now: number): void;
  /** Whether KV failed when it was last read. No I/O. */
  degraded(): boolean;
}

/** The digest that names a version. The order of members counts: intents and groups are told in it. */
export const policyDigest = (document: unknown): string => sha256Hex(JSON.stringify(document));

/**
 * Puts a document that was found valid into force, past the tenant's ledger, which adopts it when it is next asked.
 * Answers its digest. Throws where KV fails.
 */
export async function putPolicy(kv: KvPort, tenant: string, document: unknown, now: number): Promise<string> {
  const text = JSON.stringify(document);
  const digest = sha256Hex(text);
  await kv.put(documentKey(digest), text);
  await kv.put(pointerKey(tenant), writePointer({ digest, at: now }));
  return digest;
}

interface KnownPointer extends PolicyPointer {
  readonly until: number;
  readonly stale: boolean;
  /** Until then KV may not show it yet. */
  readonly absentUntil: number;
}

/** @param fallback the embedded document, in force for every tenant without a pointer. */
export function policySource(
  kv: Pick<KvPort, "get">,
  fallback: { readonly document: unknown; readonly digest: string },
): PolicySource {
  const pointers = boundedCache<KnownPointer>({ maxEntries: 10_000 });
  const documents = boundedCache<LoadedPolicy>({ maxEntries: 500, maxWeight: 8_000_000 });
  const size = JSON.stringify(fallback.document).length;
  const embedded: LoadedPolicy = { ...fallback, size, source: "embedded", stale: false };
  const outage = outageLog("KV cannot be read: the policies last known are served, others not at all");
  const read = (key: string) => outage.watch(() => kv.get(key));

  async function version(digest: string): Promise<LoadedPolicy | undefined> {
    const known = documents.get(digest);
    if (known) return known;
    const text = await read(documentKey(digest));
    // A document that is not the one its name promises is no document: audit records name versions by digest.
    if (text === null || sha256Hex(text) !== digest) return undefined;
    return keep(digest, text);
  }
  function keep(digest: string, text: string): LoadedPolicy {
    const loaded: LoadedPolicy = {
      digest,
      document: JSON.parse(text),
      size: text.length,
      source: "kv",
      stale: false,
    };
    documents.set(digest, loaded, text.length);
    return loaded;
  }
  const versionOf = async (digest: string | null) => (digest === null ? embedded : version(digest));

  /** What KV shows, or what is known where that is newer: told while KV was read, or not shown by KV yet. */
  async function refresh(tenant: string, now: number): Promise<KnownPointer> {
    const shown = readPointer(await read(pointerKey(tenant)));
    const known = pointers.get(tenant);
    const newer = known && (shown === null ? now < known.absentUntil : known.at > shown.at) ? known : undefined;
    const { digest, at } = newer ?? shown ?? { digest: null, at: 0 };
    return { digest, at, until: now + pointerLifetimeMs, stale: false, absentUntil: newer?.absentUntil ?? 0 };
  }

  return {
    async load(tenant, now) {
      const known = pointers.get(tenant);
      const fresh = known !== undefined && now < known.until ? known : undefined;
      try {
        const pointer = fresh ?? (await refresh(tenant, now));
        const policy = await versionOf(pointer.digest);
        if (policy === undefined) throw new Error(`policy version \`${pointer.digest}\` is not there`);
        // Told in the meantime: this request goes on with what it read, the next one sees the newer.
        if (!fresh && (pointers.get(tenant)?.at ?? 0) <= pointer.at) pointers.set(tenant, pointer);
        return ok({ ...policy, stale: pointer.stale });
      } catch {
        return lastKnown(tenant, now);
      }
    },
    told(tenant, { digest, at }, text, now) {
      if (digest !== null && text !== null) keep(digest, text);
      const known = pointers.get(tenant);
      if (known && known.at > at) return;
      const until = now + pointerLifetimeMs;
      pointers.set(tenant, { digest, at, until, stale: false, absentUntil: now + absenceMs });
    },
    degraded: outage.lasting,
  };

  async function lastKnown(tenant: string, now: number) {
    const known = pointers.get(tenant);
    if (known === undefined) return err<PolicyUnavailable>("policy_unavailable");
    const policy = await versionOf(known.digest).catch(() => undefined);
    if (policy === undefined) return err<PolicyUnavailable>("policy_unavailable");
    // Told while KV failed: what was told is no older than KV.
    if (now < known.until && !known.stale) return ok(policy);
    pointers.set(tenant, { ...known, until: now + retryAfterMs, stale: true });
    return ok({ ...policy, stale: true });
  }
}
