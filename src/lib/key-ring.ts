/** Secrets that sign: each has an id, and several overlap while one takes the place of another. Pure. */
import { hmacBytes, lengthPrefixed } from "./digest.ts";
import { err, ok, type Result } from "./result.ts";

export interface KeyRing {
  /** The id of the key that signs. */
  readonly signing: string;
  /** Every key that verifies, the one that signs among them, in the order of the setting. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Reads a setting `id:secret[,id2:secret2…]`. The first signs and all verify, so that a new key can be put in front while
 * the old signatures stay valid. A secret has at least 32 characters and no comma. The error never holds a secret.
 * @param what the name of such a key for a person: `audit key`.
 */
export function parseKeyRing(setting: string, what: string): Result<KeyRing, string> {
  const secrets = new Map<string, string>();
  for (const [index, entry] of setting.split(",").entries()) {
    const match = /^([A-Za-z0-9_-]{1,32}):(.*)$/s.exec(entry.trim());
    if (!match?.[1] || match[2] === undefined) {
      return err(`${what} ${index + 1} is not of the form \`id:secret\` (id: 1 to 32 letters, digits, - and _)`);
    }
    const [, id, secret] = match;
    if (secret.length < 32) return err(`the secret of ${what} \`${id}\` is shorter than 32 characters`);
    if (secrets.has(id)) return err(`${what} \`${id}\` is given twice`);
    secrets.set(id, secret);
  }
  const [signing] = secrets.keys();
  return signing === undefined ? err(`no ${what} is given`) : ok({ signing, secrets });
}

/**
 * A key of 32 bytes for one purpose: its signatures verify for no other, and its holder can derive neither the secret nor
 * the key of another purpose.
 */
export function deriveKey(secret: string, ...purpose: readonly string[]): Uint8Array {
  return hmacBytes(secret, `toolgate:${lengthPrefixed(...purpose)}`);
}
