/** Secrets that tools may send, each bound to tenants and hosts: `TOOL_SECRETS`, `SECRET_<NAME>`. Pure. */
import * as z from "zod";
import { boundHost, withoutDot } from "../lib/host.ts";
import { type KeyRing, parseKeyRing } from "../lib/key-ring.ts";
import { isName, NAME_RULE } from "../lib/names.ts";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { readJsonSetting } from "./json-setting.ts";
import type { SettingVariables } from "./settings-table.ts";

interface ToolSecret {
  readonly value: string;
  /** Undefined: every tenant. */
  readonly tenants: ReadonlySet<string> | undefined;
  /** As URLs have them: in lower case and punycode, with the port if it is not the scheme's own. */
  readonly hosts: ReadonlySet<string>;
}

type ToolSecrets = ReadonlyMap<string, ToolSecret>;

export const NO_SECRETS: ToolSecrets = new Map();

/** Names of variables, in every shell and dashboard. */
const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;

const TENANTS = `must be \`["*"]\`, or a list of tenants, names of ${NAME_RULE}`;
const HOSTS = 'must be a list of hosts such as `["crm.example.com"]`';

const FORM = '`{ "NAME": { "tenants": ["…"], "hosts": ["crm.example.com"] } }`';

const shape = once(() =>
  z.record(
    z.string(),
    z.strictObject({
      tenants: z
        .array(z.string(), TENANTS)
        .min(1, TENANTS)
        .refine((list) => (list.includes("*") ? list.length === 1 : list.every(isName)), TENANTS),
      hosts: z.array(z.string().min(1).max(260), HOSTS).min(1, HOSTS),
    }),
  ),
);

/** Every error at once, each naming its variable; none holds a secret. */
export function readToolSecrets(variables: SettingVariables): Result<ToolSecrets, readonly string[]> {
  const text = variables.TOOL_SECRETS?.trim();
  if (!text) return ok(NO_SECRETS);
  const read = readJsonSetting("TOOL_SECRETS", text, shape(), FORM);
  if (!read.ok) return read;
  const errors: string[] = [];
  const secrets = new Map<string, ToolSecret>();
  for (const [name, { tenants, hosts }] of Object.entries(read.value)) {
    if (!SECRET_NAME.test(name)) {
      errors.push(`TOOL_SECRETS: \`${name}\` must be 1 to 64 capital letters, digits or \`_\`, a letter first`);
      continue;
    }
    const bound = hosts.map((host) => boundHost(host));
    for (const [index, host] of bound.entries()) {
      if (host === undefined)
        errors.push(
          `TOOL_SECRETS: ${name}.hosts.${index} is no host: write one such as \`crm.example.com\` or \`localhost:8787\``,
        );
    }
    const value = variables[`SECRET_${name}`]?.trim();
    if (!value)
      errors.push(`SECRET_${name} is not set, but TOOL_SECRETS names it: set the secret, or leave ${name} out`);
    // It goes into a header, which can hold nothing else.
    else if (!/^[\x20-\x7e]+$/.test(value))
      errors.push(`SECRET_${name} holds what no header can: printable ASCII alone`);
    else
      secrets.set(name, {
        value,
        tenants: tenants[0] === "*" ? undefined : new Set(tenants),
        hosts: new Set(bound.filter((host) => host !== undefined)),
      });
  }
  return errors.length > 0 ? err(errors) : ok(secrets);
}

/** Undefined if it is not bound to both. @param host as a URL has it. */
export function boundSecret(secrets: ToolSecrets, name: string, tenant: string, host: string): string | undefined {
  const secret = secrets.get(name);
  if (!secret || (secret.tenants && !secret.tenants.has(tenant))) return undefined;
  return secret.hosts.has(withoutDot(host).toLowerCase()) ? secret.value : undefined;
}

const DEFAULT_RESOLVER = "https://cloudflare-dns.com/dns-query";

/** Undefined: names are not resolved before they are reached. */
export function readToolDns({ TOOL_DNS }: SettingVariables): Result<string | undefined, readonly string[]> {
  const text = TOOL_DNS?.trim() || DEFAULT_RESOLVER;
  if (text === "off") return ok(undefined);
  const advice = `write an https URL such as ${DEFAULT_RESOLVER}, or \`off\``;
  if (!URL.canParse(text)) return err([`TOOL_DNS is no URL: ${advice}`]);
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "https:") return err([`TOOL_DNS begins with \`${protocol}\`: ${advice}`]);
  if (username !== "" || password !== "" || hash !== "")
    return err([`TOOL_DNS holds a user, password or fragment: ${advice}`]);
  return ok(text);
}

/** Undefined if none is set: then no token can be kept. */
export function readConnectionKey({
  CONNECTION_KEY,
}: SettingVariables): Result<KeyRing | undefined, readonly string[]> {
  const text = CONNECTION_KEY?.trim();
  if (!text) return ok(undefined);
  const keys = parseKeyRing(text, "connection key");
  return keys.ok ? keys : err([`CONNECTION_KEY: ${keys.error}`]);
}

/** The names of the variables (`SECRET_<NAME>`); none if it cannot be read, which its own check reports. */
export function namedSecrets(toolSecrets: string | undefined): readonly string[] {
  try {
    const named: unknown = JSON.parse(toolSecrets ?? "{}");
    return typeof named === "object" && named !== null ? Object.keys(named).map((name) => `SECRET_${name}`) : [];
  } catch {
    return [];
  }
}

/** Whether a variable of the environment is another program's secret, which must not go to the gateway. */
export const isForeignSecret = (name: string, toolSecrets: string | undefined): boolean =>
  name.startsWith("SECRET_") && !namedSecrets(toolSecrets).includes(name);
