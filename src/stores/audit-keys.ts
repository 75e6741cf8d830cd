/** The keys that seal audit records. Pure. */
import { hmacHex } from "../lib/digest.ts";
import { err, ok, type Result } from "../lib/result.ts";

export interface AuditKeys {
  /** The id of the key that signs. */
  readonly signing: string;
  /** Every key that verifies, the one that signs among them. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Reads the setting `id:secret[,id2:secret2…]`: the first signs, all verify, so that a new key can be put in front while
 * records of the old one are kept. A secret has at least 32 characters and no comma. The error never holds a secret.
 */
export function parseAuditKeys(setting: string): Result<AuditKeys, string> {
  const secrets = new Map<string, string>();
  for (const [index, entry] of setting.split(",").entries()) {
    const match = /^([A-Za-z0-9_-]{1,32}):(.*)$/s.exec(entry.trim());
    if (!match?.[1] || match[2] === undefined) {
      return err(`audit key ${index + 1} is not of the form \`id:secret\` (id: 1 to 32 letters, digits, - and _)`);
    }
    const [, id, secret] = match;
    if (secret.length < 32) return err(`the secret of audit key \`${id}\` is shorter than 32 characters`);
    if (secrets.has(id)) return err(`audit key \`${id}\` is given twice`);
    secrets.set(id, secret);
  }
  const [signing] = secrets.keys();
  return signing === undefined ? err("no audit key is given") : ok({ signing, secrets });
}

/** A digest that only who holds the signing key can try values against. */
export function keyedDigest({ signing, secrets }: AuditKeys, digest: string): string {
  return hmacHex(secrets.get(signing) ?? "", `arguments:${digest}`);
}
