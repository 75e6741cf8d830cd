/**
 * What one compaction added to the archive, signed: its files by their digests, and the last record of every user in them. Each
 * manifest names the one before by its digest. So an attacker who can write to the archive and the index but holds no audit key can
 * neither change a file nor drop one, nor a user, without a trace. Pure.
 */
import { hmacHex, lengthPrefixed, sha256Hex } from "../../lib/digest.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { ChainLink } from "../../ports/audit-record.ts";
import type { AuditKeys } from "../audit/audit-keys.ts";

export interface ManifestFile {
  readonly key: string;
  readonly sha256: string;
  readonly records: number;
  readonly bytes: number;
}

export interface Manifest {
  readonly version: 1;
  /** 1 for the archive's first compaction, without gaps. */
  readonly number: number;
  /** When, in milliseconds since the epoch. */
  readonly at: number;
  /** Digest of the text of the manifest before; null in the first. */
  readonly previous: string | null;
  readonly files: readonly ManifestFile[];
  /** The last record of every user with records in these files. */
  readonly heads: readonly ManifestHead[];
  /** Digest of the text before a person was erased from its files: the next manifest names that one. Absent: no erasure. */
  readonly replaces?: string;
}

export type ManifestHead = readonly [tenant: string, user: string, seq: number, hash: string];

interface SignedManifest extends Manifest {
  readonly keyId: string;
  readonly signature: string;
}

export function signManifest({ signing, secrets }: AuditKeys, manifest: Manifest): string {
  const secret = secrets.get(signing);
  if (secret === undefined) throw new Error(`the audit key \`${signing}\` that signs has no secret`);
  const signed: SignedManifest = { ...manifest, keyId: signing, signature: signatureOf(secret, manifest, signing) };
  return canonicalJson(signed);
}

/** Undefined if no known key signed it as it is. */
export function readManifest({ secrets }: AuditKeys, text: string): Manifest | undefined {
  try {
    const { keyId, signature, ...manifest } = JSON.parse(text) as SignedManifest;
    const secret = secrets.get(keyId);
    const isSigned = secret !== undefined && signature === signatureOf(secret, manifest, keyId);
    return isSigned && manifest.version === 1 ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The digest that the next manifest names. */
export const digestOf = ({ replaces }: Manifest, text: string): string => replaces ?? sha256Hex(text);

/** The last link of each user, by `[tenant, user]` as JSON. */
export function headsOf(
  records: Iterable<ChainLink & { readonly record: { readonly tenant: string; readonly user: string } }>,
  heads: Map<string, ChainLink> = new Map(),
): Map<string, ChainLink> {
  for (const { seq, hash, record } of records) {
    const owner = JSON.stringify([record.tenant, record.user]);
    if ((heads.get(owner)?.seq ?? 0) < seq) heads.set(owner, { seq, hash });
  }
  return heads;
}

/** As a manifest has them. */
export const headList = (heads: ReadonlyMap<string, ChainLink>): readonly ManifestHead[] =>
  [...heads].map(([owner, { seq, hash }]) => {
    const [tenant = "", user = ""] = JSON.parse(owner) as string[];
    return [tenant, user, seq, hash];
  });

const signatureOf = (secret: string, manifest: Manifest, keyId: string): string =>
  hmacHex(secret, lengthPrefixed("toolgate archive manifest 1", canonicalJson(manifest), keyId));
