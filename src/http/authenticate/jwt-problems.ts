/** What is wrong with a token, as a 401 whose code clients may rely on. Pure. */
import { errors } from "jose";
import type { Problem } from "../problem.ts";
import { invalidToken } from "./invalid-token.ts";

/** @param error what `jose` threw. Its own messages are not passed on: they would tell a forger how far the forgery came. */
export function jwtProblem(error: unknown): Problem {
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
