/** The settings of `npm start`: the environment, and behind it `.dev.vars`. */
import { join, resolve } from "node:path";
import { err, ok, type Result } from "../lib/result.ts";
import { misspeltSettings, type SettingValues, settingWarnings } from "../settings/setting-warnings.ts";
import { kindOfSetting, programSettings } from "../settings/settings-table.ts";
import { readUpstreams } from "../settings/upstream.ts";
import { type Environment, readSettingValues, settingProblems, settingsFileWarnings } from "./setting-values.ts";
import { isPublished, projectRoot } from "./source-file.ts";

export const root: string = projectRoot;

/** The folder of the user's own files: nothing is written into an installed package. */
const ownFolder = (): string => (isPublished ? process.cwd() : root);

export interface Settings {
  readonly port: number;
  /** Undefined if no upstream is set: then `npm start` runs the demo model as one. */
  readonly upstream: { readonly baseUrl: string; readonly model?: string } | undefined;
  readonly policyPath: string | undefined;
  /** The folder of KV, D1 and the objects, and of the state of `npm start`. */
  readonly stateFolder: string;
  /** Passed to the worker as its variables and secrets. */
  readonly bindings: SettingValues;
  /** Variables that look like settings and are none. */
  readonly warnings: readonly string[];
}

/** Settings of the start itself, and of the other commands: the Worker does not get them. */
const ownNames = new Set<string>([...programSettings, "TOOLGATE_DEV", "TOOLGATE_LISTENER_SECRET"]);
/** Any name that begins like an upstream's is passed on: the Worker reports what is wrong with it. */
const isSetting = (name: string) =>
  ownNames.has(name) || kindOfSetting(name) !== undefined || /^(TOOLGATE|UPSTREAM)_/.test(name);

/** The folder of the local stores, even if other settings are wrong. */
export function readStateFolder(environment: Environment, folder: string = ownFolder()): Result<string, string> {
  const read = readSettingValues(join(folder, ".dev.vars"), environment, isSetting);
  return read.ok ? ok(stateFolderOf(read.value, folder)) : read;
}

const stateFolderOf = ({ TOOLGATE_STATE: state = ".wrangler/state" }: SettingValues, folder: string): string =>
  resolve(folder, state);

/** Every error at once, each naming the setting. */
export function readSettings(
  environment: Environment,
  folder: string = ownFolder(),
): Result<Settings, readonly string[]> {
  const read = readSettingValues(join(folder, ".dev.vars"), environment, isSetting);
  if (!read.ok) return err([read.error]);
  const { PORT = "8787", TOOLGATE_POLICY: policy } = read.value;
  const errors: string[] = [];
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    errors.push(`PORT is \`${PORT}\`: it must be a whole number from 1 to 65535`);
  }
  const bindings = Object.fromEntries(Object.entries(read.value).filter(([name]) => !ownNames.has(name)));
  const isDemo = !Object.keys(bindings).some((name) => /^UPSTREAM_([2-9]_)?BASE_URL$/.test(name));
  const complete = isDemo ? { ...bindings, UPSTREAM_BASE_URL: "http://127.0.0.1/v1" } : bindings;
  const upstreams = readUpstreams(complete);
  errors.push(...settingProblems({ ...complete, TOOLGATE_DEV: "1" }, false));
  if (!upstreams.ok || errors.length > 0) return err(errors);

  const first = isDemo ? undefined : upstreams.value.targets[0];
  return ok({
    port,
    upstream: first && { baseUrl: first.baseUrl, model: first.model },
    policyPath: policy && resolve(folder, policy),
    stateFolder: stateFolderOf(read.value, folder),
    bindings,
    warnings: [
      ...settingsFileWarnings(join(folder, ".dev.vars")),
      ...settingWarnings(read.value),
      ...misspeltSettings(new Set([...Object.keys(read.value), ...Object.keys(environment)])),
      ...(isDemo ? unusedWithDemo(bindings) : []),
    ],
  });
}

const unusedWithDemo = (bindings: SettingValues): string[] =>
  ["UPSTREAM_API_KEY", "UPSTREAM_MODEL"]
    .filter((name) => bindings[name] !== undefined)
    .map((name) => `${name} is not used: UPSTREAM_BASE_URL is not set, so the demo model answers`);
