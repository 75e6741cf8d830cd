/**
 * A quick look at one Worker: many requests of one kind, and where their time goes.
 *
 *   node test/bench/profile.ts [--kind text-200|responses-50|ui-50|json|tools] [--requests 300] [--concurrency 1] [--worker toolgate]
 *     [--compare bare] [--cpu [--cpuprofile FILE]]
 *
 * `--cpu` lists the functions that take the most, and the parts of a turn; `--cpuprofile` writes what DevTools reads.
 */
import { writeFile } from "node:fs/promises";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import { partsOf, profileWhile, sharesOf } from "./run/cpu-profile.ts";
import type { Sample } from "./run/exchange.ts";
import { freePort } from "./run/free-port.ts";
import { type Block, type ClosedLoop, LoadGenerator } from "./run/load.ts";
import { bundleReadable, bundleWorker, startWorker, type WorkerName } from "./run/miniflare.ts";
import { json, stream, surfaceStream, toolsTurn, type Workload } from "./run/requests.ts";
import { startUpstream } from "./run/upstream.ts";

const options = programArguments(
  "node test/bench/profile.ts [--kind text-200|responses-50|ui-50|json|tools] [--requests 300] [--concurrency 1] [--worker toolgate] [--compare bare] [--cpu [--cpuprofile FILE]]",
  {
    kind: { type: "string", default: "text-200" },
    requests: { type: "string", default: "300" },
    concurrency: { type: "string", default: "1" },
    worker: { type: "string", default: "toolgate" },
    compare: { type: "string" },
    cpu: { type: "boolean", default: false },
    cpuprofile: { type: "string" },
  },
);

const workerNames: readonly WorkerName[] = ["bare", "loop", "counting", "streamText", "toolgate"];

function readWorkerName(name: string): WorkerName {
  const found = workerNames.find((known) => known === name);
  if (!found) throw new Error(`\`${name}\` is not a Worker: give one of ${workerNames.join(", ")}`);
  return found;
}

function readWorkload(kind: string): Workload {
  if (kind === "json") return json(200);
  if (kind === "tools") return toolsTurn;
  const [, format, provider, count] = /^(text|responses|ui)-(?:([a-z]+)-)?(\d+)$/.exec(kind) ?? [];
  if (format === undefined)
    throw new Error(`\`${kind}\` is none of \`json\`, \`tools\`, and texts such as \`text-200\`, \`ui-50\``);
  const words = Number(count);
  return format === "text" ? stream(words) : surfaceStream(format === "ui" ? "ui" : "responses", words, provider);
}

function describe(samples: readonly Sample[], key: keyof Sample): string {
  const values = samples.map((sample) => sample[key]);
  return [0.5, 0.9, 0.99].map((q) => `p${q * 100} ${quantile(values, q).toFixed(2)}`).join("  ");
}

function report(name: WorkerName, { samples, failures, elapsedMs }: Block): void {
  const perSecond = (samples.length * 1000) / elapsedMs;
  console.log(`${name}: ${workload.name}, concurrency ${loop.concurrency}, ${perSecond.toFixed(0)} requests/s (ms)`);
  for (const key of ["headers", "firstByte", "firstToken", "total"] as const) {
    console.log(`  ${key.padEnd(10)}  ${describe(samples, key)}`);
  }
  if (failures.length > 0) console.log(`  ${failures.length} wrong, the first: ${failures[0]}`);
}

const workload = readWorkload(options.kind);
const loop: ClosedLoop = { concurrency: Number(options.concurrency), atLeast: Number(options.requests), forMs: 0 };

/** What Toolgate does in a turn, by the functions that it begins with. */
const parts = {
  classify: "intents by meaning",
  findLexical: "intents by words",
  callApi: "the object's calls",
  transactionSync: "the object's writes behind its answers",
  alarm: "the object's alarm",
  offerStep: "the offer",
  vetStep: "vetting",
  relayStream: "the relay of the upstream's stream",
  attemptOnce: "the upstream, but for its stream",
  doStream: "the AI SDK",
  closeTurn: "the record, before the object has it",
  writeLine: "the line in the log (most of it is the debugger's)",
  "(garbage collector)": "collecting garbage",
} as const;

async function look(name: WorkerName): Promise<void> {
  const inspectorPort = options.cpu ? await freePort() : undefined;
  const bundle = await (options.cpu ? bundleReadable : bundleWorker)(name);
  const worker = await startWorker(name, bundle, upstream, { inspectorPort });
  try {
    await generator.closed(worker, workload, { ...loop, atLeast: Math.ceil(loop.atLeast / 5) });
    if (inspectorPort === undefined) return report(name, await generator.closed(worker, workload, loop));
    const profile = await profileWhile(inspectorPort, name, async () => {
      report(name, await generator.closed(worker, workload, loop));
    });
    const shares = sharesOf(profile).slice(0, 45);
    const perRequest = (ms: number) => show((ms * 1000) / loop.atLeast, 1);
    const rows = shares.map((share) => [share.name, perRequest(share.selfMs), perRequest(share.totalMs)]);
    console.log(plainTable([["function:line (µs a request)", "self", "total"], ...rows]));
    const byPart = partsOf(profile, parts).map(([part, share]) => [part, `${show(share * 100, 1)} %`]);
    console.log(plainTable([["part", "share"], ...byPart]));
    console.log(`  lines are those of ${bundle.path}`);
    if (options.cpuprofile !== undefined) await writeFile(options.cpuprofile, JSON.stringify(profile));
  } finally {
    await worker.stop();
  }
}

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const upstream = await startUpstream();
const generator = new LoadGenerator();
try {
  for (const name of [options.worker, ...(options.compare === undefined ? [] : [options.compare])]) {
    await look(readWorkerName(name));
  }
} finally {
  generator.close();
  await upstream.stop();
}
