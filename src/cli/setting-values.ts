/** Gathers the Worker's settings for a program, and checks them as the Worker does: with wrong ones it would answer every request with a 503. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseEnv } from "node:util";
import { ok, type Result } from "../lib/result.ts";
import { readAccess } from "../settings/access.ts";
import { readConsole } from "../settings/console.ts";
import { readCors } from "../settings/cors.ts";
import { readEmbeddings } from "../settings/embeddings.ts";
import { readLimits } from "../settings/limits.ts";
import { readPassHeaders } from "../settings/pass-headers.ts";
import { readPush } from "../settings/push.ts";
import { lineWarnings, type SettingValues } from "../settings/setting-warnings.ts";
import { readTelemetry } from "../settings/telemetry.ts";
import { readTenantSettings } from "../settings/tenant-variables.ts";
import { isForeignSecret, readConnectionKey, readToolDns, readToolSecrets } from "../settings/tool-secrets.ts";
import { readTrailTexts } from "../settings/trail.ts";
import { readUpstreams } from "../settings/upstream.ts";
import { readWebhooks } from "../settings/webhooks.ts";
import { parseAuditKeys } from "../stores/audit/audit-keys.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of a file of `NAME=value` lines and, before it, the environment. An empty variable unsets what the file says.
 * @param path a file that does not exist is an empty one.
 * @param isSetting which variables of the environment count; those of the file all do.
 */
export function readSettingValues(
  path: string,
  environment: Environment,
  isSetting: (name: string) => boolean,
): Result<SettingValues, string> {
  const file = readVariables(path);
  if (!file.ok) return file;
  const settingOf = (name: string) => (environment[name] ?? file.value[name])?.trim() || undefined;
  const toolSecrets = settingOf("TOOL_SECRETS");
  const passed = Object.keys(environment).filter((name) => isSetting(name) && !isForeignSecret(name, toolSecrets));
  const values: Record<string, string> = {};
  for (const name of [...Object.keys(file.value), ...passed]) {
    const value = settingOf(name);
    if (value !== undefined) values[name] = value;
  }
  return ok(values);
}

function readVariables(path: string): Result<Environment, string> {
  const text = readText(path);
  return text.ok ? ok(parseEnv(text.value)) : text;
}

function readText(path: string): Result<string, string> {
  try {
    return ok(readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? ok("") : { ok: false, error: `cannot read ${path}: ${message}` };
  }
}

/** In place of a key that a program makes. */
const NEW_KEY = `k1:${"0".repeat(64)}`;

/** Warnings about the lines of a file of settings. */
export function settingsFileWarnings(path: string): string[] {
  const text = readText(path);
  return text.ok ? lineWarnings(basename(path), text.value) : [];
}

type Reader = (values: SettingValues) => Result<unknown, readonly string[]>;

/** @param bound whether Workers AI is. @returns every error at once, each naming its variable. */
export function settingProblems(values: SettingValues, bound: boolean): string[] {
  const readers: readonly Reader[] = [
    auditKeyReader,
    (given) => readUpstreams(given, bound),
    (given) => readEmbeddings(given, bound),
    readAccess,
    readCors,
    readLimits,
    readPassHeaders,
    readTelemetry,
    readConsole,
    webhooksWithKeys,
    readPush,
    readToolSecrets,
    readToolDns,
    readConnectionKey,
    tenantSettingsWithKey,
    readTrailTexts,
  ];
  return readers.flatMap((read) => {
    const result = read(values);
    return result.ok ? [] : [...result.error];
  });
}

/** A program makes the key if there is none. */
function auditKeyReader({ AUDIT_KEY }: SettingValues): Result<unknown, readonly string[]> {
  const keys = AUDIT_KEY === undefined ? ok(undefined) : parseAuditKeys(AUDIT_KEY);
  return keys.ok ? keys : { ok: false, error: [`AUDIT_KEY: ${keys.error}`] };
}

/** A program makes SIGNING_KEYS if there are none. */
const webhooksWithKeys = (values: SettingValues) => readWebhooks({ SIGNING_KEYS: NEW_KEY, ...values });

/** A program makes CONNECTION_KEY if there is none. */
const tenantSettingsWithKey = (values: SettingValues) => readTenantSettings({ CONNECTION_KEY: NEW_KEY, ...values });
