/**
 * API keys in KV, by the hash of their token: `key:<sha256 hex>` → ApiKey. A reader of the store cannot use a key: a token has 256
 * random bits, so a plain hash is enough, and a look-up by hash leaks nothing by its timing. An isolate remembers a key for 60 s and
 * an unknown token for 10 s: the end of a key is in effect everywhere within two minutes.
 */
import { boundedCache, CACHE_BYTES } from "../lib/bounded-cache.ts";
import { sha256Hex } from "../lib/digest.ts";
import { newId } from "../lib/ids.ts";
import { type ApiKey, apiKey } from "../ports/api-key.ts";
import type { KvPort } from "../ports/kv-port.ts";

const knownForMs = 60_000;
const unknownForMs = 10_000;
/** The size of a key beside its texts. */
const KEY_BYTES = 300;

type KeyLookUp =
  | { readonly status: "active"; readonly key: ApiKey }
  | { readonly status: "expired" }
  | { readonly status: "unknown" }
  /** Not looked up: the network has sent too many unknown tokens. */
  | { readonly status: "throttled" }
  /** The store failed: neither known nor unknown. */
  | { readonly status: "unavailable" };

/** @param network of the request; "" if that is not known. */
export type LookUpKey = (token: string, now: number, network?: string) => Promise<KeyLookUp>;

/** Unknown tokens that an isolate looks up in a minute, per network and in all: each is a read that is paid for. */
const MAX_UNKNOWN = 100;
const MAX_UNKNOWN_OF_ALL = 3_000;
const WINDOW_MS = 60_000;

interface UnknownReads {
  readonly since: number;
  reads: number;
}

interface UnknownKeyThrottle {
  /** @returns false if no more is looked up for this network, or for any. */
  begin(network: string, now: number): boolean;
  /** The token was known. */
  known(network: string): void;
}

function unknownKeyThrottle(): UnknownKeyThrottle {
  const windows = boundedCache<UnknownReads>({ maxBytes: CACHE_BYTES.unknownNetworks });
  let all: UnknownReads = { since: 0, reads: 0 };
  const current = (last: UnknownReads | undefined, now: number): UnknownReads =>
    last && now - last.since < WINDOW_MS ? last : { since: now, reads: 0 };
  return {
    begin(network, now) {
      all = current(all, now);
      const last = network === "" ? all : windows.get(network);
      const window = current(last, now);
      if (window !== last) windows.set(network, window, 50);
      if (all.reads >= MAX_UNKNOWN_OF_ALL || (window !== all && window.reads >= MAX_UNKNOWN)) return false;
      for (const counted of new Set([all, window])) counted.reads += 1;
      return true;
    },
    known(network) {
      for (const window of [all, windows.get(network)]) if (window && window.reads > 0) window.reads -= 1;
    },
  };
}

/** Makes a key and returns its token, which cannot be read later. Throws if KV fails. */
export async function createKey(
  kv: KvPort,
  owner: Omit<ApiKey, "id" | "createdAt">,
  now: number,
): Promise<{ readonly token: string; readonly key: ApiKey }> {
  const key = apiKey().parse({ ...owner, id: newId("key", now), createdAt: now });
  const token = newToken();
  await kv.put(storageKey(sha256Hex(token)), JSON.stringify(key));
  return { token, key };
}

/** 256 random bits. */
export const newToken = (): string => `tg_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;

/** @param hash the SHA-256 of the token, as hex. */
export const storageKey = (hash: string): string => `key:${hash}`;

/** Looks keys up with a cache of its own. Tokens of another form are unknown without a look at the store. */
export function keyLookUp(kv: KvPort): LookUpKey {
  const known = boundedCache<{ readonly key: ApiKey; readonly until: number }>({ maxBytes: CACHE_BYTES.keys });
  // Separate from the known ones, which a flood of made-up tokens must not push out.
  const unknown = boundedCache<number>({ maxBytes: CACHE_BYTES.unknownKeys });
  const throttle = unknownKeyThrottle();

  return async (token, now, network = "") => {
    if (!/^tg_[A-Za-z0-9_-]{43}$/.test(token)) return { status: "unknown" };
    const name = storageKey(sha256Hex(token));
    const cached = known.get(name);
    if (cached && now < cached.until) return unexpired(cached.key, now);
    if (now < (unknown.get(name) ?? 0)) return { status: "unknown" };
    // Before the read, so that tokens sent at once do not all pass. A token that was a key recently is not throttled.
    if (!cached && !throttle.begin(network, now)) return { status: "throttled" };
    let text: string | null;
    try {
      text = await kv.get(name);
    } catch {
      return { status: "unavailable" };
    }
    const key = text === null ? undefined : readKey(text);
    if (key === undefined) {
      known.delete(name);
      unknown.set(name, now + unknownForMs, 0);
      return { status: "unknown" };
    }
    unknown.delete(name);
    if (!cached) throttle.known(network);
    known.set(name, { key, until: now + knownForMs }, KEY_BYTES + 5 * (text?.length ?? 0));
    return unexpired(key, now);
  };
}

const unexpired = (key: ApiKey, now: number): KeyLookUp =>
  key.expiresAt !== undefined && now >= key.expiresAt ? { status: "expired" } : { status: "active", key };

/** A value that is no key authenticates nothing. */
function readKey(text: string): ApiKey | undefined {
  try {
    return apiKey().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
