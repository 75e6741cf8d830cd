/**
 * What retention leaves of a chain's beginning: the place of the last record that it removed, signed with the audit key.
 * Who can write to the database can put an older checkpoint back, which shows as missing records; they cannot make one. Pure.
 */
import { hmacHex, lengthPrefixed } from "../../lib/digest.ts";
import type { ChainLink } from "./audit-chain.ts";
import type { AuditKeys } from "./audit-keys.ts";

export interface Checkpoint extends ChainLink {
  readonly tenant: string;
  readonly user: string;
  /** First and last `seq` of what was wrong already when it was removed. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** When, in milliseconds since the epoch. */
  readonly at: number;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly keyId: string;
  readonly signature: string;
}

/** One that was removed; of the record itself only its place is needed. */
export interface RemovableLink extends ChainLink {
  readonly previous: string;
  /** Undefined where the record is not as it was sealed: then its time may be anything. */
  readonly at: number | undefined;
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
 * The checkpoint after the longest beginning of `links` that is older than `before`; undefined where there is none. A young
 * record keeps all behind it, older ones too: what is removed is always a beginning. An altered record goes with a later one
 * that is intact, and leaves a gap: else who can write to the database could have what they like removed, by its age.
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
  const text = lengthPrefixed(
    "toolgate audit checkpoint 1",
    tenant,
    user,
    String(seq),
    hash,
    JSON.stringify(gaps),
    String(at),
    keyId,
  );
  return hmacHex(secret, text);
}
