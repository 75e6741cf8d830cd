/** From a key of one person to its principal. Pure. */

import type { ApiKey } from "../../auth/kv-keys.ts";
import { lengthPrefixed } from "../../lib/digest.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { RateLimit } from "../../settings/json-setting.ts";
import type { Problem } from "../problem.ts";
import type { Identity, Metered } from "./identity.ts";
import { claimsAnother } from "./own-headers.ts";

export function ownKeyIdentity(
  key: ApiKey,
  headers: Headers,
  byDefault: RateLimit | undefined,
): Result<Identity, Problem> {
  const { tenant, user, role, connections, id: keyId } = key;
  const authenticated = key.anonymous !== true;
  const operator = key.operator === true && role === "admin" && authenticated;
  const principal = { tenant, user, role, connections, authenticated, keyId, operator };
  const problem = claimsAnother(headers, principal);
  return problem ? err(problem) : ok({ kind: "known", principal, metered: keyMeter(key, byDefault) });
}

/** Undefined for a key without a limit: it pays nothing. */
export function keyMeter({ tenant, id, rateLimit }: ApiKey, byDefault: RateLimit | undefined): Metered | undefined {
  const limit = rateLimit === undefined ? byDefault : rateLimit;
  return limit ? { meter: lengthPrefixed("key", tenant, id), limit } : undefined;
}
