/**
 * The soak: a steady mix of requests for minutes on end, and whether Toolgate's live heap and latency stay flat. Every few
 * seconds no request is sent until all are answered; then the heap is collected, and what is left is measured.
 *
 *   npm run bench:soak -- [--minutes 10] [--rate 20] [--users 8] [--warm 5000] [--leak 0] [--svg FILE] [--json FILE] [--assert]
 *
 * `--warm` is how many requests are sent before, as fast as they are answered: bounded caches fill up. `--leak 1000` plants a leak of so many
 * bytes a request: the soak must find it.
 */

import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { brailleChart } from "./report/chart.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import {
  describeHeap,
  describeLatency,
  heapTrend,
  latencyTrends,
  pointsOf,
  type SoakSample,
  watched,
} from "./report/soak-verdict.ts";
import { quantile } from "./report/statistics.ts";
import { type Panel, svgChart } from "./report/svg-chart.ts";
import { show } from "./report/table.ts";
import { findFault } from "./run/check-answer.ts";
import { exchange, keepAlive, type Sample } from "./run/exchange.ts";
import { freePort } from "./run/free-port.ts";
import { type LiveHeap, openLiveHeap } from "./run/live-heap.ts";
import { LoadGenerator, sleepUntil } from "./run/load.ts";
import { bundleSoaked, type RunningWorker, startWorker } from "./run/miniflare.ts";
import { readUsage } from "./run/process-usage.ts";
import { json, requestBodies, stream, toolsTurn, type Workload } from "./run/requests.ts";
import { startUpstream } from "./run/upstream.ts";

const options = programArguments(
  "npm run bench:soak -- [--minutes 10] [--rate 20] [--users 8] [--warm 20000] [--svg FILE] [--json FILE] [--assert]",
  {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "20" },
    users: { type: "string", default: "8" },
    warm: { type: "string", default: "5000" },
    leak: { type: "string", default: "0" },
    svg: { type: "string" },
    json: { type: "string" },
    assert: { type: "boolean", default: false },
  },
);

const EVERY_MS = 5000;

/** Half are streams at a model's pace (all alike, so that their median tells of the gateway), a quarter calls, a quarter JSON. */
const mix = [stream(50, 5), toolsTurn, stream(50, 5), json(200)].map((workload) => ({
  workload,
  body: requestBodies(workload),
}));

/** Fills caches, and has code compiled. */
async function warmUp(worker: RunningWorker): Promise<void> {
  const generator = new LoadGenerator();
  const kinds = [stream(50), toolsTurn, json(200)];
  const loop = { concurrency: 4, atLeast: Math.ceil(Number(options.warm) / kinds.length), forMs: 0 };
  if (loop.atLeast > 0) for (const kind of kinds) await generator.closed(worker, kind, loop);
  generator.close();
}

/** What a request came to, or what was wrong with its answer. */
async function ask(
  agent: Agent,
  worker: RunningWorker,
  body: Buffer,
  user: string,
  workload: Workload,
  due: number,
): Promise<Sample | string> {
  try {
    const { status, text, sample } = await exchange(agent, worker, body, user, due);
    return (await findFault(status, text, workload)) ?? sample;
  } catch (error) {
    return String(error);
  }
}

/** One interval of the load. Every request is answered when it ends. */
async function load(agent: Agent, worker: RunningWorker, first: number, count: number): Promise<(Sample | string)[]> {
  const [rate, users] = [Number(options.rate), Number(options.users)];
  const begun = performance.now();
  const answers: Promise<Sample | string>[] = [];
  for (let i = first; i < first + count; i++) {
    const due = begun + ((i - first) * 1000) / rate;
    await sleepUntil(due);
    const { workload, body } = mix[i % mix.length] as (typeof mix)[number];
    // Users take turns out of step with the mix, so that each sends all kinds.
    const user = `soak-${Math.floor(i / mix.length + i) % users}`;
    answers.push(ask(agent, worker, body(), user, workload, due));
  }
  return Promise.all(answers);
}

