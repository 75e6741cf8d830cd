/**
 * The audit records of one user as a chain by keyed hash: who can write to the database but holds no key can neither
 * alter, remove, add nor reorder a record unseen. What such a chain cannot show by itself is that its end was cut off, so its
 * head is kept elsewhere (in the user's object). Pure, and synchronous: a record is sealed in the transaction of its decision.
 */

import { hmacHex, lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { AuditRecord, SealedRecord } from "../../ports/audit-record.ts";
import type { AuditKeys } from "./audit-keys.ts";

/** A place in a chain: the record at `seq`, known by its hash. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

/** Whose chain it is, and what is known of it from where records are not kept. */
export interface ChainBounds {
  readonly tenant: string;
  readonly user: string;
  /** The checkpoint that retention left: the records up to and with it are gone. */
  readonly from?: ChainLink;
  /** The last record sealed. Records after it are no fault: they may have been sealed since it was read. */
  readonly head?: ChainLink;
}

export type ChainVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** The first `seq` that is not as it was sealed. */
      readonly at: number;
      readonly problem:
        | "altered"
        | "missing"
        | "truncated"
        | "unknown_key"
        | "beyond_head"
        /** A record stands where the chain has none: before its first, or among those that retention removed. */
        | "below_checkpoint"
        /** The record's index rows differ from the record. */
        | "misindexed";
    };

/** What the first record of a chain has as `previous`; it names the user, so that no chain passes for another's. */
export function genesis(tenant: string, user: string): string {
  return sha256Hex(lengthPrefixed("toolgate audit chain 1", tenant, user));
}

/** Seals a record after the one whose hash is `previous`. Throws on a record that is not JSON. */
export function seal<R extends AuditRecord>(
  keys: AuditKeys,
  { seq, previous }: { readonly seq: number; readonly previous: string },
  record: R,
): SealedRecord<R> {
  const secret = keys.secrets.get(keys.signing);
  if (secret === undefined) throw new Error(`the audit key \`${keys.signing}\` that signs has no secret`);
  const link = { seq, previous, keyId: keys.signing, record };
  return { ...link, hash: hashOf(secret, link) };
}

/** @param records one user's, of every kind, ascending by `seq`, without those up to the checkpoint. */
export function verifyChain(keys: AuditKeys, records: readonly SealedRecord[], bounds: ChainBounds): ChainVerdict {
  const { tenant, user, head } = bounds;
  let last: ChainLink = bounds.from ?? { seq: 0, hash: genesis(tenant, user) };
  for (const sealed of records) {
    const seq = last.seq + 1;
    if (contradicts(head, last)) return { ok: false, at: last.seq, problem: "altered" };
    // A record twice, or out of order, also stands where another should.
    if (sealed.seq !== seq) return { ok: false, at: seq, problem: "missing" };
    if (!keys.secrets.has(sealed.keyId)) return { ok: false, at: seq, problem: "unknown_key" };
    if (sealed.previous !== last.hash || !isSealed(keys, { tenant, user }, sealed)) {
      return { ok: false, at: seq, problem: "altered" };
    }
    last = sealed;
  }
  if (head && head.seq > last.seq) return { ok: false, at: last.seq + 1, problem: "truncated" };
  return contradicts(head, last) ? { ok: false, at: last.seq, problem: "altered" } : { ok: true };
}

/** Whether a record is this user's, as a known key sealed it. Its position in the chain is not checked. */
export function isSealed(
  keys: AuditKeys,
  { tenant, user }: { readonly tenant: string; readonly user: string },
  sealed: SealedRecord,
): boolean {
  const { record, keyId, hash } = sealed;
  const secret = keys.secrets.get(keyId);
  return secret !== undefined && record.tenant === tenant && record.user === user && hash === hashOf(secret, sealed);
}

/** A chain signed by a key in an attacker's hands verifies in itself; it still does not end in the head. */
const contradicts = (head: ChainLink | undefined, link: ChainLink): boolean =>
  head?.seq === link.seq && head.hash !== link.hash;

function hashOf(secret: string, { seq, previous, keyId, record }: Omit<SealedRecord, "hash">): string {
  return hmacHex(secret, lengthPrefixed(String(seq), previous, keyId, canonicalJson(record)));
}
