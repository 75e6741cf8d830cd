/** Cases: every contender in turn, in an order drawn anew each round, so that noise hits all alike. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Figures, summarise } from "../report/figures.ts";
import { type BenchCase, takesPart } from "./cases.ts";
import type { Contender, ContenderName } from "./contender.ts";
import type { Block, LoadGenerator } from "./load.ts";
import { forgetPeak, readUsage, type Usage } from "./process-usage.ts";
import { json, stream, surfaceStream, toolsTurn } from "./requests.ts";
import { shuffled } from "./shuffled.ts";

export interface CaseResult {
  readonly bench: BenchCase;
  readonly figures: readonly Figures[];
}

export interface Pace {
  /** How long one contender runs before the next has its turn. */
  readonly blockMs: number;
  readonly openBlockMs: number;
  /** No round begins after this time, but two are run in any case. */
  readonly caseMs: number;
  readonly warmUpMs: number;
}

/** Until work that follows an answer (writes behind it, the audit's delivery) is done. */
const SETTLE_MS = 400;

/** Compiles the code, fills the caches and makes the users' objects, before anything is measured. */
export async function warmUp(generator: LoadGenerator, contenders: readonly Contender[], forMs: number): Promise<void> {
  const loop = { concurrency: 16, atLeast: 16, forMs: forMs / 3 };
  for (const contender of contenders) {
    const workloads = [stream(50), toolsTurn, json(200), surfaceStream("responses", 50), surfaceStream("ui", 50)];
    for (const workload of workloads.filter((one) => takesPart(contender.name, one)))
      await generator.closed(contender, workload, loop);
  }
}

export async function runCase(
  generator: LoadGenerator,
  contenders: readonly Contender[],
  bench: BenchCase,
  pace: Pace,
): Promise<CaseResult> {
  const blocks = new Map<ContenderName, Block[]>(contenders.map(({ name }) => [name, []]));
  const parts = contenders.map((contender) => ({ contender, bench, blocks: blocks.get(contender.name) ?? [] }));
  let before = new Map<ContenderName, Usage | undefined>();
  await runRounds(generator, parts, pace, () => {
    before = new Map(contenders.map(({ name, pid }) => [name, readUsage(pid)]));
    for (const { pid } of contenders) forgetPeak(pid);
  });
  await sleep(SETTLE_MS);
  const figures = contenders.map(({ name, pid }) =>
    summarise(name, blocks.get(name) ?? [], used(before.get(name), readUsage(pid))),
  );
  return { bench, figures };
}

/** Several cases beside each other. What a process used cannot be told apart then. */
export async function runBeside(
  generator: LoadGenerator,
  contenders: readonly Contender[],
  benches: readonly BenchCase[],
  pace: Pace,
): Promise<CaseResult[]> {
  const parts = benches.map((bench) => contenders.map((contender) => ({ contender, bench, blocks: [] as Block[] })));
  await runRounds(generator, parts.flat(), { ...pace, blockMs: pace.blockMs / benches.length }, () => {});
  return benches.map((bench, at) => ({
    bench,
    figures: (parts[at] ?? []).map(({ contender, blocks }) => summarise(contender.name, blocks, undefined)),
  }));
}

interface Part {
  readonly contender: Contender;
  readonly bench: BenchCase;
  readonly blocks: Block[];
}

/** @param onWarm called when all have run for a while that does not count. */
async function runRounds(
  generator: LoadGenerator,
  parts: readonly Part[],
  { blockMs, openBlockMs, caseMs, warmUpMs }: Pace,
  onWarm: () => void,
): Promise<void> {
  for (const { contender, bench } of parts) await runBlock(generator, contender, bench, warmUpMs, warmUpMs);
  await sleep(SETTLE_MS);
  onWarm();
  const begun = performance.now();
  for (let round = 0; round < 2 || performance.now() - begun < caseMs; round++) {
    for (const { contender, bench, blocks } of shuffled(parts))
      blocks.push(await runBlock(generator, contender, bench, blockMs, openBlockMs));
  }
}

function runBlock(
  generator: LoadGenerator,
  contender: Contender,
  { workload, arrival }: BenchCase,
  closedMs: number,
  openMs: number,
): Promise<Block> {
  if ("perSecond" in arrival) return generator.open(contender, workload, { ...arrival, forMs: openMs });
  const { concurrency } = arrival;
  return generator.closed(contender, workload, { concurrency, atLeast: concurrency * 2, forMs: closedMs });
}

/** CPU of the whole case, not of its own blocks alone: what is done after an answer falls into another's block. */
function used(before: Usage | undefined, after: Usage | undefined) {
  return before && after && { ...after, cpuMs: after.cpuMs - before.cpuMs };
}
