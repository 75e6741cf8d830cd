/**
 * The soak: a steady mix of requests for minutes on end, and whether Toolgate's memory and latency stay flat. The bare
 * Worker is sent the same requests beside it: what its memory does is the runtime's doing.
 *
 *   npm run bench:soak -- [--minutes 10] [--rate 20] [--users 8] [--warm 20000] [--svg FILE] [--json FILE] [--assert]
 *
 * `--warm` is how many requests both are sent before, as fast as they are answered: workerd's own memory grows over the first
 * twenty thousand or so, whatever it serves, and what comes after them tells of the gateway.
 */

import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { brailleChart } from "./chart.ts";
import { findFault } from "./check-answer.ts";
import { describeConditions, noiseWarning, readConditions } from "./conditions.ts";
import { exchange, keepAlive, type Sample } from "./exchange.ts";
import { LoadGenerator, sleepUntil } from "./load.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./miniflare.ts";
import { readUsage } from "./process-usage.ts";
import { json, requestBodies, stream, toolsTurn, type Workload } from "./requests.ts";
import { describeTrend, pointsOf, type SoakSample, trends, watched } from "./soak-verdict.ts";
import { quantile } from "./statistics.ts";
import { type Panel, svgChart } from "./svg-chart.ts";
import { startUpstream } from "./upstream.ts";

const options = programArguments(
  "npm run bench:soak -- [--minutes 10] [--rate 20] [--users 8] [--warm 20000] [--svg FILE] [--json FILE] [--assert]",
  {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "20" },
    users: { type: "string", default: "8" },
    warm: { type: "string", default: "20000" },
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

/** What came in since the last sample was taken. */
interface Interval {
  readonly streams: Sample[];
  readonly failures: string[];
  answers: number;
}

/** Fills caches, has code compiled, and V8's heap grow to what such a load takes. */
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
  due?: number,
): Promise<Sample | string> {
  try {
    const { status, text, sample } = await exchange(agent, worker, body, user, due);
    return (await findFault(status, text, workload)) ?? sample;
  } catch (error) {
    return String(error);
  }
}

async function soak(
  worker: RunningWorker,
  bare: RunningWorker,
): Promise<{ samples: SoakSample[]; failures: string[] }> {
  const agent = new Agent(keepAlive);
  const [rate, users, minutes] = [Number(options.rate), Number(options.users), Number(options.minutes)];
  const samples: SoakSample[] = [];
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  let interval: Interval = { streams: [], failures: [], answers: 0 };
  const begun = performance.now();
  const end = begun + minutes * 60_000;
  let cpuMs = readUsage(worker.pid)?.cpuMs ?? Number.NaN;
  const takeSample = () => {
    const usage = readUsage(worker.pid);
    const memory = { rssMiB: usage?.rssMiB ?? Number.NaN, bareMiB: readUsage(bare.pid)?.rssMiB ?? Number.NaN };
    const at = (performance.now() - begun) / 1000;
    samples.push({ at, ...memory, ...sampleOf(interval, (usage?.cpuMs ?? 0) - cpuMs) });
    cpuMs = usage?.cpuMs ?? Number.NaN;
    failures.push(...interval.failures);
    interval = { streams: [], failures: [], answers: 0 };
  };
  const sampling = setInterval(takeSample, EVERY_MS);
  for (let i = 0, due = begun; due < end; i++, due = begun + (i * 1000) / rate) {
    await sleepUntil(due);
    const { workload, body } = mix[i % mix.length] ?? mix[0] ?? { workload: toolsTurn, body: () => Buffer.alloc(0) };
    // Users take turns out of step with the mix, so that each sends all kinds.
    const user = `soak-${Math.floor(i / mix.length + i) % users}`;
    const one = ask(agent, worker, body(), user, workload, due)
      .then((answer) => {
        interval.answers += 1;
        if (typeof answer === "string") interval.failures.push(answer);
        else if (workload.kind === "stream") interval.streams.push(answer);
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
    // Half-way to the next, so that it holds none of them up.
    await sleepUntil(due + 500 / rate);
    const other = ask(agent, bare, body(), user, workload)
      .then((answer) => {
        if (typeof answer === "string") interval.failures.push(`the bare Worker: ${answer}`);
      })
      .finally(() => underWay.delete(other));
    underWay.add(other);
  }
  clearInterval(sampling);
  await Promise.all(underWay);
  if (interval.answers > rate) takeSample();
  agent.destroy();
  return { samples, failures };
}

/** Latencies are those of the streams: over all kinds they would tell of the mix. */
function sampleOf(interval: Interval, cpuMs: number): Omit<SoakSample, "at" | "rssMiB" | "bareMiB"> {
  const tokens = interval.streams.map(({ firstToken }) => firstToken);
  const totals = interval.streams.map(({ total }) => total);
  return {
    answers: interval.answers,
    failures: interval.failures.length,
    cpuShare: cpuMs / EVERY_MS,
    tokenP50: quantile(tokens, 0.5),
    tokenP99: quantile(tokens, 0.99),
    totalP50: quantile(totals, 0.5),
    totalP99: quantile(totals, 0.99),
  };
}

function draw(samples: readonly SoakSample[]): string {
  return watched.map(({ key, name, unit }) => `${name}, ${unit}\n${brailleChart(pointsOf(samples, key))}`).join("\n\n");
}

function panels(samples: readonly SoakSample[]): Panel[] {
  const series = (key: Parameters<typeof pointsOf>[1], name: string) => ({ name, points: pointsOf(samples, key) });
  return [
    { title: "memory of workerd (RSS), MiB", series: [series("rssMiB", "Toolgate"), series("bareMiB", "bare fetch")] },
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
let bare: RunningWorker | undefined;
try {
  worker = await startWorker("toolgate", await bundleWorker("toolgate"), upstream, undefined, true);
  bare = await startWorker("bare", await bundleWorker("bare"), upstream);
  for (const one of [worker, bare]) await warmUp(one);
  console.log(`${options.rate} starts a second for ${options.minutes} minutes, ${options.users} users`);
  const { samples, failures } = await soak(worker, bare);
  const verdicts = trends(samples);
  const answers = samples.reduce((sum, sample) => sum + sample.answers, 0);
  console.log(
    `\n${draw(samples)}\n\n${answers} answers, ${failures.length} wrong${failures[0] ? `: ${failures[0]}` : ""}`,
  );
  console.log(verdicts.map(describeTrend).join("\n"));
  const title = `Toolgate, ${options.rate} starts a second for ${options.minutes} minutes`;
  if (options.svg !== undefined) await writeFile(options.svg, svgChart(title, panels(samples), "s"));
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ conditions, warning, samples, verdicts, failures }, null, 2)}\n`);
  }
  if (options.assert && (failures.length > 0 || verdicts.some(({ flat }) => !flat))) process.exitCode = 1;
} finally {
  await worker?.stop();
  await bare?.stop();
  await upstream.stop();
}
