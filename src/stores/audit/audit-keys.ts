/** The keys that seal audit records. Pure: the terminal program reads the same setting. */
import { hmacHex } from "../../lib/digest.ts";
import { type KeyRing, parseKeyRing } from "../../lib/key-ring.ts";
import type { Result } from "../../lib/result.ts";

export type AuditKeys = KeyRing;

/** Reads the setting AUDIT_KEY. */
export const parseAuditKeys = (setting: string): Result<AuditKeys, string> => parseKeyRing(setting, "audit key");

/** A digest that only who holds the signing key can try values against. */
export function keyedDigest({ signing, secrets }: AuditKeys, digest: string): string {
  return hmacHex(secrets.get(signing) ?? "", `arguments:${digest}`);
}
