/** `npm run deploy -- --dry-run`: what a deployment would do, and all of it that needs no account, done. */
import { migrationFiles } from "../migration-files.ts";
import type { Cloudflare } from "./cloudflare.ts";
import { databasesOf, kvTitle, readConfig, workerName } from "./config.ts";
import type { DeploySettings } from "./deploy-settings.ts";
import type { DeployOptions } from "./options.ts";
import { madeSecrets } from "./steps.ts";

export interface DryRun {
  readonly options: DeployOptions;
  readonly settings: DeploySettings;
  readonly cloud: Pick<Cloudflare, "deploy">;
  readonly config: string;
  /** Where the bundle goes. */
  readonly outdir: string;
  readonly say: (line: string) => void;
}

export async function dryRun({ options, settings, cloud, config, outdir, say }: DryRun): Promise<void> {
  const worker = workerName(readConfig(), options);
  const secrets = Object.keys(settings.secrets);
  const made = madeSecrets.filter((name) => !(name in settings.secrets));
  say(`1 login      would ask Cloudflare who is logged in; the Worker is \`${worker}\``);
  if (options.domain === undefined)
    say("1 subdomain  would look for the account's own of workers.dev, or ask for one and register it");
  say(`2 KV         would use \`${kvTitle(worker)}\`, or create it`);
  const databases = databasesOf(readConfig(), worker);
  for (const { name } of databases) say(`3 D1         would use \`${name}\`, or create it`);
  for (const { name, folder } of databases)
    say(`4 migrate    would apply what \`${name}\` lacks of ${migrationFiles(folder).join(", ")}`);
  say(
    `5 secrets    would set ${secrets.join(", ") || "none"}${made.length === 0 ? "" : `, and make ${made.join(" and ")} where the Worker has none`}`,
  );
  const size = /Total Upload: .*/.exec(await cloud.deploy(["--dry-run", "--outdir", outdir]))?.[0];
  say(`6 deploy     bundled (${size ?? "size unknown"}); would upload it with ${config}`);
  const plain = Object.entries(settings.plain).map(([name, value]) => `${name}=${value}`);
  say(`             settings: ${plain.join(" ") || "none"}`);
  say("7 key        would make an operator's key for a day, if there are no keys yet");
  say("nothing was changed");
}
