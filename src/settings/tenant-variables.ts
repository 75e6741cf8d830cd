/**
 * The settings of one tenant: those of the gateway's own variables that may differ by tenant. So a deployment's and a tenant's settings
 * have the same names, the same form and the same errors. Pure.
 */
import { isObject } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { didYouMean } from "../lib/text/nearest-name.ts";
import { readAccess } from "./access.ts";
import { readEmbeddings } from "./embeddings.ts";
import { readLimits } from "./limits.ts";
import { readPassHeaders } from "./pass-headers.ts";
import { isTenantSetting, kindOfSetting, type SettingVariables, settingNames } from "./settings-table.ts";
import { namedSecrets, readToolSecrets } from "./tool-secrets.ts";
import { readUpstreams } from "./upstream.ts";
import { readWebhooks } from "./webhooks.ts";

/** Values by name, all as texts: JSON settings too. */
export type Variables = Readonly<Record<string, string>>;

/** The deployment's variables and bindings, over which a tenant's settings are laid. */
export interface GatewayVariables extends SettingVariables {
  /** Workers AI. */
  readonly AI?: unknown;
}

/** Whether tenants may have settings of their own. */
export function readTenantSettings(variables: SettingVariables): Result<boolean, readonly string[]> {
  const { TENANT_SETTINGS: enabled, CONNECTION_KEY: key } = variables;
  if (!enabled || enabled === "0") return ok(false);
  if (enabled !== "1") return err(["TENANT_SETTINGS: write `1`, or leave it out"]);
  if (!key) return err(["CONNECTION_KEY is not set: tenants' settings are sealed by it; write `id:secret`"]);
  return ok(true);
}

/** Shown in place of a secret. If it is written back, the stored secret is kept. */
export const HIDDEN = "***";

/** Groups that a tenant takes whole, its own or the gateway's, never mixed: a key must not reach the other's address. */
const UPSTREAM = /^UPSTREAM_(?!(CONNECT|FIRST_BYTE|IDLE)_TIMEOUT$|RETRIES$|PASS_HEADERS$)/;
const EMBEDDINGS = /^EMBEDDINGS_/;
const SECRET = /^SECRET_[A-Z][A-Z0-9_]*$/;

/** Lists to which a tenant adds its entries, after the gateway's. */
const LISTS = ["JWT_ISSUERS", "WEBHOOKS"] as const;

interface TenantSettingsRequest {
  readonly tenant: string;
  /** JSON settings may be JSON; numbers may be numbers. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The tenant's settings in force: `***` keeps their secrets. */
  readonly stored: Variables;
  readonly gateway: GatewayVariables;
}

/** Every error at once, each naming its variable; none holds a value. */
export function readTenantVariables(request: TenantSettingsRequest): Result<Variables, readonly string[]> {
  const { tenant, given, stored, gateway } = request;
  const unknown = Object.keys(given).filter((name) => !isTenantSetting(name));
  if (unknown.length > 0) return err(unknown.map(unknownName));
  const problems: string[] = [];
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const text = value === HIDDEN ? stored[name] : textOf(name, value, tenant);
    if (text === undefined)
      problems.push(`${name} is \`${HIDDEN}\`, but no secret of this name is stored: write its value`);
    else own[name] = text;
  }
  problems.push(...unboundSecrets(own));
  if (problems.length > 0) return err(problems);
  const checked = check(layTenantOver(gateway, tenant, own), own);
  return checked.length > 0 ? err(checked) : ok(own);
}

function unknownName(name: string): string {
  const known = kindOfSetting(name) !== undefined;
  if (known) return `${name} is a setting of the whole deployment: no tenant has one of its own`;
  return `${name} is no setting${didYouMean(name, settingNames.filter(isTenantSetting)) || ": remove it"}`;
}

/** Entries of lists name no tenant: it is this one. */
function textOf(name: string, value: unknown, tenant: string): string {
  if (typeof value === "string") return value.trim();
  const isList = LISTS.some((list) => list === name) && Array.isArray(value);
  return JSON.stringify(isList ? value.map((entry) => withTenant(entry, tenant)) : value);
}

const withTenant = (entry: unknown, tenant: string): unknown => (isObject(entry) ? { ...entry, tenant } : entry);

/** A secret that no entry binds to a host, and an entry without a secret. */
const unboundSecrets = (own: Variables): string[] => {
  const named = namedSecrets(own.TOOL_SECRETS);
  return [
    ...named.flatMap((name) => (own[name] ? [] : [`${name} is not set, but TOOL_SECRETS names it: write its value`])),
    ...Object.keys(own).flatMap((name) =>
      SECRET.test(name) && !named.includes(name)
        ? [`${name} is named by no entry of TOOL_SECRETS: add one, or remove it`]
        : [],
    ),
  ];
};

function check(over: GatewayVariables, own: Variables): string[] {
  const bound = over.AI !== undefined;
  const readers = [
    ...(Object.keys(own).some((name) => name.startsWith("UPSTREAM_") && name !== "UPSTREAM_PASS_HEADERS")
      ? [readUpstreams(over, bound)]
      : []),
    readAccess(over),
    readWebhooks(over),
    readToolSecrets(over),
    readEmbeddings(over, bound),
    readLimits(over),
    readPassHeaders(over),
  ];
  return readers.flatMap((read) => (read.ok ? [] : read.error));
}

/** The gateway's variables as they are for this tenant. */
export function layTenantOver<Gateway extends object>(gateway: Gateway, tenant: string, own: Variables): Gateway {
  const over: Record<string, unknown> = Object.fromEntries(Object.entries(gateway));
  for (const group of [UPSTREAM, EMBEDDINGS]) {
    if (!Object.keys(own).some((name) => group.test(name))) continue;
    for (const name of Object.keys(over)) if (group.test(name)) delete over[name];
  }
  Object.assign(over, own);
  for (const name of LISTS) if (own[name]) over[name] = joinLists(textIn(gateway, name), own[name]);
  if (own.TOOL_SECRETS) over.TOOL_SECRETS = joinSecrets(textIn(gateway, "TOOL_SECRETS"), own.TOOL_SECRETS, tenant);
  return over as unknown as Gateway;
}

const textIn = (gateway: object, name: string): string =>
  String((gateway as Readonly<Record<string, unknown>>)[name] ?? "");

/** A list that cannot be read stays as it is: its reader reports what is wrong. */
function joinLists(gateway: string, own: string): string {
  const [theirs, ours] = [parse(gateway), parse(own)];
  return Array.isArray(ours) && Array.isArray(theirs ?? [])
    ? JSON.stringify([...((theirs as []) ?? []), ...ours])
    : own;
}

/** A tenant's secret is bound to that tenant alone, and replaces the gateway's of the same name. */
function joinSecrets(gateway: string, own: string, tenant: string): string {
  const [theirs, ours] = [parse(gateway), parse(own)];
  if (!isObject(ours)) return own;
  const bound = Object.entries(ours).map(([name, entry]) => [
    name,
    typeof entry === "object" && entry !== null ? { ...entry, tenants: [tenant] } : entry,
  ]);
  return JSON.stringify({ ...(theirs ?? {}), ...Object.fromEntries(bound) });
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As operators see them: JSON as JSON, secrets as `***`. */
export const shownVariables = (own: Variables): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(own).map(([name, text]) => [
      name,
      kindOfSetting(name) === "secret" ? HIDDEN : /^[[{]/.test(text) ? (parse(text) ?? text) : text,
    ]),
  );
