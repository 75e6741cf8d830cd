/** The settings that a deployment gets: `.deploy.vars`, and before it the environment. */
import { err, ok, type Result } from "../../lib/result.ts";
import { didYouMean } from "../../lib/text/nearest-name.ts";
import { readProviders } from "../../settings/providers.ts";
import { misspeltSettings, type SettingValues, settingWarnings } from "../../settings/setting-warnings.ts";
import { kindOfSetting, programSettings, settingNames } from "../../settings/settings-table.ts";
import { namedSecrets } from "../../settings/tool-secrets.ts";
import { type Environment, readSettingValues, settingProblems, settingsFileWarnings } from "../setting-values.ts";
import { readPlace } from "./place.ts";

export interface DeploySettings {
  /** Part of the deployment's configuration: one that is left out is gone with the next deployment. */
  readonly plain: SettingValues;
  /** Kept from one deployment to the next: one that is left out stays. */
  readonly secrets: SettingValues;
  /** About names that look like a setting and are none, and settings without effect. */
  readonly warnings: readonly string[];
}

/** Cloudflare's own limit of a variable or secret, checked before anything is created. */
const MAX_VARIABLE_BYTES = 5 * 1024;
const DEVELOPMENT: ReadonlySet<string> = new Set(["TOOLGATE_DEV", "TOOLGATE_LISTENER_SECRET"]);
/** Addresses to which keys, conversations, users' messages and traces are sent over the internet. */
const SENT_TO = /^(UPSTREAM_([2-9]_)?BASE_URL|EMBEDDINGS_BASE_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;

/**
 * Every error at once, each naming the setting. A file that is not there is an empty one.
 * @param bound whether the configuration binds Workers AI.
 */
export function readDeploySettings(
  path: string,
  environment: Environment,
  bound: boolean,
): Result<DeploySettings, readonly string[]> {
  const read = readSettingValues(path, environment, (name) => kindOfSetting(name) !== undefined);
  if (!read.ok) return err([read.error]);
  const values = read.value;
  // A secret that is not given is kept from an earlier deployment; the deployment checks whether there was one.
  const kept = Object.fromEntries(namedSecrets(values.TOOL_SECRETS).map((name) => [name, "kept"]));
  const entries = Object.entries(values);
  const errors = [
    ...entries.flatMap(([name, value]) => variableProblems(name, value)),
    ...settingProblems({ ...kept, ...values }, bound),
    ...entries
      .filter(([name, value]) => SENT_TO.test(name) && /^http:/i.test(value))
      .map(([name]) => `${name} must be an https URL: ${OPEN}`),
    ...openProviders(values),
    ...unknownNames(values),
    ...placeProblems(values),
  ];
  if (errors.length > 0) return err(errors);
  const ofKind = (kind: "plain" | "secret") =>
    Object.fromEntries(entries.filter(([name]) => kindOfSetting(name) === kind));
  const warnings = [
    ...settingsFileWarnings(path),
    ...settingWarnings(values),
    ...Object.keys(values)
      .filter(isProgramSetting)
      .map((name) => `${name} is for programs of this machine and is not sent`),
    ...misspeltSettings(Object.keys(environment).filter((name) => values[name] === undefined)),
  ];
  return ok({ plain: ofKind("plain"), secrets: ofKind("secret"), warnings });
}

const OPEN = "anybody on the way could read what is sent there";

const isProgramSetting = (name: string): boolean => programSettings.some((one) => one === name);

/** Names that are no setting. As a secret, such a value would be of no use, and it may be another program's. */
const unknownNames = (values: SettingValues): string[] =>
  Object.keys(values)
    .filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && kindOfSetting(name) === undefined)
    .filter((name) => !isProgramSetting(name) && !DEVELOPMENT.has(name))
    .map((name) => `${name} is no setting of Toolgate${didYouMean(name, settingNames) || ": remove it"}`);

function placeProblems(values: SettingValues): readonly string[] {
  const place = readPlace(values);
  return place.ok ? [] : place.error;
}

function openProviders(values: SettingValues): string[] {
  const read = readProviders(values);
  const open = read.ok ? read.value.targets.filter(({ baseUrl }) => /^http:/i.test(baseUrl)) : [];
  return open.map(({ provider }) => `UPSTREAM_PROVIDERS: ${provider?.name}.baseUrl must be an https URL: ${OPEN}`);
}

function variableProblems(name: string, value: string): string[] {
  const errors: string[] = [];
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_VARIABLE_BYTES)
    errors.push(`${name} has ${bytes} bytes: Cloudflare takes at most ${MAX_VARIABLE_BYTES} in a variable; write less`);
  // Development keys are public, and a deployment has no listener in front of it.
  if (DEVELOPMENT.has(name)) errors.push(`${name} is for development alone: remove it`);
  else if (!/^[A-Z][A-Z0-9_]*$/.test(name))
    errors.push(`\`${name}\` is no name of a setting: use large letters, digits, \`_\``);
  return errors;
}
