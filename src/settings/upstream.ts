/** The settings of the upstreams: their addresses, time limits and retries. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import { HOUR_MS, parseDuration } from "../lib/time.ts";
import { urlProblem } from "./json-setting.ts";
import { readProviders } from "./providers.ts";
import { type SettingVariables, UPSTREAM_PREFIXES } from "./settings-table.ts";
import { DEFAULT_LIMITS, type TimeLimits, type UpstreamTarget } from "./upstream-target.ts";

interface UpstreamSettings {
  /** The numbered ones in the order in which they are tried, then the providers. */
  readonly targets: readonly UpstreamTarget[];
  readonly routes: ReadonlyMap<string, readonly string[]>;
  readonly limits: TimeLimits;
  readonly retries: number;
}

const DEFAULT_RETRIES = 2;
const MAX_RETRIES = 5;
const MAX_LIMIT_MS = HOUR_MS;

/** Used if the settings are wrong: then the gateway serves nothing. */
export const NO_UPSTREAMS: UpstreamSettings = { targets: [], routes: new Map(), limits: DEFAULT_LIMITS, retries: 0 };

/**
 * Every error at once, each naming its variable.
 * @param bound whether Workers AI is.
 */
export function readUpstreams(variables: SettingVariables, bound = true): Result<UpstreamSettings, readonly string[]> {
  const errors: string[] = [];
  const targets: UpstreamTarget[] = [];
  let missing: string | undefined;
  for (const prefix of UPSTREAM_PREFIXES) {
    const name = `${prefix}BASE_URL` as const;
    const baseUrl = variables[name]?.trim();
    const apiKey = variables[`${prefix}API_KEY`]?.trim() || undefined;
    const model = variables[`${prefix}MODEL`]?.trim() || undefined;
    if (!baseUrl) {
      if (prefix !== "UPSTREAM_" && (apiKey ?? model) !== undefined)
        errors.push(`${name} is not set, but ${prefix}${apiKey ? "API_KEY" : "MODEL"} is: set both or none`);
      missing ??= name;
      continue;
    }
    if (missing) errors.push(`${missing} is not set, but ${name} is: number the upstreams without a gap`);
    const problem = urlProblem(baseUrl);
    if (problem) errors.push(`${name} ${problem}`);
    targets.push({ baseUrl: baseUrl.replace(/\/+$/, ""), apiKey, model });
  }
  const providers = readProviders(variables, bound);
  if (!providers.ok) errors.push(...providers.error);
  else targets.push(...providers.value.targets);
  if (targets.length === 0)
    errors.push("UPSTREAM_BASE_URL is not set: write the model provider's base URL, such as https://api.openai.com/v1");
  const limit = (name: keyof SettingVariables, fallback: number): number => {
    const text = variables[name]?.trim();
    if (!text) return fallback;
    const ms = parseDuration(text);
    if (ms !== undefined && ms > 0 && ms <= MAX_LIMIT_MS) return ms;
    errors.push(`${name} is \`${text}\`: write a duration of at most an hour, such as \`30s\` or \`5m\``);
    return fallback;
  };
  const limits: TimeLimits = {
    connectMs: limit("UPSTREAM_CONNECT_TIMEOUT", DEFAULT_LIMITS.connectMs),
    firstByteMs: limit("UPSTREAM_FIRST_BYTE_TIMEOUT", DEFAULT_LIMITS.firstByteMs),
    idleMs: limit("UPSTREAM_IDLE_TIMEOUT", DEFAULT_LIMITS.idleMs),
  };
  const setting = variables.UPSTREAM_RETRIES?.trim() || String(DEFAULT_RETRIES);
  if (!/^\d$/.test(setting) || Number(setting) > MAX_RETRIES) {
    errors.push(`UPSTREAM_RETRIES is \`${setting}\`: write a whole number from 0 to ${MAX_RETRIES}`);
  }
  const routes = providers.ok ? providers.value.routes : NO_UPSTREAMS.routes;
  return errors.length > 0 ? err(errors) : ok({ targets, routes, limits, retries: Number(setting) });
}
