/**
 * Encrypts texts that are stored where third parties can read, and binds them to a purpose (AES-256-GCM). Each names its key, so
 * that keys can be rotated.
 */
import { Buffer } from "node:buffer";
import { deriveKey, type KeyRing } from "./key-ring.ts";

const VERSION = "s1";
const NONCE_BYTES = 12;

/** @param aad the purpose and the owner: the text can be opened for no other. */
export async function seal({ signing, secrets }: KeyRing, aad: string, text: string): Promise<string> {
  const key = await keyOf(secrets.get(signing) ?? "", "encrypt");
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(algorithm(nonce, aad), key, new TextEncoder().encode(text));
  return [VERSION, signing, encode(nonce), encode(new Uint8Array(sealed))].join(".");
}

/** @returns undefined unless a known key sealed it for the same `aad`, and it was not altered. */
export async function unseal({ secrets }: KeyRing, aad: string, sealed: string): Promise<string | undefined> {
  const [version, id = "", nonce = "", text = "", ...more] = sealed.split(".");
  const secret = secrets.get(id);
  if (version !== VERSION || secret === undefined || more.length > 0) return undefined;
  try {
    const key = await keyOf(secret, "decrypt");
    const opened = await crypto.subtle.decrypt(algorithm(decode(nonce), aad), key, decode(text));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(opened);
  } catch {
    return undefined;
  }
}

const keyOf = (secret: string, use: "encrypt" | "decrypt"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", new Uint8Array(deriveKey(secret, "seal", VERSION)), "AES-GCM", false, [use]);

const algorithm = (nonce: Uint8Array<ArrayBuffer>, aad: string) => ({
  name: "AES-GCM",
  iv: nonce,
  additionalData: new TextEncoder().encode(aad),
});

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

const decode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));
