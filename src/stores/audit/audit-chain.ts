/**
 * The audit records of one user as a chain by keyed hash: an attacker who can write to the database but holds no key can neither
 * alter, remove, add nor reorder a record unseen. Such a chain alone cannot show that its end was cut off, so its head is kept
 * elsewhere (in the user's object). Pure, and synchronous: a record is sealed in the transaction of its decision.
 */
import { hmacHex, lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type {
  AuditRecord,
  ChainLink,
  Checkpoint,
  ErasedRecord,
  SealedRecord,
  SignedCheckpoint,
} from "../../ports/audit-record.ts";
import type { Owner } from "../../session/principal.ts";
import type { AuditKeys } from "./audit-keys.ts";

/** The owner of the chain, and what is known of it from outside the records. */
interface ChainBounds extends Owner {
  /** The checkpoint that retention left: the records up to and including it are gone. */
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
        /** A record at a `seq` that the chain does not have: before its first, or among those that retention removed. */
        | "below_checkpoint"
        /** The record's index rows differ from the record. */
        | "misindexed";
    };

/** The `previous` of a chain's first record; it names the user, so that no chain passes for another's. */
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
    // Also a duplicate record, or one out of order.
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
export function isSealed(keys: AuditKeys, { tenant, user }: Owner, sealed: SealedRecord): boolean {
  const { record, keyId, hash } = sealed;
  const secret = keys.secrets.get(keyId);
  if (secret === undefined || record.tenant !== tenant || record.user !== user) return false;
  return record.kind === "erased" ? record.seal === sealOf(secret, sealed, record) : hash === hashOf(secret, sealed);
}

/**
 * The remainder of a record when its user is erased: its place in the chain, sealed anew by the same key. The hash was made with that
 * key; the first `previous` of a chain was not, and would confirm a guessed user name.
 * @param erasure names the user from now on.
 */
export function eraseSealed(keys: AuditKeys, sealed: SealedRecord, erasure: string): SealedRecord<ErasedRecord> {
  const { seq, hash, keyId, record } = sealed;
  const { kind: was, id, tenant, user, at } = record;
  const previous = seq === 1 ? genesis(tenant, erasure) : sealed.previous;
  const left = { kind: "erased", id, tenant, user: erasure, at, was } as const;
  const secret = isSealed(keys, { tenant, user }, sealed) ? keys.secrets.get(keyId) : undefined;
  const seal = secret === undefined ? "" : sealOf(secret, { seq, previous, hash, keyId }, left);
  return { seq, previous, hash, keyId, record: { ...left, seal } };
}

function sealOf(
  secret: string,
  { seq, previous, hash, keyId }: Omit<SealedRecord, "record">,
  { id, tenant, user, at, was }: Omit<ErasedRecord, "seal">,
): string {
  const place = [String(seq), previous, hash, keyId];
  return hmacHex(secret, lengthPrefixed("toolgate erased record 1", ...place, id, tenant, user, String(at), was));
}

/** A chain signed by a key in an attacker's hands verifies alone; but it does not end in the head. */
const contradicts = (head: ChainLink | undefined, link: ChainLink): boolean =>
  head?.seq === link.seq && head.hash !== link.hash;

function hashOf(secret: string, { seq, previous, keyId, record }: Omit<SealedRecord, "hash">): string {
  return hmacHex(secret, lengthPrefixed(String(seq), previous, keyId, canonicalJson(record)));
}

/** A removed record; only its place is needed. */
interface RemovableLink extends ChainLink {
  readonly previous: string;
  /** Undefined if the record is not as it was sealed: then its time may be anything. */
  readonly at: number | undefined;
}

export function removableLink(keys: AuditKeys, owner: Owner, sealed: SealedRecord): RemovableLink {
  const { seq, previous, hash, record } = sealed;
  return { seq, previous, hash, at: isSealed(keys, owner, sealed) ? record.at : undefined };
}

/** Later ones are not listed. */
const MAX_GAPS = 50;

export function signCheckpoint(keys: AuditKeys, checkpoint: Checkpoint): SignedCheckpoint {
  const secret = keys.secrets.get(keys.signing);
  if (secret === undefined) throw new Error(`the audit key \`${keys.signing}\` that signs has no secret`);
  return { ...checkpoint, keyId: keys.signing, signature: signatureOf(secret, checkpoint, keys.signing) };
}

/** Whether a known key signed it for this user. */
export function isSigned(keys: AuditKeys, checkpoint: SignedCheckpoint): boolean {
  const secret = keys.secrets.get(checkpoint.keyId);
  return secret !== undefined && checkpoint.signature === signatureOf(secret, checkpoint, checkpoint.keyId);
}

/**
 * The checkpoint after the longest beginning of `links` that is older than `before`; undefined if there is none. A young record keeps
 * all later ones, older ones too: only a beginning is ever removed. An altered record is removed with a later one that is intact, and
 * leaves a gap: otherwise an attacker who can write to the database could have any record removed, by its age.
 * @param links ascending by `seq`, from the one after `last`.
 */
export function nextCheckpoint(
  last: ChainLink,
  links: readonly RemovableLink[],
  before: number,
): (ChainLink & Pick<Checkpoint, "gaps">) | undefined {
  const gaps: [number, number][] = [];
  let [seen, reached, known] = [last, last, 0];
  for (const link of links) {
    if (link.at !== undefined && link.at >= before) break;
    const follows = link.seq <= seen.seq + 1;
    if (!follows) gaps.push([seen.seq + 1, link.seq - 1]);
    if (link.at === undefined || (follows && link.previous !== seen.hash)) gaps.push([link.seq, link.seq]);
    seen = { seq: link.seq, hash: link.hash };
    if (link.at !== undefined) [reached, known] = [seen, gaps.length];
  }
  return reached === last ? undefined : { ...reached, gaps: gaps.slice(0, known) };
}

/** The gaps of two checkpoints, as far as there is room: the first ones are kept. */
export const joinGaps = (before: Checkpoint["gaps"], after: Checkpoint["gaps"]): Checkpoint["gaps"] =>
  [...before, ...after].slice(0, MAX_GAPS);

function signatureOf(secret: string, { tenant, user, seq, hash, gaps, at }: Checkpoint, keyId: string): string {
  const position = [String(seq), hash, JSON.stringify(gaps), String(at)];
  return hmacHex(secret, lengthPrefixed("toolgate audit checkpoint 1", tenant, user, ...position, keyId));
}
