/** Access to the gateway, and how often: `JWT_ISSUERS`, `KEY_RATE_LIMIT`, `CLIENT_UPSTREAM_KEYS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import { parseRateLimit, type RateLimit } from "./json-setting.ts";
import { type JwtIssuer, readJwtIssuers } from "./jwt-issuers.ts";
import type { SettingVariables } from "./settings-table.ts";

export interface AccessSettings {
  readonly issuers: readonly JwtIssuer[];
  /** For every key, and every user of a JWT, that has no limit of its own. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether clients may bring their own key for the upstream. */
  readonly clientUpstreamKeys: boolean;
}

export const NO_ACCESS: AccessSettings = { issuers: [], rateLimit: undefined, clientUpstreamKeys: false };

export function readAccess(variables: SettingVariables): Result<AccessSettings, readonly string[]> {
  const issuers = readJwtIssuers(variables);
  const problems = issuers.ok ? [] : [...issuers.error];
  const { KEY_RATE_LIMIT: limit, CLIENT_UPSTREAM_KEYS: own } = variables;
  const rateLimit = limit ? parseRateLimit(limit) : undefined;
  if (limit && rateLimit === undefined)
    problems.push("KEY_RATE_LIMIT: write requests per window, such as `600/1m` (the window from `1s` to `31d`)");
  if (own && own !== "0" && own !== "1") problems.push("CLIENT_UPSTREAM_KEYS: write `1`, or leave it out");
  if (!issuers.ok || problems.length > 0) return err(problems);
  return ok({ issuers: issuers.value, rateLimit, clientUpstreamKeys: own === "1" });
}
