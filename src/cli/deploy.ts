/** `npm run deploy`: creates what Toolgate needs in a Cloudflare account, and deploys it there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { askTerminal } from "./ask-terminal.ts";
import { buildConsole } from "./build/console.ts";
import { cloudflare, cloudflareApi, wrangler } from "./deploy/cloudflare.ts";
import {
  bindsWorkersAi,
  bucketName,
  databasesOf,
  deadQueueName,
  deployConfig,
  kvTitle,
  queueName,
  type Resources,
  readConfig,
  workerName,
} from "./deploy/config.ts";
import { generatedSecrets } from "./deploy/deploy-secrets.ts";
import { type DeploySettings, readDeploySettings } from "./deploy/deploy-settings.ts";
import { keptKeysIn, keysFileName } from "./deploy/kept-keys.ts";
import { type DeployOptions, readDeployOptions } from "./deploy/options.ts";
import { askGateway } from "./deploy/smoke.ts";
import { deployAll } from "./deploy/steps.ts";
import { migrationFiles } from "./local/migrations.ts";
import { builtInPolicy, readPolicyLines } from "./policy-file.ts";
import { printUsage } from "./program-arguments.ts";
import { root } from "./settings.ts";

/** One file for each Worker: two deployments may run side by side. */
const configPath = (options: DeployOptions): string =>
  join(root, ".wrangler/toolgate", `${workerName(readConfig(), options)}.json`);
const placeholderId = "00000000-0000-0000-0000-000000000000";
const placeholders = (plain: DeploySettings["plain"]): Resources => ({
  kv: "to-be-created",
  databases: Object.fromEntries(databasesOf(readConfig(), "", plain).map(({ binding }) => [binding, placeholderId])),
});

const cloudFor = (options: DeployOptions) =>
  cloudflare(wrangler, cloudflareApi(process.env.CLOUDFLARE_API_BASE_URL), configPath(options));

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

function write(options: DeployOptions, { plain }: DeploySettings, resources: Resources): void {
  const config = configPath(options);
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, `${JSON.stringify(deployConfig(readConfig(), options, resources, plain), null, 2)}\n`);
}

async function main(): Promise<void> {
  const options = readDeployOptions(process.argv.slice(2));
  if (!options.ok) return printUsage(options.error);
  const settings = readDeploySettings(join(root, ".deploy.vars"), process.env, bindsWorkersAi(readConfig()));
  if (!settings.ok) return fail(["nothing was deployed; in `.deploy.vars` or the environment:", ...settings.error]);
  for (const warning of settings.value.warnings) console.warn(`warning: ${warning}`);
  const policy = await readPolicyLines(builtInPolicy);
  if (!policy.ok) return fail(["nothing was deployed:", ...policy.error]);
  await buildConsole();
  if (options.value.dryRun) return dryRun(options.value, settings.value);
  const keep = await deployAll({
    options: options.value,
    settings: settings.value,
    cloud: cloudFor(options.value),
    writeConfig: (resources) => write(options.value, settings.value, resources),
    keptKeys: keptKeysIn(join(root, keysFileName(workerName(readConfig(), options.value)))),
    say: console.log,
    ask: askTerminal,
    now: Date.now(),
    gateway: { get: askGateway, now: Date.now, wait },
  });
  console.log(["", ...keep].join("\n"));
}

/** Says what a deployment would do, and does the part that needs no account: the bundle. */
async function dryRun(options: DeployOptions, settings: DeploySettings): Promise<void> {
  const say = console.log;
  write(options, settings, placeholders(settings.plain));
  const worker = workerName(readConfig(), options);
  const secrets = Object.keys(settings.secrets);
  const made = generatedSecrets.filter((name) => !(name in settings.secrets));
  say(`1 login      would ask Cloudflare who is logged in; the Worker is \`${worker}\``);
  if (options.domain === undefined)
    say("1 subdomain  would look for the account's own of workers.dev, or ask for one and register it");
  say(`2 KV         would use \`${kvTitle(worker)}\`, or create it`);
  const databases = databasesOf(readConfig(), worker, settings.plain);
  for (const { name } of databases) say(`3 D1         would use \`${name}\`, or create it`);
  if (settings.plain.TRAIL === "queued")
    for (const name of [queueName(worker), deadQueueName(worker), bucketName(worker)])
      say(`3 trail      would use \`${name}\`, or create it`);
  for (const { name, folder } of databases)
    say(`4 migrate    would apply what \`${name}\` lacks of ${migrationFiles(folder).join(", ")}`);
  say(
    `5 secrets    would set ${secrets.join(", ") || "none"}${made.length === 0 ? "" : `, and make ${made.join(" and ")} where the Worker has none, and write them to ${keysFileName(worker)}`}`,
  );
  const folder = mkdtempSync(join(tmpdir(), "toolgate-deploy-"));
  const bundled = await cloudFor(options).deploy(["--dry-run", "--outdir", folder]);
  rmSync(folder, { recursive: true, force: true });
  const size = /Total Upload: .*/.exec(bundled)?.[0];
  say(`6 deploy     bundled (${size ?? "size unknown"}); would upload it with ${configPath(options)}`);
  const plain = Object.entries(settings.plain).map(([name, value]) => `${name}=${value}`);
  say(`             settings: ${plain.join(" ") || "none"}`);
  if (!options.noAdminKey) say("7 key        would make an operator's key for a day, if there are no keys yet");
  if (options.smokeTest) say("8 check      would ask the gateway whether it works, with a key for ten minutes");
  say("nothing was changed");
}

main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
