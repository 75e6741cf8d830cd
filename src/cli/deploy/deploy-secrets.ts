/** Step 5: the secrets of the settings, and the keys that are made once. */
import { randomBytes } from "node:crypto";
import type { SettingValues } from "../../settings/setting-warnings.ts";
import { namedSecrets } from "../../settings/tool-secrets.ts";
import type { Cloudflare } from "./cloudflare.ts";
import type { DeploySettings } from "./deploy-settings.ts";
import { type KeptKeys, lostKeyIds } from "./kept-keys.ts";

/** Made if the Worker has none. */
export const generatedSecrets = ["AUDIT_KEY", "SIGNING_KEYS", "CONNECTION_KEY"] as const;

interface SecretsContext {
  readonly cloud: Cloudflare;
  readonly settings: DeploySettings;
  readonly worker: string;
  readonly keptKeys: KeptKeys;
  readonly say: (line: string) => void;
}

export async function setSecrets({ cloud, settings, worker, keptKeys, say }: SecretsContext): Promise<void> {
  const there = (await cloud.secretNames()) ?? [];
  const kept = keptKeys.read();
  refuseOrphans(there, settings, worker);
  refuseMissing(there, settings);
  refuseLostKeys(settings.secrets, keptKeys);
  const made: Record<string, string> = {};
  // Data that a key signed or sealed (records, links, webhooks, tokens) could not be read any more if the key changed. The stores of a
  // deleted Worker still hold such data.
  for (const name of generatedSecrets) {
    if (!there.includes(name) && settings.secrets[name] === undefined)
      made[name] = kept[name] ?? `k1:${randomBytes(32).toString("hex")}`;
  }
  const all: SettingValues = { ...settings.secrets, ...made };
  const keys = Object.fromEntries(Object.entries(all).filter(([name]) => isGenerated(name)));
  for (const name of Object.keys(keys)) {
    if (there.includes(name) && kept[name] === undefined) say(`5 secrets    ${replacesUnknown(name)}`);
  }
  // Kept before they are set: a key that is in force and of which there is no copy is the worse case.
  if (Object.keys(keys).length > 0) keptKeys.write({ ...kept, ...keys });
  if (Object.keys(all).length > 0) await cloud.putSecrets(all);
  const names = Object.keys(all).map((name) => {
    if (!(name in made)) return name;
    return `${name} (${kept[name] === undefined ? "made now" : `of ${keptKeys.path}`})`;
  });
  const left = there.filter((name) => !(name in all));
  say(`5 secrets    set: ${names.join(", ") || "none"}; kept: ${left.join(", ") || "none"}`);
  if (Object.keys(made).length > 0)
    say(`5 secrets    the keys are in ${keptKeys.path}: keep a copy in a safe place, the Worker does not show them`);
}

const isGenerated = (name: string): boolean => generatedSecrets.some((one) => one === name);

const replacesUnknown = (name: string): string =>
  `warning: ${name} replaces the Worker's, which this machine does not know: what older keys have sealed can be read ` +
  "only if they follow behind commas";

/** Refuses a setting that lacks a kept key: data that the key sealed could not be read any more. */
function refuseLostKeys(given: SettingValues, { path, read }: KeptKeys): void {
  const kept = read();
  for (const name of generatedSecrets) {
    const [before, now] = [kept[name], given[name]];
    const lost = before === undefined || now === undefined ? [] : lostKeyIds(before, now);
    if (lost.length === 0) continue;
    const ids = lost.map((id) => `\`${id}\``).join(" and ");
    throw new Error(
      `${name} no longer has the key ${ids}, so what was sealed with it could not be read: write the new key first ` +
        `and the older ones of ${path} behind commas, or remove from that file what nothing needs any more`,
    );
  }
}

/** Refuses a Worker's key whose upstream is not in the settings any more: it would be kept, and the Worker would refuse to serve. */
function refuseOrphans(there: readonly string[], { plain }: DeploySettings, worker: string): void {
  const orphan = there.find((name) => {
    const [, place] = /^UPSTREAM_([2-9]_)API_KEY$/.exec(name) ?? [];
    return place !== undefined && plain[`UPSTREAM_${place}BASE_URL`] === undefined;
  });
  if (orphan === undefined) return;
  throw new Error(
    `the Worker has the secret ${orphan}, and the settings have no such upstream: remove it with ` +
      `\`npx wrangler secret delete ${orphan} --name ${worker}\`, or write its BASE_URL`,
  );
}

/** The Worker would refuse to serve without a secret that its tools may send. */
function refuseMissing(there: readonly string[], { plain, secrets: given }: DeploySettings): void {
  const missing = namedSecrets(plain.TOOL_SECRETS).filter((name) => !there.includes(name) && given[name] === undefined);
  if (missing.length > 0)
    throw new Error(`TOOL_SECRETS names what the Worker does not have: write ${missing.join(" and ")} to .deploy.vars`);
}
