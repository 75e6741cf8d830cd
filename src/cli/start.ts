/**
 * `npm start`: the gateway on this machine.
 *
 * 1. read the settings and the policy file; refuse what is wrong, before anything is touched
 * 2. claim the state folder
 * 3. build the console, bring the local D1 and KV up to date
 * 4. start the worker, and wait until it is healthy
 * 5. greet, and serve until a signal ends it with all its children
 */
import { buildConsole } from "./build-console.ts";
import { greeting } from "./greeting.ts";
import { becomesHealthy, portProblem } from "./health.ts";
import { claim, developmentKey, release } from "./local-state.ts";
import { migrate, placePolicy } from "./local-stores.ts";
import { builtInPolicy, type PolicyFile, readPolicyFile } from "./policy-file.ts";
import { endAll } from "./processes.ts";
import { servedPolicy } from "./served-policy.ts";
import { readSettings, type Settings } from "./settings.ts";
import { unboundSecrets } from "./unbound-secrets.ts";
import { workerOutput } from "./worker-output.ts";
import { startDevServer } from "./wrangler.ts";

const startWithinMs = 60_000;
const parentCheckMs = 1000;

let claimed: string | undefined;
let leaving = false;

async function leave(code: number): Promise<never> {
  if (leaving) return new Promise(() => {});
  leaving = true;
  await endAll();
  if (claimed !== undefined) release(claimed);
  process.exit(code);
}

function fail(...lines: readonly string[]): Promise<never> {
  for (const line of lines) console.error(line);
  return leave(1);
}

async function main(): Promise<never> {
  const read = readSettings(process.env);
  if (!read.ok) return fail(...read.error);
  const settings = read.value;
  const policy = await policyOf(settings);
  await claimFolder(settings);
  const problem = await portProblem(settings.port);
  if (problem === "EADDRINUSE") return fail(`port ${settings.port} is in use: free it, or set PORT to another`);
  if (problem !== undefined) return fail(`port ${settings.port} cannot be used (${problem}): set PORT to another`);

  console.log(`starting Toolgate on port ${settings.port}`);
  await buildConsole();
  await migrate(settings);
  await placePolicy(settings, policy);
  return serve(settings, policy);
}

/** Undefined where none is to be put in force: the one that is built in is checked all the same. */
async function policyOf({ policyPath, bindings }: Settings): Promise<PolicyFile | undefined> {
  const policy = readPolicyFile(policyPath ?? builtInPolicy);
  if (!policy.ok) return fail(...policy.error);
  // Private addresses are for where this runs.
  const told = policy.value.warnings.filter((warning) => !/^\s*\S+\/allowPrivate: /.test(warning));
  const warnings = [...told, ...unboundSecrets(policy.value.policy, "default", bindings)];
  if (warnings.length > 0) console.warn(["warnings about the policy:", ...warnings].join("\n"));
  return policyPath === undefined ? undefined : policy.value;
}

async function claimFolder({ stateFolder }: Settings): Promise<void> {
  const mine = claim(stateFolder);
  if (mine.ok) claimed = stateFolder;
  else
    await fail(
      `a gateway already runs on ${stateFolder} (pid ${mine.error}): end it, or set TOOLGATE_STATE to another folder`,
    );
}

async function serve(settings: Settings, policy: PolicyFile | undefined): Promise<never> {
  const output = workerOutput((line, stream) => (stream === "stdout" ? console.log(line) : console.error(line)));
  const { stateFolder, port } = settings;
  const bindings = {
    AUDIT_KEY: developmentKey(stateFolder, "audit-key"),
    SIGNING_KEYS: developmentKey(stateFolder, "signing-key"),
    CONNECTION_KEY: developmentKey(stateFolder, "connection-key"),
    PUBLIC_URL: `http://localhost:${port}`,
    ...settings.bindings,
    TOOLGATE_DEV: "1",
  };
  const worker = startDevServer(settings, bindings, output.onLine);
  const ended = worker.ended.then((code) => `the worker ended with code ${code}`);
  const healthy = becomesHealthy(settings.port, startWithinMs);
  const late = `the worker did not become healthy within ${startWithinMs / 1000} s`;
  const trouble = await Promise.race([ended, healthy.then((yes) => (yes ? undefined : late))]);
  if (trouble !== undefined) return fail(...output.withheld(), trouble);
  console.log(greeting(settings, policy, await servedPolicy(settings.port)));
  return fail(await ended);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => leave(0));
// npm may be killed without passing a signal on. Started from elsewhere, outliving the parent may be meant.
if (process.env.npm_lifecycle_event === "start") {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && leave(0), parentCheckMs).unref();
}
main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
