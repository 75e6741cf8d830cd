/** What `npm start` is told: the environment, and behind it `.dev.vars`. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { err, ok, type Result } from "../lib/result.ts";
import { kindOfSetting, misspeltSettings, programSettings } from "../settings/misspelt.ts";
import { isOthers } from "../settings/tool-secrets.ts";
import { readUpstreams } from "../settings/upstream.ts";
import { parseAuditKeys } from "../stores/audit/audit-keys.ts";
import { settingProblems } from "./setting-problems.ts";

export const root: string = join(import.meta.dirname, "../..");

export interface Settings {
  readonly port: number;
  /** Undefined where no upstream is set: `npm start` then runs the demo model as one. */
  readonly upstream: { readonly baseUrl: string; readonly model?: string } | undefined;
  readonly policyPath: string | undefined;
  /** Where KV, D1 and the objects are kept, and what `npm start` remembers. */
  readonly stateFolder: string;
  /** Passed to the worker as its variables and secrets. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Variables that look like settings and are none. */
  readonly warnings: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Settings of the start itself, and of the other commands: the worker has no use for them. */
const ownNames = new Set<string>([...programSettings, "TOOLGATE_DEV", "TOOLGATE_LISTENER_SECRET"]);
/** What begins like an upstream's is passed on whatever it is: the worker says what is wrong with it. */
const passedFromEnvironment = (name: string) => kindOfSetting(name) !== undefined || /^(TOOLGATE|UPSTREAM)_/.test(name);

/** Every error at once, each naming the setting. */
export function readSettings(environment: Variables, folder: string = root): Result<Settings, readonly string[]> {
  const file = readDevVars(join(folder, ".dev.vars"));
  if (!file.ok) return err([file.error]);
  // An empty variable in the environment unsets what the file says.
  const read = (name: string) => (environment[name] ?? file.value[name])?.trim() || undefined;

  const errors: string[] = [];
  const port = Number(read("PORT") ?? 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    errors.push(`PORT is \`${read("PORT")}\`: it must be a whole number from 1 to 65535`);
  }
  const passed = Object.keys(environment).filter(passedFromEnvironment);
  const toolSecrets = read("TOOL_SECRETS");
  const names = new Set([...Object.keys(file.value), ...passed.filter((name) => !isOthers(name, toolSecrets))]);
  const bindings: Record<string, string> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined && !ownNames.has(name)) bindings[name] = value;
  }
  const isDemo = !Object.keys(bindings).some((name) => /^UPSTREAM_([2-9]_)?BASE_URL$/.test(name));
  const complete = isDemo ? { ...bindings, UPSTREAM_BASE_URL: "http://127.0.0.1/v1" } : bindings;
  const upstreams = readUpstreams(complete);
  errors.push(...problemsOf(complete));
  if (!upstreams.ok || errors.length > 0) return err(errors);

  const first = isDemo ? undefined : upstreams.value.targets[0];
  const policyPath = read("TOOLGATE_POLICY");
  return ok({
    port,
    upstream: first && { baseUrl: first.baseUrl, model: first.model },
    policyPath: policyPath === undefined ? undefined : resolve(folder, policyPath),
    stateFolder: resolve(folder, read("TOOLGATE_STATE") ?? ".wrangler/state"),
    bindings,
    warnings: [
      ...misspeltSettings(new Set([...Object.keys(file.value), ...Object.keys(environment)])),
      ...(isDemo ? unusedWithDemo(bindings) : []),
    ],
  });
}

const unusedWithDemo = (bindings: Readonly<Record<string, string>>): string[] =>
  ["UPSTREAM_API_KEY", "UPSTREAM_MODEL"]
    .filter((name) => bindings[name] !== undefined)
    .map((name) => `${name} is not used: UPSTREAM_BASE_URL is not set, so the demo model answers`);

/** The worker would refuse every request for them, where nobody looks. */
function problemsOf(bindings: Readonly<Record<string, string>>): string[] {
  const { AUDIT_KEY } = bindings;
  const auditKeys = AUDIT_KEY === undefined ? undefined : parseAuditKeys(AUDIT_KEY);
  const wrong = settingProblems({ ...bindings, TOOLGATE_DEV: "1" }, false);
  return auditKeys && !auditKeys.ok ? [`AUDIT_KEY: ${auditKeys.error}`, ...wrong] : wrong;
}

function readDevVars(path: string): Result<Variables, string> {
  try {
    return ok(parseEnv(readFileSync(path, "utf8")));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? ok({}) : err(`cannot read ${path}: ${message}`);
  }
}
