/** Encrypts a push message for one browser: RFC 8291 over the content coding `aes128gcm` of RFC 8188. One record. */

export interface PushKeys {
  /** The browser's public key: an uncompressed point of P-256, 65 bytes in base64url. */
  readonly p256dh: string;
  /** The secret that the browser has shared: 16 bytes in base64url. */
  readonly auth: string;
}

/** As Workers' and Node's own types both have it: the settings' reader is a part of both programs. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Random in use; a test gives those of the RFC's own example. */
interface Randomness {
  readonly keys: { readonly publicKey: Key; readonly privateKey: Key };
  readonly salt: Uint8Array<ArrayBuffer>;
}

/** The longest that every push service takes, less what the coding adds. */
const MAX_PUSH_BYTES = 3_000;
const RECORD_SIZE = 4_096;
const LAST_RECORD = 2;
const P256 = { name: "ECDH", namedCurve: "P-256" };

const utf8 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));
export const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64url, "base64url"));

export async function encryptPush(
  payload: string,
  to: PushKeys,
  chance?: Randomness,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = utf8(payload);
  if (text.length > MAX_PUSH_BYTES) throw new Error(`a push message has at most ${MAX_PUSH_BYTES} bytes`);
  const { keys, salt } = chance ?? (await newChance());
  const theirs = bytesOf(to.p256dh);
  const own = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer);
  const shared = await sharedSecret(keys.privateKey, theirs);
  const input = await derive(bytesOf(to.auth), shared, concat(utf8("WebPush: info\0"), theirs, own), 32);
  const key = await derive(salt, input, utf8("Content-Encoding: aes128gcm\0"), 16);
  const iv = await derive(salt, input, utf8("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt"]);
  const padded = concat(text, new Uint8Array([LAST_RECORD]));
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, aes, padded));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_SIZE);
  return concat(salt, size, new Uint8Array([own.length]), own, sealed);
}

async function newChance(): Promise<Randomness> {
  const keys = (await crypto.subtle.generateKey(P256, true, ["deriveBits"])) as Randomness["keys"];
  return { keys, salt: crypto.getRandomValues(new Uint8Array(16)) };
}

async function sharedSecret(own: Key, theirs: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const publicKey = await crypto.subtle.importKey("raw", theirs, P256, false, []);
  // The runtime's types have another name for `public`.
  const algorithm = { name: "ECDH", public: publicKey } as unknown as Parameters<typeof crypto.subtle.deriveBits>[0];
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, own, 256));
}

/** HKDF with SHA-256: extracts from `input` and expands to so many bytes. */
async function derive(
  salt: Uint8Array<ArrayBuffer>,
  input: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", input, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, bytes * 8));
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
