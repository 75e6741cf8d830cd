/**
 * Digests, synchronous: a Durable Object's transaction cannot await one. Pure.
 * Text is hashed as UTF-8, in which every lone surrogate reads the same: hash canonical JSON (which escapes them) or
 * names joined by `lengthPrefixed` (which refuses them), not arbitrary strings.
 */
import { Buffer } from "node:buffer";
import { createHash, createHmac, hash, timingSafeEqual } from "node:crypto";

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash("sha256", text, "hex");
}

/** SHA-256 of names and bytes, as 64 lower-case hex digits. The names are joined so that none runs into the next. */
export function sha256HexOf(names: readonly string[], bytes: Uint8Array): string {
  return createHash("sha256")
    .update(lengthPrefixed(...names), "utf8")
    .update(bytes)
    .digest("hex");
}

/** HMAC-SHA-256 as 64 lower-case hex digits. */
export function hmacHex(key: string, text: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("hex");
}

/** HMAC-SHA-256 as 32 bytes. */
export function hmacBytes(key: string | Uint8Array, text: string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(text, "utf8").digest());
}

/** Whether two texts are equal. The time it takes reveals only their lengths. */
export function equalInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, "utf8"), Buffer.from(other, "utf8")];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Joins parts so that no two lists of parts give the same text, whatever the parts hold (`a:b` + `c` against `a` + `b:c`).
 * Throws on lone surrogates.
 */
export function lengthPrefixed(...parts: readonly string[]): string {
  if (!parts.every((part) => part.isWellFormed())) throw new TypeError("a name holds a lone surrogate");
  return parts.map((part) => `${part.length}:${part}`).join("");
}
