/** Model providers by name, each with its key: `UPSTREAM_PROVIDERS`, `UPSTREAM_<NAME>_API_KEY`, and the models' routes: `UPSTREAM_ROUTES`. Pure. */
import * as z from "zod";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { readJsonSetting, urlProblem } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";
import { type ProviderKind, type UpstreamTarget, WORKERS_AI_URL } from "./upstream-target.ts";

interface ProviderSettings {
  readonly targets: readonly UpstreamTarget[];
  readonly routes: ReadonlyMap<string, readonly string[]>;
}

const KINDS = ["openai", "responses", "anthropic", "google"] as const satisfies readonly ProviderKind[];

/** What a provider's name means if the setting does not say. */
const KNOWN: Readonly<Record<string, { readonly kind: ProviderKind; readonly baseUrl: string }>> = {
  openai: { kind: "openai", baseUrl: "https://api.openai.com/v1" },
  anthropic: { kind: "anthropic", baseUrl: "https://api.anthropic.com/v1" },
  "workers-ai": { kind: "openai", baseUrl: WORKERS_AI_URL },
  google: { kind: "google", baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
};

/** A provider's name begins the names of its models, and is part of a variable's name. */
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const FORM = '`{ "anthropic": {}, "groq": { "baseUrl": "https://api.groq.com/openai/v1" } }`';
const ROUTES_FORM = '`{ "smart": ["anthropic/claude-opus-4-5", "google/gemini-3-pro"] }`';
const MAX_HOPS = 8;
const UNBOUND =
  "needs Workers AI: bind it as `AI` in wrangler.toml, or write its `baseUrl`, " +
  "https://api.cloudflare.com/client/v4/accounts/<account>/ai/v1";

const providers = once(() =>
  z.record(z.string(), z.strictObject({ kind: z.enum(KINDS).optional(), baseUrl: z.string().optional() })),
);
const model = () => z.string().min(1).max(256);
const routes = once(() => z.record(model(), z.array(model()).min(1, "must not be empty").max(MAX_HOPS)));

/** The name of a provider's variable. */
export const providerKeyName = (name: string) => `UPSTREAM_${name.toUpperCase().replaceAll("-", "_")}_API_KEY` as const;

/**
 * Every error at once, each naming its variable; none holds a key.
 * @param bound whether Workers AI is.
 */
export function readProviders(variables: SettingVariables, bound = true): Result<ProviderSettings, readonly string[]> {
  const errors: string[] = [];
  const settingOf = <S extends z.ZodType>(
    name: "UPSTREAM_PROVIDERS" | "UPSTREAM_ROUTES",
    schema: () => S,
    form: string,
  ) => {
    const text = variables[name]?.trim();
    const read = text ? readJsonSetting(name, text, schema(), form) : undefined;
    if (read && !read.ok) errors.push(...read.error);
    return read?.ok ? read.value : undefined;
  };
  const targets: UpstreamTarget[] = [];
  for (const [name, given] of Object.entries(settingOf("UPSTREAM_PROVIDERS", providers, FORM) ?? {})) {
    if (!NAME.test(name)) {
      errors.push(`UPSTREAM_PROVIDERS: \`${name}\` must be 1 to 32 small letters, digits or \`-\`, a letter first`);
      continue;
    }
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    const baseUrl = given.baseUrl?.trim() || known?.baseUrl;
    const problem = baseUrl === undefined ? "is missing: write the provider's base URL" : urlProblem(baseUrl);
    if (problem) errors.push(`UPSTREAM_PROVIDERS: ${name}.baseUrl ${problem}`);
    if (baseUrl === WORKERS_AI_URL && !bound) errors.push(`UPSTREAM_PROVIDERS: ${name} ${UNBOUND}`);
    targets.push({
      baseUrl: (baseUrl ?? "").replace(/\/+$/, ""),
      apiKey: variables[providerKeyName(name)]?.trim() || undefined,
      provider: { name, kind: given.kind ?? known?.kind ?? "openai" },
    });
  }
  const routed = new Map(Object.entries(settingOf("UPSTREAM_ROUTES", routes, ROUTES_FORM) ?? {}));
  return errors.length > 0 ? err(errors) : ok({ targets, routes: routed });
}
