/**
 * Warnings about settings: those that have no effect, that most likely mean something else than their writer thinks, or whose names are
 * misspelt. No line holds a value. Pure.
 */
import { nearestName } from "../lib/text/nearest-name.ts";
import { readConsole } from "./console.ts";
import { readJwtIssuers } from "./jwt-issuers.ts";
import { providerKeyName, readProviders } from "./providers.ts";
import { kindOfSetting, programSettings, settingNames } from "./settings-table.ts";
import { namedSecrets } from "./tool-secrets.ts";

export type SettingValues = Readonly<Record<string, string>>;

/** One line each. Values that a reader of settings refuses are its errors and are not repeated here. */
export const settingWarnings = (values: SettingValues): string[] => [
  ...namelessKeys(values),
  ...withoutTheirSwitch(values),
  ...oddUpstreams(values),
  ...unbelievedSignIn(values),
];

/** Keys whose names another setting must list, and does not. */
function namelessKeys(values: SettingValues): string[] {
  const secrets = namedSecrets(values.TOOL_SECRETS);
  const providers = readProviders(values);
  const keys = providers.ok ? providers.value.targets.map(({ provider }) => providerKeyName(provider?.name ?? "")) : [];
  return Object.keys(values).flatMap((name) => {
    if (name.startsWith("SECRET_") && !secrets.includes(name))
      return [`${name} is not used: TOOL_SECRETS does not name \`${name.slice("SECRET_".length)}\``];
    if (!/^UPSTREAM_[A-Z][A-Z0-9_]*_API_KEY$/.test(name) || !providers.ok || keys.some((key) => key === name))
      return [];
    return [`${name} is not used: UPSTREAM_PROVIDERS has no provider of that name`];
  });
}

/** Settings by the one without which they do nothing. */
const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  VAPID_PUBLIC_KEY: ["PUSH_HOSTS"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME", "OTEL_TRACES_SAMPLER_ARG"],
  METRICS: ["METRICS_INTERVAL"],
};

const withoutTheirSwitch = (values: SettingValues): string[] =>
  Object.entries(SWITCHES).flatMap(([needed, names]) =>
    values[needed]
      ? []
      : names.filter((name) => values[name]).map((name) => `${name} is not used: ${needed} is not set`),
  );

const UPSTREAM = /^(UPSTREAM_([2-9]_)?|EMBEDDINGS_)(BASE_URL|API_KEY)$/;

function oddUpstreams(values: SettingValues): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [, , , part] = UPSTREAM.exec(name) ?? [];
    if (part === "BASE_URL" && /\/(chat\/completions|completions|responses|embeddings|models)\/*$/.test(value))
      return [
        `${name} ends with the path of one call: write the base URL, which ends before it, most often with \`/v1\``,
      ];
    if (name.endsWith("_API_KEY") && /^bearer\s/i.test(value))
      return [`${name} begins with \`Bearer\`, which the gateway adds itself: write the key alone`];
    return [];
  });
}

/** A sign-in that gives a token which is then refused. */
function unbelievedSignIn(values: SettingValues): string[] {
  const signIn = readConsole({ ...values, TOOLGATE_DEV: "1" });
  const believed = readJwtIssuers({ ...values, TOOLGATE_DEV: "1" });
  const oidc = signIn.ok ? signIn.value.oidc : undefined;
  // Tenants may have the issuer in settings of their own.
  if (!oidc || !believed.ok || values.TENANT_SETTINGS === "1") return [];
  const bare = (issuer: string) => issuer.replace(/\/$/, "");
  const entries = believed.value.filter(({ issuer }) => bare(issuer) === bare(oidc.issuer));
  if (entries.length === 0)
    return ["CONSOLE_OIDC: nobody can sign in, for JWT_ISSUERS has no entry with its `issuer`: add one"];
  // An ID token is for the client alone.
  if (oidc.token === "access_token" || entries.some(({ audience }) => audience.includes(oidc.client_id))) return [];
  return ["CONSOLE_OIDC: nobody can sign in, for no entry of JWT_ISSUERS has its `client_id` as an `audience`: add it"];
}

/** @param text of a file of `NAME=value` lines. Its reader skips any other line in silence, and takes the last of two values. */
export function lineWarnings(file: string, text: string): string[] {
  // A quoted value may have many lines.
  const lines = text
    .replace(/(=[ \t]*)(["'`])[\s\S]*?\2/g, (value, begin: string) => begin + value.replace(/[^\n]/g, ""))
    .split("\n");
  const seen = new Map<string, number>();
  return lines.flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, name] = /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line) ?? [];
    if (name === undefined) return [`${file}: line ${index + 1} is no \`NAME=value\` and is not read`];
    const before = seen.get(name);
    seen.set(name, index + 1);
    return before === undefined
      ? []
      : [`${file}: ${name} is there twice (lines ${before} and ${index + 1}): the last counts`];
  });
}

const OTHERS = new Set<string>([...programSettings, "TOOLGATE_DEV", "TOOLGATE_DATA", "TOOLGATE_LAW_SEED"]);

/** No other program's variables begin so. */
const OWN = /^(TOOLGATE|UPSTREAM)_/;
/** How the other settings begin; an environment has variables of other programs that begin so, too. */
const SHARED =
  /^(TOOL|TENANT|OTEL|EMBEDDINGS|DETECTOR|PLANNER|CLIENT|JWT|KEY|CORS|MAX|PUBLIC|CONSOLE|AUDIT|SIGNING|CONNECTION|WEBHOOKS?|METRICS|SERVER|LOG|TRAIL|ARCHIVE)(_|$)/;

/**
 * One line each, without a value.
 * @param names of the variables of the environment and of the gateway's own file.
 */
export function misspeltSettings(names: Iterable<string>): string[] {
  const known = [...settingNames, ...programSettings];
  return [...names].sort().flatMap((name) => {
    if (kindOfSetting(name) !== undefined || OTHERS.has(name)) return [];
    const own = OWN.test(name.toUpperCase());
    if (!own && !SHARED.test(name.toUpperCase())) return [];
    // A person who counts from 0 or 1 means the first, which has no number.
    const nearest = nearestName(name.replace(/^UPSTREAM_[01]_/i, "UPSTREAM_"), known);
    if (nearest !== undefined) return [`${name} is no setting and is not read: did you mean ${nearest}?`];
    return own ? [`${name} is no setting and is not read`] : [];
  });
}
