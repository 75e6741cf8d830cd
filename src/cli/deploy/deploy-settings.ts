/** The settings that a deployment gets: `.deploy.vars`, and before it the environment. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { err, ok, type Result } from "../../lib/result.ts";
import { didYouMean } from "../../lib/text/nearest-name.ts";
import { kindOfSetting, misspeltSettings, settingNames } from "../../settings/misspelt.ts";
import { isOthers, namedSecrets } from "../../settings/tool-secrets.ts";
import { parseAuditKeys } from "../../stores/audit/audit-keys.ts";
import { settingProblems } from "../setting-problems.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface DeploySettings {
  /** Stand in the deployment's configuration; what is left out is gone with the next deployment. */
  readonly plain: Readonly<Record<string, string>>;
  /** Kept from one deployment to the next; what is left out stays. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Variables that are no setting of the gateway, or look like one and are none. */
  readonly warnings: readonly string[];
}

/** Cloudflare's own limit of a variable or secret: told before anything is made. */
const MAX_VARIABLE_BYTES = 5 * 1024;

/** Every error at once, each naming the setting. A file that is not there is an empty one. */
export function readDeploySettings(path: string, environment: Variables): Result<DeploySettings, readonly string[]> {
  const file = readVariables(path);
  if (!file.ok) return err([file.error]);
  const toolSecrets = environment.TOOL_SECRETS ?? file.value.TOOL_SECRETS;
  const known = Object.keys(environment).filter(
    (name) => kindOfSetting(name) !== undefined && !isOthers(name, toolSecrets),
  );
  const values = new Map<string, string>();
  for (const name of new Set([...Object.keys(file.value), ...known])) {
    const value = (environment[name] ?? file.value[name])?.trim();
    if (value) values.set(name, value);
  }
  const errors = checkAll(values);
  if (errors.length > 0) return err(errors);
  const of = (kind: "plain" | "secret") =>
    Object.fromEntries([...values].filter(([name]) => (kindOfSetting(name) ?? "secret") === kind));
  const unknown = [...values.keys()].filter((name) => kindOfSetting(name) === undefined);
  const warnings = [
    ...unknown.map(
      (name) => `${name} is no setting of Toolgate and is sent as a secret${didYouMean(name, settingNames)}`,
    ),
    ...misspeltSettings(Object.keys(environment).filter((name) => !values.has(name))),
  ];
  return ok({ plain: of("plain"), secrets: of("secret"), warnings });
}

function checkAll(values: ReadonlyMap<string, string>): string[] {
  const errors: string[] = [];
  for (const [name, value] of values) {
    const bytes = Buffer.byteLength(value);
    if (bytes > MAX_VARIABLE_BYTES)
      errors.push(
        `${name} has ${bytes} bytes: Cloudflare takes at most ${MAX_VARIABLE_BYTES} in a variable; write less`,
      );
    // Development keys are known to everybody, and no listener stands before a deployment.
    if (name === "TOOLGATE_DEV" || name === "TOOLGATE_LISTENER_SECRET")
      errors.push(`${name} is for development alone: remove it`);
    else if (!/^[A-Z][A-Z0-9_]*$/.test(name))
      errors.push(`\`${name}\` is no name of a setting: use large letters, digits, \`_\``);
  }
  const auditKey = values.get("AUDIT_KEY");
  if (auditKey !== undefined) errors.push(...checkAuditKey(auditKey));
  return [...errors, ...checkSettings(Object.fromEntries(values))];
}

function readVariables(path: string): Result<Variables, string> {
  try {
    return ok(parseEnv(readFileSync(path, "utf8")));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? ok({}) : err(`cannot read ${path}: ${message}`);
  }
}

export function checkAuditKey(text: string): string[] {
  const keys = parseAuditKeys(text);
  return keys.ok ? [] : [`AUDIT_KEY: ${keys.error}`];
}

export function checkSettings(values: Readonly<Record<string, string>>): string[] {
  // One that is not given is kept from an earlier deployment; whether there was one is looked at when it is deployed.
  const kept = Object.fromEntries(namedSecrets(values.TOOL_SECRETS).map((name) => [name, "kept"]));
  const wrong = settingProblems({ ...kept, ...values }, true);
  for (const [name, value] of Object.entries(values)) {
    if (SENT_TO.test(name) && /^http:/i.test(value))
      wrong.push(`${name} must be an https URL: anybody on the way could read what is sent there`);
  }
  return wrong;
}

/** Over the internet: keys, conversations, users' messages and traces. */
const SENT_TO = /^(UPSTREAM_([2-9]_)?BASE_URL|EMBEDDINGS_BASE_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$/;
