/**
 * Policy documents in KV, which every isolate reads; `policy-pointer.ts` has the keys, `policy-source.ts` reads them. A
 * tenant's ledger decides what is written there, and in which order: the version before the pointer to it.
 */

import { sha256Hex } from "../../lib/digest.ts";
import type { Result } from "../../lib/result.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import { documentKey, type PolicyPointer, pointerKey, writePointer } from "./policy-pointer.ts";

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
  /** After a write: this isolate serves the new version at once. @param text the document's; null for the embedded one. */
  noteWritten(tenant: string, pointer: PolicyPointer, text: string | null, now: number): void;
  /** Whether KV failed when it was last read. No I/O. */
  degraded(): boolean;
}

/** The digest that names a version. The order of members counts: it is that of intents and groups in offers and texts. */
export const policyDigest = (document: unknown): string => sha256Hex(JSON.stringify(document));

/**
 * Puts a valid document into force, past the tenant's ledger, which adopts it with its next call.
 * Answers its digest. Throws where KV fails.
 */
export async function putPolicy(kv: KvPort, tenant: string, document: unknown, now: number): Promise<string> {
  const text = JSON.stringify(document);
  const digest = sha256Hex(text);
  await kv.put(documentKey(digest), text);
  await kv.put(pointerKey(tenant), writePointer({ digest, at: now }));
  return digest;
}
