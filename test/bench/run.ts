/**
 * The benchmark: Toolgate against a bare pass-through, a loop by hand, one that only counts, `streamText` and Portkey's gateway; the same
 * requests to each in turn, against one scripted upstream.
 *
 *   npm run bench -- [--quick] [--only stream-200] [--peers none] [--markdown] [--growth] [--json FILE] [--assert]
 *   npm run bench -- --far 50 [--quick]
 *
 * Chats, the Responses API and the UI message stream are measured beside each other too: through the bare pass-through, the one that
 * counts, and Toolgate.
 *
 * `--far` measures something else: what the first token waits for where each call of an object takes so many milliseconds on its way
 * there, and as many back.
 *
 * `--only` takes a case with or without how many at a time (`stream-200/1`, `stream-200`, `stream`, `surfaces`, `open`). Ends with 0
 * whatever the figures are; with `--assert`, with 1 where a goal is not met or none could be judged, or an answer was wrong.
 */
import { writeFile } from "node:fs/promises";
import type { Bundle } from "../../src/cli/build/worker.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { benchFar } from "./far.ts";
import { measureGrowth } from "./growth.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { describeGoal, judge } from "./report/goals.ts";
import { describeGrowth } from "./report/growth-report.ts";
import { describeCase, markdownReport } from "./report/report.ts";
import { describeSurfaces } from "./report/surfaces.ts";
import { type BenchCase, cases, surfaceCases, takesPart } from "./run/cases.ts";
import type { Contender } from "./run/contender.ts";
import { LoadGenerator } from "./run/load.ts";
import { bundleWorker, startWorker, type WorkerName } from "./run/miniflare.ts";
import { startPortkey } from "./run/portkey.ts";
import { type CaseResult, type Pace, runBeside, runCase, warmUp } from "./run/run-case.ts";
import { describeSizes, judgeSizes, measureSizes } from "./run/sizes.ts";
import { measureTokenCpu } from "./run/token-cpu.ts";
import { startUpstream } from "./run/upstream.ts";

const options = programArguments(
  "npm run bench -- [--quick] [--only stream-200] [--peers none] [--markdown] [--growth] [--json FILE] [--assert] [--far 50]",
  {
    far: { type: "string" },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    peers: { type: "string", default: "portkey" },
    markdown: { type: "boolean", default: false },
    growth: { type: "boolean", default: false },
    json: { type: "string" },
    assert: { type: "boolean", default: false },
  },
);

const pace: Pace = options.quick
  ? { blockMs: 150, openBlockMs: 1000, caseMs: 1500, warmUpMs: 200 }
  : { blockMs: 400, openBlockMs: 4000, caseMs: 20_000, warmUpMs: 400 };

const workers: readonly WorkerName[] = ["bare", "loop", "counting", "streamText", "toolgate"];

type Picked = readonly (BenchCase | readonly BenchCase[])[];

function pickCases(): Picked {
  const { only } = options;
  const isPicked = ({ id }: BenchCase) =>
    only === undefined || id === only || id.startsWith(`${only}/`) || id.startsWith(`${only}-`);
  const picked = [...cases.filter(isPicked), ...surfaceCases.filter((beside) => beside.some(isPicked))];
  const ids = [...cases, ...surfaceCases.flat()].map(({ id }) => id);
  if (picked.length === 0) throw new Error(`there is no case \`${only}\`: ${ids.join(", ")}`);
  return picked;
}

async function runCases(picked: Picked, bundles: readonly Bundle[]): Promise<CaseResult[]> {
  const upstream = await startUpstream();
  const generator = new LoadGenerator();
  const contenders: Contender[] = [];
  const results: CaseResult[] = [];
  try {
    for (const bundle of bundles) contenders.push(await startWorker(bundle.name as WorkerName, bundle, upstream));
    if (options.peers !== "none") {
      const portkey = await startPortkey(upstream).catch((error: Error) => void console.log(leftOut(error)));
      if (portkey) contenders.splice(-1, 0, portkey);
    }
    await warmUp(generator, contenders, options.quick ? 600 : 6000);
    for (const bench of picked) {
      if ("length" in bench) {
        const beside = await runBeside(generator, contenders.filter(speaksAll), bench, pace);
        results.push(...beside);
        const cpu = await measureTokenCpu(contenders.filter(speaksAll), bench, options.quick ? 5 : 30);
        console.log(`\n${describeSurfaces(beside, cpu)}`);
        continue;
      }
      const able = contenders.filter(({ name }) => takesPart(name, bench.workload));
      const result = await runCase(generator, able, bench, pace);
      results.push(result);
      console.log(`\n${describeCase(result)}`);
    }
  } finally {
    generator.close();
    await Promise.all(contenders.map(({ stop }) => stop()));
    await upstream.stop();
  }
  return results;
}

const speaksAll = ({ name }: Contender): boolean =>
  surfaceCases.flat().every(({ workload }) => takesPart(name, workload));

const leftOut = (error: Error) => `Portkey's gateway is left out: ${error.message}`;

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

async function compare(): Promise<void> {
  const picked = pickCases();
  const bundles = await Promise.all(workers.map(bundleWorker));
  const results = await runCases(picked, bundles);
  const sizes = await measureSizes(bundles, options.quick ? 3 : 9);
  const growth = options.growth ? await measureGrowth({ quick: options.quick }) : undefined;
  const goals = [...judge(results), ...judgeSizes(sizes)];
  console.log(`\n${describeSizes(sizes)}`);
  if (growth) console.log(`\n${describeGrowth(growth)}`);
  console.log(`\ngoals\n${goals.map(describeGoal).join("\n")}`);
  if (warning) console.log(`\nWARNING: ${warning}`);
  if (options.markdown) console.log(`\n${describeConditions(conditions)}\n\n${markdownReport(results)}`);
  if (options.json !== undefined) {
    await writeFile(
      options.json,
      `${JSON.stringify({ conditions, warning, results, sizes, growth, goals }, null, 2)}\n`,
    );
  }
  const wrong = results.some(({ figures }) => figures.some(({ failures }) => failures.length > 0));
  if (options.assert && (wrong || results.length === 0 || goals.some(({ met }) => !met))) process.exitCode = 1;
}

const conditions = readConditions();
const warning = noiseWarning(conditions);
console.log(describeConditions(conditions));
if (warning) console.log(`WARNING: ${warning}`);
if (options.far === undefined) await compare();
else await benchFar(Number(options.far), options.quick);
