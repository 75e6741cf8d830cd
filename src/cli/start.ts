/**
 * `npm start`: the gateway on this machine.
 *
 * 1. read the settings and the policy file; refuse what is wrong, before anything is touched
 * 2. claim the state folder and the port
 * 3. put the policy into the local KV
 * 4. start the Worker behind the listener, and the demo model if no upstream is set; wait until the Worker is healthy
 * 5. greet, and serve until a signal ends it with all its children; put the policy in force anew when its file changes
 */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { readCors } from "../settings/cors.ts";
import { readWebhooks } from "../settings/webhooks.ts";
import { startDemo } from "./demo/demo-upstream.ts";
import { builtInPolicy, type PolicyOnDisk, readPolicyLines } from "./policy-file.ts";
import { programArguments, programName } from "./program-arguments.ts";
import { readSettings, type Settings } from "./settings.ts";
import { greeting } from "./start/greeting.ts";
import { type Listener, listen } from "./start/listener.ts";
import { claim, developmentKey, release } from "./start/local-state.ts";
import { placePolicy, storesIn } from "./start/local-stores.ts";
import { workerOutput } from "./start/log-line.ts";
import { policyWarnings } from "./start/policy-warnings.ts";
import { runWorker, type WorkerProcess } from "./start/run-worker.ts";
import { watchPolicy } from "./start/watch-policy.ts";

const usage = `${programName("npm start", "start")}
serves the gateway on http://localhost:8787/v1, with local storage and development keys
settings come from the environment and \`.dev.vars\` (NAME=value): PORT, TOOLGATE_POLICY (a file), TOOLGATE_STATE (a folder),
UPSTREAM_BASE_URL, UPSTREAM_API_KEY and the other settings of docs/settings.md`;

const startWithinMs = 60_000;
const parentCheckMs = 1000;

let claimed: string | undefined;
let worker: WorkerProcess | undefined;
let leaving = false;

async function exitProcess(code: number, word?: string): Promise<never> {
  if (leaving) return new Promise(() => {});
  leaving = true;
  await worker?.end();
  if (claimed !== undefined) release(claimed);
  if (word !== undefined) console.log(word);
  process.exit(code);
}

function fail(...lines: readonly string[]): Promise<never> {
  for (const line of lines) console.error(line);
  return exitProcess(1);
}

async function main(): Promise<never> {
  programArguments(usage, {});
  const read = readSettings(process.env);
  if (!read.ok) return fail(...read.error);
  const settings = read.value;
  for (const warning of settings.warnings) console.warn(`warning: ${warning}`);
  const policy = await readPolicy(settings);
  await claimFolder(settings);
  // In this process: it ends with it, however that ends.
  const demo = settings.upstream === undefined ? await startDemo() : undefined;
  const bindings = { ...bindingsOf(settings), ...demo?.settings };
  const listener = await openListener(settings.port, bindings);

  console.log(`starting Toolgate on port ${settings.port}`);
  await placePolicy(settings, settings.policyPath === undefined ? undefined : policy);
  return serve(settings, policy, bindings, listener);
}

/** The policy of the file that the settings name, else the built-in one. */
async function readPolicy({ policyPath, bindings }: Settings): Promise<PolicyOnDisk> {
  const policy = await readPolicyLines(policyPath ?? builtInPolicy);
  if (!policy.ok) return fail(...policy.error);
  const warnings = policyWarnings(policy.value, bindings);
  if (warnings.length > 0) console.warn(["warnings about the policy:", ...warnings].join("\n"));
  return policy.value;
}

async function claimFolder({ stateFolder }: Settings): Promise<void> {
  const mine = claim(stateFolder);
  if (mine.ok) {
    claimed = stateFolder;
    return;
  }
  const other = "set TOOLGATE_STATE to another folder";
  if (mine.error.kind === "runs")
    await fail(`a gateway already runs on ${stateFolder} (pid ${mine.error.pid}): end it, or ${other}`);
  else await fail(`nothing can be kept in ${stateFolder} (${mine.error.reason}): ${other}`);
}

type Bindings = Readonly<Record<string, string>>;

/** The settings, with the keys that `npm run deploy` would make, and with the bindings that are for development alone. */
function bindingsOf({ stateFolder, port, bindings }: Settings): Bindings {
  return {
    AUDIT_KEY: developmentKey(stateFolder, "audit-key"),
    SIGNING_KEYS: developmentKey(stateFolder, "signing-key"),
    CONNECTION_KEY: developmentKey(stateFolder, "connection-key"),
    PUBLIC_URL: `http://localhost:${port}`,
    ...bindings,
    TOOLGATE_DEV: "1",
    TOOLGATE_LISTENER_SECRET: randomBytes(32).toString("hex"),
  };
}

async function openListener(port: number, bindings: Bindings): Promise<Listener> {
  const [cors, webhooks] = [readCors(bindings), readWebhooks(bindings)];
  // `readSettings` has refused wrong ones.
  if (!cors.ok || !webhooks.ok) return fail("the settings cannot be read");
  const secret = bindings.TOOLGATE_LISTENER_SECRET ?? "";
  const listener = await listen({ port, secret, cors: cors.value, publicUrl: webhooks.value.publicUrl });
  if (listener.ok) return listener.value;
  if (listener.error === "EADDRINUSE") return fail(`port ${port} is in use: free it, or set PORT to another`);
  return fail(`port ${port} cannot be used (${listener.error}): set PORT to another`);
}

async function serve(settings: Settings, policy: PolicyOnDisk, bindings: Bindings, listener: Listener): Promise<never> {
  const output = workerOutput((line, stream) => (stream === "stdout" ? console.log(line) : console.error(line)));
  worker = runWorker(storesIn(settings.stateFolder), bindings, output.onLine);
  const ended = worker.ended.then((code) => `the worker ended with code ${code}`);
  const healthy = worker.origin.then((origin) => {
    listener.passTo(origin);
    return becomesHealthy(settings.port, startWithinMs);
  });
  const late = `the worker did not become healthy within ${startWithinMs / 1000} s`;
  const inTime = Promise.race([healthy, wait(startWithinMs, false, { ref: false })]);
  const trouble = await Promise.race([ended, inTime.then((yes) => (yes ? undefined : late))]);
  if (trouble !== undefined) return fail(...output.withheld(), trouble);
  watchPolicy(settings, policy);
  const text = await greeting(settings, policy);
  // Only now: the log does not show the greeting's own request.
  output.showLog();
  console.log(text);
  return fail(await ended);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => exitProcess(0, "stopped"));
// npm may be killed without passing a signal on. Started from elsewhere, outliving the parent may be meant.
if (process.env.npm_lifecycle_event === "start") {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && exitProcess(0), parentCheckMs).unref();
}
main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));

/** True once `GET /health` answers 200; false after the time. */
async function becomesHealthy(port: number, withinMs: number): Promise<boolean> {
  const deadline = AbortSignal.timeout(withinMs);
  while (!deadline.aborted) {
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/health`, { signal: deadline });
      await reply.body?.cancel();
      if (reply.status === 200) return true;
    } catch {
      // Not listening yet.
    }
    await wait(100);
  }
  return false;
}
