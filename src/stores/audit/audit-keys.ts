/** The keys that seal audit records. Pure: the terminal program reads the same setting. */
import { hmacBytes, hmacHex } from "../../lib/digest.ts";
import { deriveKey, type KeyRing, parseKeyRing } from "../../lib/key-ring.ts";
import type { Result } from "../../lib/result.ts";

export type AuditKeys = KeyRing;

/** Reads the setting AUDIT_KEY. */
export const parseAuditKeys = (setting: string): Result<AuditKeys, string> => parseKeyRing(setting, "audit key");

/** A keyed digest: only the holder of the signing key can test values against it. */
export function keyedDigest({ signing, secrets }: AuditKeys, digest: string): string {
  return hmacHex(secrets.get(signing) ?? "", `arguments:${digest}`);
}

/** Half the time of a tag is its key's. */
const tagKeys = new WeakMap<AuditKeys, Uint8Array>();

/** 16 letters and digits (77 bits) that only the holder of the signing key can compute. They change with it. */
export function secretTag(keys: AuditKeys, name: string): string {
  const key = tagKeys.get(keys) ?? deriveKey(keys.secrets.get(keys.signing) ?? "", "tag");
  tagKeys.set(keys, key);
  const bytes = hmacBytes(key, name);
  return [...bytes.subarray(0, 16)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

const LETTERS = "bcdfghjkmnpqrstvwxz23456789";
