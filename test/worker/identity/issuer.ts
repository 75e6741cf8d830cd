/** An issuer of JWTs: its keys, what it signs, and the key set that it serves, which tests may take down or change. */
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

export const AUDIENCE = "toolgate";

export interface Issuer {
  readonly url: string;
  readonly jwks: string;
  /** Requests for the key set. */
  asked: number;
  down: boolean;
  /** Answers requests to the issuer. */
  serve(request: Request): Response;
  /** A token signed with the key in use; `undefined` takes a claim out. */
  token(claims?: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A new key, published in place of the old one. */
  rotate(): Promise<void>;
  publicKey(): Promise<CryptoKey>;
}

export type Claims = Readonly<Record<string, unknown>>;

let made = 0;

export async function issuer(alg = "RS256", url = "https://login.example.com/"): Promise<Issuer> {
  let kid = "";
  let pair = await newPair();
  async function newPair() {
    kid = `key-${++made}`;
    return generateKeyPair(alg, { extractable: true });
  }
  let keys = [await published()];
  async function published() {
    return { ...(await exportJWK(pair.publicKey)), kid, alg, use: "sig" };
  }
  const self: Issuer = {
    url,
    jwks: `${url}jwks.json`,
    asked: 0,
    down: false,
    serve(request) {
      if (request.url !== self.jwks) return new Response("not found", { status: 404 });
      self.asked += 1;
      return self.down ? new Response("down", { status: 503 }) : Response.json({ keys });
    },
    token: (claims = {}, header = {}) => signWith(pair.privateKey, { iss: url, ...claims }, { alg, kid, ...header }),
    async rotate() {
      pair = await newPair();
      keys = [await published()];
    },
    publicKey: async () => pair.publicKey,
  };
  return self;
}

/** A token that is in order but for what is told otherwise. */
export function signWith(key: CryptoKey | Uint8Array, claims: Claims, header: Readonly<Record<string, unknown>>) {
  const now = Math.floor(Date.now() / 1000);
  const whole = { aud: AUDIENCE, sub: "ada", role: "user", iat: now, exp: now + 600, ...claims };
  const given = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  return new SignJWT(given as JWTPayload).setProtectedHeader(header as never).sign(key, { crit: { "urn:x": true } });
}

/** The settings that believe the issuer for a tenant. */
export const believing =
  ({ url, jwks }: Issuer, more: Readonly<Record<string, unknown>> = {}) =>
  (tenant: string) => ({ JWT_ISSUERS: JSON.stringify([{ issuer: url, audience: AUDIENCE, jwks, tenant, ...more }]) });
