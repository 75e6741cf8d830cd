/** `npm run deploy`: creates what Toolgate needs in a Cloudflare account, and deploys it there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { askTerminal } from "./ask-terminal.ts";
import { buildConsole } from "./build-console.ts";
import { cloudflare, wrangler } from "./deploy/cloudflare.ts";
import { cloudflareApi } from "./deploy/cloudflare-api.ts";
import { deployConfig, type Resources, readConfig } from "./deploy/config.ts";
import { type DeploySettings, readDeploySettings } from "./deploy/deploy-settings.ts";
import { dryRun } from "./deploy/dry-run.ts";
import { type DeployOptions, readDeployOptions } from "./deploy/options.ts";
import { deployAll } from "./deploy/steps.ts";
import { builtInPolicy, readPolicyFile } from "./policy-file.ts";
import { printUsage } from "./program-arguments.ts";
import { root } from "./settings.ts";

const config = join(root, ".wrangler/toolgate/deploy.json");
const nobody = "00000000-0000-0000-0000-000000000000";
const nowhere: Resources = { kv: "to-be-created", databases: { AUDIT_DB: nobody, TOOLS_DB: nobody } };

function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

function write(options: DeployOptions, { plain }: DeploySettings, resources: Resources): void {
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, `${JSON.stringify(deployConfig(readConfig(), options, resources, plain), null, 2)}\n`);
}

async function tryOut(options: DeployOptions, settings: DeploySettings): Promise<void> {
  write(options, settings, nowhere);
  const folder = mkdtempSync(join(tmpdir(), "toolgate-deploy-"));
  const cloud = cloudflare(wrangler, cloudflareApi(process.env.CLOUDFLARE_API_BASE_URL), config);
  try {
    await dryRun({ options, settings, cloud, config, outdir: folder, say: console.log });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const options = readDeployOptions(process.argv.slice(2));
  if (!options.ok) return printUsage(options.error);
  const settings = readDeploySettings(join(root, ".deploy.vars"), process.env);
  if (!settings.ok) return fail(["nothing was deployed; in `.deploy.vars` or the environment:", ...settings.error]);
  for (const warning of settings.value.warnings) console.warn(`warning: ${warning}`);
  const policy = await readPolicyFile(builtInPolicy);
  if (!policy.ok) return fail(["nothing was deployed:", ...policy.error]);
  await buildConsole();
  if (options.value.dryRun) return tryOut(options.value, settings.value);
  const keep = await deployAll({
    options: options.value,
    settings: settings.value,
    cloud: cloudflare(wrangler, cloudflareApi(process.env.CLOUDFLARE_API_BASE_URL), config),
    writeConfig: (resources) => write(options.value, settings.value, resources),
    say: console.log,
    ask: askTerminal,
    now: Date.now(),
  });
  console.log(["", ...keep].join("\n"));
}

main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
