/** Identifies the gateway to push services: VAPID, RFC 8292. */
import { importJWK, SignJWT } from "jose";
import { bytesOf } from "./encrypt-push.ts";

export interface VapidKeys {
  /** An uncompressed point of P-256, 65 bytes in base64url: browsers subscribe for it. */
  readonly publicKey: string;
  /** 32 bytes in base64url. */
  readonly privateKey: string;
  /** `mailto:` or `https:`: the contact for a push service. */
  readonly subject: string;
}

/** Push services accept at most a day. */
const LASTS_SECONDS = 12 * 3600;

/** The header `authorization`. @param now milliseconds since the epoch. */
export async function vapidAuthorization(keys: VapidKeys, endpoint: string, now: number): Promise<string> {
  const point = bytesOf(keys.publicKey);
  const [x, y] = [point.slice(1, 33), point.slice(33)].map((half) => Buffer.from(half).toString("base64url"));
  const key = await importJWK({ kty: "EC", crv: "P-256", x, y, d: keys.privateKey }, "ES256");
  const token = await new SignJWT({ sub: keys.subject })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now / 1000) + LASTS_SECONDS)
    .sign(key);
  return `vapid t=${token}, k=${keys.publicKey}`;
}
