/**
 * The benchmark: Toolgate against a bare pass-through and against `streamText`, the same requests to each in turn.
 *
 *   node test/bench/run.ts [--quick] [--only text-200] [--json FILE] [--assert]
 *
 * Ends with 0 whatever the figures are; with `--assert`, with 1 where a goal is not met, could not be judged, or an
 * answer was wrong.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bundle } from "../../src/cli/bundle-worker.ts";
import { root } from "../../src/cli/settings.ts";
import { type Block, type LoadCase, LoadGenerator } from "./load.ts";
import { bundleWorker, type RunningWorker, startWorker, type WorkerName } from "./miniflare.ts";
import {
  type CaseResult,
  describeCase,
  describeGoal,
  describeMachine,
  goal,
  judgeLatency,
  summarise,
} from "./report.ts";
import { measureStartups, type Startup } from "./startup.ts";
import { startUpstream } from "./upstream.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    assert: { type: "boolean", default: false },
  },
});

const cases: readonly LoadCase[] = [5, 200].flatMap((words) =>
  [1, 16].map((concurrency) => ({ model: `text-${words}`, words, concurrency })),
);

const rounds = options.quick ? 6 : 24;
/** A case ends after this time even if rounds are left, but not before three rounds. */
const caseLimitMs = options.quick ? 10_000 : 35_000;

async function bundleAll(): Promise<Bundle[]> {
  const bundles = [await bundleWorker("bare"), await bundleWorker("streamText")];
  if (!existsSync(join(root, "src/index.ts"))) {
    console.log("toolgate is left out: there is no src/index.ts");
    return bundles;
  }
  try {
    bundles.push(await bundleWorker("toolgate"));
  } catch (error) {
    console.log(
      `toolgate is left out: src/index.ts does not bundle\n${error instanceof Error ? error.message : error}`,
    );
  }
  return bundles;
}

/** The Workers take turns, and another one begins each round, so that noise hits all alike. */
async function runCase(
  generator: LoadGenerator,
  workers: readonly RunningWorker[],
  load: LoadCase,
): Promise<CaseResult> {
  const count = load.concurrency === 1 ? 12 : load.concurrency * 2;
  const blocks = new Map<WorkerName, Block[]>(workers.map(({ name }) => [name, []]));
  for (const { url } of workers) await generator.run(url, load, count * 2);
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round >= 3 && performance.now() - started > caseLimitMs) break;
    for (let turn = 0; turn < workers.length; turn++) {
      const worker = workers[(round + turn) % workers.length];
      if (worker) blocks.get(worker.name)?.push(await generator.run(worker.url, load, count));
    }
  }
  return { load, figures: [...blocks].map(([name, own]) => summarise(name, own)) };
}

interface Run {
  readonly results: readonly CaseResult[];
  /** Those that started. */
  readonly workers: readonly WorkerName[];
}

async function runCases(bundles: readonly Bundle[]): Promise<Run> {
  const upstream = await startUpstream();
  const generator = new LoadGenerator();
  const workers: RunningWorker[] = [];
  const results: CaseResult[] = [];
  try {
    for (const bundle of bundles) {
      try {
        workers.push(await startWorker(bundle.name as WorkerName, bundle, upstream));
      } catch (error) {
        if (bundle.name !== "toolgate") throw error;
        console.log(`toolgate is left out: it does not start\n${error instanceof Error ? error.message : error}`);
      }
    }
    for (const load of cases.filter(({ model }) => options.only === undefined || model === options.only)) {
      const result = await runCase(generator, workers, load);
      results.push(result);
      console.log(`\n${describeCase(result)}`);
    }
  } finally {
    generator.close();
    await Promise.all(workers.map(({ stop }) => stop()));
    await upstream.stop();
  }
  return { results, workers: workers.map(({ name }) => name) };
}

function judgeSize(bundles: readonly Bundle[], startups: ReadonlyMap<string, Startup>) {
  const toolgate = bundles.find(({ name }) => name === "toolgate");
  const [own, bare] = [startups.get("toolgate"), startups.get("bare")];
  if (!toolgate || !own || !bare) return [];
  const cpu = own.cpuMs === undefined || bare.cpuMs === undefined ? undefined : own.cpuMs - bare.cpuMs;
  const added = cpu ?? own.wallMs - bare.wallMs;
  const kib = toolgate.gzipBytes / 1024;
  return [
    goal("bundle at most 1 MiB gzipped", `${kib.toFixed(0)} KiB`, kib <= 1024),
    goal(
      `start-up ${cpu === undefined ? "time" : "CPU"} at most 100 ms over bare's`,
      `${added.toFixed(1)} ms`,
      added <= 100,
    ),
  ];
}

function describeStartups(bundles: readonly Bundle[], startups: ReadonlyMap<string, Startup>): string {
  const lines = bundles.map(({ name, bytes, gzipBytes }) => {
    const { cpuMs, wallMs = Number.NaN } = startups.get(name) ?? {};
    const size = `${(bytes / 1024).toFixed(1)} KiB, ${(gzipBytes / 1024).toFixed(1)} KiB gzipped`;
    return `  ${name}: ${size}; fresh workerd to first answer ${wallMs.toFixed(0)} ms, CPU ${cpuMs?.toFixed(0) ?? "?"} ms`;
  });
  return `sizes and start-up (medians)\n${lines.join("\n")}`;
}

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const machine = describeMachine();
console.log(`${machine.cpu}, ${machine.cores} cores, node ${machine.node}, workerd ${machine.workerd}`);
const allBundles = await bundleAll();
const { results, workers } = await runCases(allBundles);
const bundles = allBundles.filter(({ name }) => workers.some((worker) => worker === name));
const startups = await measureStartups(bundles, options.quick ? 3 : 9);
const goals = [...judgeLatency(results), ...judgeSize(bundles, startups)];
console.log(`\n${describeStartups(bundles, startups)}`);
console.log(`\ngoals\n${goals.map(describeGoal).join("\n") || "  none judged: toolgate did not run"}`);
if (options.json !== undefined) {
  const sizes = bundles.map(({ name, bytes, gzipBytes }) => ({ name, bytes, gzipBytes, ...startups.get(name) }));
  await writeFile(options.json, `${JSON.stringify({ machine, results, sizes, goals }, null, 2)}\n`);
}
const wrong = results.some(({ figures }) => figures.some(({ failures }) => failures.length > 0));
if (options.assert && (wrong || goals.length === 0 || goals.some(({ met }) => !met))) process.exitCode = 1;
