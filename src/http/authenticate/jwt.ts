/**
 * Verifies a JWT: its issuer, the signature and the expiry. The token's contents are believed only after its signature is checked;
 * before, they only choose which keys are tried. Keys come only from the settings' key set: headers that bring one (`jwk`, `jku`,
 * `x5u`, `x5c`) are ignored. Loaded at the first token.
 */
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { IssuerKeys } from "../../auth/issuer-keys.ts";
import { localKeySet } from "../../auth/local-key-set.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { JwtIssuer } from "../../settings/jwt-issuers.ts";
import { type Problem, unavailable } from "../problem.ts";
import type { AuthenticateDeps, LookUpIssuers } from "./identity.ts";
import { invalidToken } from "./jwt-claims.ts";

interface VerifiedToken {
  readonly issuer: JwtIssuer;
  readonly claims: JWTPayload;
}

/** @param now milliseconds since the epoch. */
export async function verifyJwt(
  token: string,
  { access, tenantIssuers, issuerKeys }: Pick<AuthenticateDeps, "access" | "tenantIssuers" | "issuerKeys">,
  now: number,
): Promise<Result<VerifiedToken, Problem>> {
  const issuer = await chooseIssuer(token, access.issuers, tenantIssuers);
  if (!issuer.ok) return issuer;
  const keys = await keysOf(issuer.value, issuerKeys, now);
  if (keys === undefined) return err(keysUnavailable);
  const claims = await verified(token, issuer.value, keys, now);
  if (claims.ok) return bounded(issuer.value, claims.value, now);
  if (!(claims.error instanceof errors.JWKSNoMatchingKey)) return err(jwtProblem(claims.error));
  const renewed = await keysOf(issuer.value, issuerKeys, now, true);
  if (renewed === keys) return err(jwtProblem(claims.error));
  if (renewed === undefined) return err(keysUnavailable);
  const again = await verified(token, issuer.value, renewed, now);
  return again.ok ? bounded(issuer.value, again.value, now) : err(jwtProblem(again.error));
}

/** Refuses claims that are valid for longer than the settings allow, counted from the token's issue or from now. */
function bounded(issuer: JwtIssuer, claims: JWTPayload, now: number): Result<VerifiedToken, Problem> {
  const { exp = 0, iat = Number.POSITIVE_INFINITY } = claims;
  const issuedAt = Math.min(iat * 1000, now + issuer.clockTolerance * 1000);
  if (exp * 1000 - issuedAt <= issuer.maxLifetime) return ok({ issuer, claims });
  return err(invalidToken("token_lifetime", "the token is valid for longer than this gateway accepts"));
}

/** Keys in the settings, imported once per isolate, since the settings are read once, too. */
const inline = new WeakMap<JwtIssuer, JWTVerifyGetKey>();

async function keysOf(
  issuer: JwtIssuer,
  issuerKeys: IssuerKeys,
  now: number,
  unknownKey = false,
): Promise<JWTVerifyGetKey | undefined> {
  const { jwks, keys } = issuer;
  if (!keys) return jwks === undefined ? undefined : issuerKeys.get(jwks, now, unknownKey);
  const known = inline.get(issuer) ?? localKeySet({ keys });
  inline.set(issuer, known);
  return known;
}

/** The settings' entry for the token's issuer and audience, whose algorithms include its own. The gateway's entries come first. */
async function chooseIssuer(
  token: string,
  issuers: readonly JwtIssuer[],
  tenantIssuers: LookUpIssuers | undefined,
): Promise<Result<JwtIssuer, Problem>> {
  let header: ReturnType<typeof decodeProtectedHeader>;
  let payload: JWTPayload;
  try {
    header = decodeProtectedHeader(token);
    payload = decodeJwt(token);
  } catch {
    return err(invalidToken("token_malformed", "the token is no JWT that can be read"));
  }
  if (!isType(header.typ))
    return err(invalidToken("token_type", "the token's `typ` must be absent, `JWT` or `at+jwt`"));
  const audiences: readonly unknown[] = Array.isArray(payload.aud) ? payload.aud : [payload.aud];
  const entryIn = (list: readonly JwtIssuer[]) =>
    list.find(({ issuer, audience }) => issuer === payload.iss && audience.some((one) => audiences.includes(one)));
  const own = entryIn(issuers);
  const more = own || !tenantIssuers ? ok([]) : await tenantIssuers(String(payload.iss), audiences.filter(isText));
  if (!more.ok) return more;
  const entry = own ?? entryIn(more.value);
  if (!entry && ![...issuers, ...more.value].some(({ issuer }) => issuer === payload.iss))
    return err(invalidToken("token_issuer", "the token's issuer is none that this gateway believes"));
  if (!entry) return err(invalidToken("token_audience", "the token is meant for another audience"));
  if (!entry.algorithms.some((algorithm) => algorithm === header.alg)) {
    return err(invalidToken("token_algorithm", "the token is signed with an algorithm that is not accepted"));
  }
  return ok(entry);
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Another type is for another use, such as a logout token or a proof of possession (RFC 8725, section 3.11). */
const isType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === "string" && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

async function verified(
  token: string,
  { issuer, audience, algorithms, clockTolerance }: JwtIssuer,
  keys: JWTVerifyGetKey,
  now: number,
): Promise<Result<JWTPayload, unknown>> {
  const options = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance,
    requiredClaims: ["exp"],
    currentDate: new Date(now),
  };
  try {
    return ok((await jwtVerify(token, keys, options)).payload);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return err(error);
    return withAnyOf(error, token, options);
  }
}

/** A token without a key id, of an issuer with several keys: each may have signed it. */
async function withAnyOf(
  candidates: errors.JWKSMultipleMatchingKeys,
  token: string,
  options: Parameters<typeof jwtVerify>[2],
): Promise<Result<JWTPayload, unknown>> {
  let last: unknown = candidates;
  for await (const key of candidates) {
    try {
      return ok((await jwtVerify(token, key, options)).payload);
    } catch (error) {
      last = error;
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
    }
  }
  return err(last);
}

const keysUnavailable = unavailable(
  "keys_unavailable",
  "the keys of the token's issuer are not available; try again later",
);

/** @param error what `jose` threw. Its own messages are not passed on: they would show a forger how far the forgery came. */
function jwtProblem(error: unknown): Problem {
  if (error instanceof errors.JWTExpired) return invalidToken("token_expired", "the token has expired");
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error.claim, error.reason);
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalidToken("token_signature", "the token's signature is not its issuer's");
  if (error instanceof errors.JWKSNoMatchingKey)
    return invalidToken("token_key_unknown", "the token is signed with a key that its issuer does not have");
  if (error instanceof errors.JOSENotSupported)
    return invalidToken("token_unsupported", "the token demands an extension that is not supported");
  return invalidToken("token_malformed", "the token is no JWT that can be read");
}

function claimProblem(claim: string, reason: string): Problem {
  if (claim === "iss") return invalidToken("token_issuer", "the token's issuer is none that this gateway believes");
  if (claim === "aud") return invalidToken("token_audience", "the token is meant for another audience");
  if (claim === "nbf" && reason === "check_failed")
    return invalidToken("token_not_yet_valid", "the token is not valid yet");
  return invalidToken("token_claims", `the token's claim \`${claim}\` is missing or not of its type`);
}
