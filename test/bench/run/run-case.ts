/** One case: every contender in turn, in an order drawn anew each round, so that noise hits all alike. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Figures, summarise } from "../report/figures.ts";
import { type BenchCase, takesPart } from "./cases.ts";
import type { Contender, ContenderName } from "./contender.ts";
import type { Block, LoadGenerator } from "./load.ts";
import { forgetPeak, readUsage, type Usage } from "./process-usage.ts";
import { json, stream, surfaceStream, toolsTurn } from "./requests.ts";

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
  for (const contender of contenders) await runBlock(generator, contender, bench, pace.warmUpMs, pace.warmUpMs);
  await sleep(SETTLE_MS);
  const before = new Map(contenders.map(({ name, pid }) => [name, readUsage(pid)]));
  for (const { pid } of contenders) forgetPeak(pid);
  const blocks = new Map<ContenderName, Block[]>(contenders.map(({ name }) => [name, []]));
  const begun = performance.now();
  for (let round = 0; round < 2 || performance.now() - begun < pace.caseMs; round++) {
    for (const contender of shuffled(contenders)) {
      blocks.get(contender.name)?.push(await runBlock(generator, contender, bench, pace.blockMs, pace.openBlockMs));
    }
  }
  await sleep(SETTLE_MS);
  const figures = contenders.map(({ name, pid }) =>
    summarise(name, blocks.get(name) ?? [], used(before.get(name), readUsage(pid))),
  );
  return { bench, figures };
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

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
