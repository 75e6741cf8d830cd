/**
 * Policy documents in KV.
 *
 *   policy:doc:<digest>       the canonical document, written once and never changed
 *   policy:current:<tenant>   { digest, at }: the version in force
 *
 * The version is written before the pointer to it; where the two still show in the other order (KV promises none between
 * keys), the version that is known stays in force until both are there.
 */

import { boundedCache } from "../lib/bounded-cache.ts";
import { sha256Hex } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";
import type { KvPort } from "./kv-port.ts";

/** With KV's own 60 s, a change reaches everybody within two minutes. */
const pointerLifetimeMs = 60_000;
/** How long a failed refresh is not tried again, so that an outage does not cost every request a wait. */
const retryAfterMs = 5_000;

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
}

/** The digest that names a version. The order of members counts: intents and groups are told in it. */
export const policyDigest = (document: unknown): string => sha256Hex(JSON.stringify(document));

/** Puts a document that was found valid into force for a tenant, and answers its digest. Throws where KV fails. */
export async function putPolicy(kv: KvPort, tenant: string, document: unknown, now: number): Promise<string> {
  const text = JSON.stringify(document);
  const digest = sha256Hex(text);
  await kv.put(`policy:doc:${digest}`, text);
  await kv.put(`policy:current:${tenant}`, JSON.stringify({ digest, at: now }));
  return digest;
}

/** @param fallback the embedded document, in force for every tenant without a pointer. */
export function policySource(
  kv: KvPort,
  fallback: { readonly document: unknown; readonly digest: string },
): PolicySource {
  const pointers = boundedCache<{ readonly digest: string | null; readonly until: number; readonly stale: boolean }>({
    maxEntries: 10_000,
  });
  const documents = boundedCache<LoadedPolicy>({ maxEntries: 500, maxWeight: 8_000_000 });
  const size = JSON.stringify(fallback.document).length;
  const embedded: LoadedPolicy = { ...fallback, size, source: "embedded", stale: false };

  async function version(digest: string): Promise<LoadedPolicy | undefined> {
    const known = documents.get(digest);
    if (known) return known;
    const text = await kv.get(`policy:doc:${digest}`);
    // A document that is not the one its name promises is no document: audit records name versions by digest.
    if (text === null || sha256Hex(text) !== digest) return undefined;
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

  return {
    async load(tenant, now) {
      const known = pointers.get(tenant);
      try {
        const fresh = known !== undefined && now < known.until;
        const digest = fresh ? known.digest : readPointer(await kv.get(`policy:current:${tenant}`));
        const policy = await versionOf(digest);
        if (policy === undefined) throw new Error(`policy version \`${digest}\` is not there`);
        if (!fresh) pointers.set(tenant, { digest, until: now + pointerLifetimeMs, stale: false });
        return ok({ ...policy, stale: fresh && known.stale });
      } catch {
        return lastKnown(tenant, known?.digest, now);
      }
    },
  };

  async function lastKnown(tenant: string, digest: string | null | undefined, now: number) {
    if (digest === undefined) return err<PolicyUnavailable>("policy_unavailable");
    const policy = await versionOf(digest).catch(() => undefined);
    if (policy === undefined) return err<PolicyUnavailable>("policy_unavailable");
    pointers.set(tenant, { digest, until: now + retryAfterMs, stale: true });
    return ok({ ...policy, stale: true });
  }
}

/** The digest, or null where the tenant has no policy of its own. Throws on what is no pointer. */
function readPointer(text: string | null): string | null {
  if (text === null) return null;
  const pointer: unknown = JSON.parse(text);
  if (typeof pointer === "object" && pointer !== null && "digest" in pointer && typeof pointer.digest === "string") {
    return pointer.digest;
  }
  throw new Error("not a policy pointer");
}