async function soak(worker: RunningWorker, heap: LiveHeap): Promise<{ samples: SoakSample[]; failures: string[] }> {
  const agent = new Agent(keepAlive);
  const samples: SoakSample[] = [];
  const failures: string[] = [];
  const count = Math.round((Number(options.rate) * EVERY_MS) / 1000);
  const begun = performance.now();
  const intervals = Math.round((Number(options.minutes) * 60_000) / EVERY_MS);
  for (let first = 0; first < intervals * count; first += count) {
    const cpuMs = readUsage(worker.pid)?.cpuMs ?? Number.NaN;
    const answers = await load(agent, worker, first, count);
    const usage = readUsage(worker.pid);
    const wrong = answers.filter((answer) => typeof answer === "string");
    failures.push(...wrong);
    samples.push({
      at: (performance.now() - begun) / 1000,
      answers: answers.length,
      failures: wrong.length,
      heapBytes: await heap.read(),
      rssMiB: usage?.rssMiB ?? Number.NaN,
      cpuShare: ((usage?.cpuMs ?? Number.NaN) - cpuMs) / EVERY_MS,
      ...latenciesOf(answers.filter((_, i) => mix[(first + i) % mix.length]?.workload.kind === "stream")),
    });
  }
  agent.destroy();
  return { samples, failures };
}

/** Those of the streams alone: over all kinds they would tell of the mix. */
function latenciesOf(streams: readonly (Sample | string)[]): Pick<SoakSample, (typeof watched)[number]["key"]> {
  const answered = streams.filter((answer) => typeof answer !== "string");
  const tokens = answered.map(({ firstToken }) => firstToken);
  const totals = answered.map(({ total }) => total);
  return {
    tokenP50: quantile(tokens, 0.5),
    tokenP99: quantile(tokens, 0.99),
    totalP50: quantile(totals, 0.5),
    totalP99: quantile(totals, 0.99),
  };
}

const heapPoints = (samples: readonly SoakSample[]) =>
  samples.map(({ at, heapBytes }) => ({ x: at, y: heapBytes / 2 ** 20 }));

function draw(samples: readonly SoakSample[]): string {
  const charts = watched.map(({ key, name }) => [`${name}, ms`, pointsOf(samples, key)] as const);
  return [["heap after a collection, MiB", heapPoints(samples)] as const, ...charts]
    .map(([title, points]) => `${title}\n${brailleChart(points)}`)
    .join("\n\n");
}

function panels(samples: readonly SoakSample[]): Panel[] {
  const series = (key: Parameters<typeof pointsOf>[1], name: string) => ({ name, points: pointsOf(samples, key) });
  const memory = [{ name: "heap after a collection", points: heapPoints(samples) }, series("rssMiB", "RSS")];
  return [
    { title: "memory, MiB", series: memory },
    { title: "first token, ms", series: [series("tokenP50", "p50"), series("tokenP99", "p99")] },
    { title: "whole answer, ms", series: [series("totalP50", "p50"), series("totalP99", "p99")] },
  ];
}

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

const conditions = readConditions();
const warning = noiseWarning(conditions);
console.log(describeConditions(conditions));
if (warning) console.log(`WARNING: ${warning}`);
const upstream = await startUpstream();
let worker: RunningWorker | undefined;
let heap: LiveHeap | undefined;
try {
  const inspectorPort = await freePort();
  const variables = { BENCH_LEAK: options.leak };
  worker = await startWorker("toolgate", await bundleSoaked(), upstream, { inspectorPort, onDisk: true, variables });
  heap = await openLiveHeap(inspectorPort, "toolgate", worker.url);
  await warmUp(worker);
  console.log(`${options.rate} starts a second for ${options.minutes} minutes, ${options.users} users`);
  const { samples, failures } = await soak(worker, heap);
  const memory = heapTrend(samples);
  const latencies = latencyTrends(samples);
  const answers = samples.reduce((sum, sample) => sum + sample.answers, 0);
  console.log(
    `\n${draw(samples)}\n\n${answers} answers, ${failures.length} wrong${failures[0] ? `: ${failures[0]}` : ""}`,
  );
  console.log([describeHeap(memory), ...latencies.map(describeLatency)].join("\n"));
  const [first, last] = [samples[0]?.rssMiB, samples.at(-1)?.rssMiB];
  console.log(
    `            memory of workerd's process (RSS): ${show(first, 0)} MiB at first, ${show(last, 0)} at last; not judged`,
  );
  const title = `Toolgate, ${options.rate} starts a second for ${options.minutes} minutes`;
  if (options.svg !== undefined) await writeFile(options.svg, svgChart(title, panels(samples), "s"));
  if (options.json !== undefined) {
    const figures = { conditions, warning, samples, memory, latencies, failures };
    await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
  const isSteady = memory.verdict === "flat" && latencies.every(({ flat }) => flat);
  if (options.assert && (failures.length > 0 || !isSteady)) process.exitCode = 1;
} finally {
  heap?.close();
  await worker?.stop();
  await upstream.stop();
}
