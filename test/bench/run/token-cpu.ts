/**
 * What the serving process computes until the first token is there. Other work on the machine makes each token late, but leaves this as
 * it is. The words come slowly, and a pause is between two requests: what is done behind the first token counts for nothing.
 */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../report/statistics.ts";
import type { BenchCase } from "./cases.ts";
import { findFault } from "./check-answer.ts";
import type { Contender, ContenderName } from "./contender.ts";
import { exchange, keepAlive } from "./exchange.ts";
import { threadsCpuMs } from "./process-usage.ts";
import { requestBodies } from "./requests.ts";
import { shuffled } from "./shuffled.ts";
import { benchSurfaces } from "./surfaces.ts";

const PAUSE_MS = 60;

/** Milliseconds, medians; of the cases in their order. Absent where the system does not tell. */
export type TokenCpu = readonly ReadonlyMap<ContenderName, number>[];

/** @param benches their words are not used: all are asked for the same few. */
export async function measureTokenCpu(
  contenders: readonly Contender[],
  benches: readonly BenchCase[],
  rounds: number,
): Promise<TokenCpu> {
  const agent = new Agent(keepAlive);
  const parts = benches.flatMap(({ workload }) => {
    const slow = { ...workload, model: workload.model.replace(/text-\d+$/, "text-3-every-40ms"), words: 3 };
    return contenders.map((contender) => ({ contender, slow, body: requestBodies(slow), took: [] as number[] }));
  });
  try {
    // The first round makes connections, and counts for nothing.
    for (let round = -1; round < rounds; round += 1) {
      for (const { contender, slow, body, took } of shuffled(parts)) {
        await sleep(PAUSE_MS);
        const before = threadsCpuMs(contender.pid);
        let after: number | undefined;
        const onToken = () => {
          after = threadsCpuMs(contender.pid);
        };
        const surface = benchSurfaces[slow.surface];
        const { status, text } = await exchange(agent, contender, body(), "bench-cpu", undefined, surface, onToken);
        const fault = await findFault(status, text, slow);
        if (fault !== undefined) throw new Error(`${contender.name}, ${slow.name}: ${fault}`);
        if (round >= 0 && before !== undefined && after !== undefined) took.push(after - before);
      }
    }
  } finally {
    agent.destroy();
  }
  return benches.map((_, at) => {
    const own = parts.slice(at * contenders.length, (at + 1) * contenders.length);
    return new Map(own.flatMap(({ contender, took }) => (took.length > 0 ? [[contender.name, median(took)]] : [])));
  });
}
