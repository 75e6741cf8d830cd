/**
 * The token of a signed link: its holder may answer one approval, as the user of the conversation, until it expires.
 * Pure.
 *
 * Form: the payload's JSON in base64url, a dot, and its HMAC-SHA-256 in base64url. The encoded text is signed, and signatures are
 * compared as texts: another encoding of the same bytes is another token, and is refused.
 */
import { Buffer } from "node:buffer";
import { equalInConstantTime, hmacBytes } from "../lib/digest.ts";
import { deriveKey, type KeyRing } from "../lib/key-ring.ts";

export interface LinkClaims {
  readonly approval: string;
  readonly tenant: string;
  readonly user: string;
  /** Milliseconds since the epoch: when the approval expires. */
  readonly expiresAt: number;
}

/** Names have at most 128 characters each: a longer text is no token, and is refused before any work. */
const MAX_LENGTH = 2048;

export function signLink({ signing, secrets }: KeyRing, claims: LinkClaims): string {
  const { approval: a, tenant: t, user: u, expiresAt: e } = claims;
  const payload = Buffer.from(JSON.stringify({ v: 1, a, t, u, e, k: signing }), "utf8").toString("base64url");
  return `${payload}.${signatureOf(secrets.get(signing) ?? "", payload)}`;
}

/** @returns undefined if it was not signed with one of the keys. The expiry is not checked here. */
export function readLink({ secrets }: KeyRing, token: string): LinkClaims | undefined {
  const [, payload, signature] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  if (token.length > MAX_LENGTH || payload === undefined || signature === undefined) return undefined;
  // The signature is verified first: unsigned text is never parsed.
  const key = [...secrets].find(([, secret]) => equalInConstantTime(signature, signatureOf(secret, payload)))?.[0];
  if (key === undefined) return undefined;
  const { v, a, t, u, e, k } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Payload;
  return v === 1 && k === key ? { approval: a, tenant: t, user: u, expiresAt: e } : undefined;
}

interface Payload {
  readonly v: number;
  readonly a: string;
  readonly t: string;
  readonly u: string;
  readonly e: number;
  readonly k: string;
}

function signatureOf(secret: string, payload: string): string {
  return Buffer.from(hmacBytes(deriveKey(secret, "approval link"), payload)).toString("base64url");
}
