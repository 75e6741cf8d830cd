/** The load generator: the same requests to any gateway, in a closed or an open loop, every answer checked. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { findFault } from "./check-answer.ts";
import { type Exchange, exchange, keepAlive, type Sample, type Target } from "./exchange.ts";
import { type RequestOptions, requestBodies, type Workload } from "./requests.ts";
import { benchSurfaces } from "./surfaces.ts";

/** So many at a time, each next one when one has ended: as many as `atLeast`, and for so long as `forMs`. */
export interface ClosedLoop {
  readonly concurrency: number;
  readonly atLeast: number;
  readonly forMs: number;
}

/** So many starts a second for so long, whether or not earlier ones have ended. */
export interface OpenLoop {
  readonly perSecond: number;
  readonly forMs: number;
}

export interface Block {
  readonly samples: readonly Sample[];
  readonly elapsedMs: number;
  /** What was wrong with answers that do not count. */
  readonly failures: readonly string[];
}

/** Users that an open loop's requests come from. */
const USERS = 8;

export class LoadGenerator {
  readonly #agent = new Agent(keepAlive);
  readonly #bodies = new Map<string, () => Buffer>();

  async closed(target: Target, workload: Workload, loop: ClosedLoop, options?: RequestOptions): Promise<Block> {
    const body = this.#bodyOf(workload, options);
    const surface = benchSurfaces[workload.surface];
    const gathered = gather();
    const begun = performance.now();
    let made = 0;
    const slot = async (user: number) => {
      while (made < loop.atLeast || performance.now() - begun < loop.forMs) {
        made += 1;
        await gathered.take(exchange(this.#agent, target, body(), `bench-${user}`, undefined, surface));
      }
    };
    await Promise.all(Array.from({ length: loop.concurrency }, (_, user) => slot(user)));
    return gathered.block(workload, performance.now() - begun);
  }

  /** Times count from when a request was due: one that a stall held up shows how long (no coordinated omission). */
  async open(target: Target, workload: Workload, { perSecond, forMs }: OpenLoop): Promise<Block> {
    const body = this.#bodyOf(workload);
    const surface = benchSurfaces[workload.surface];
    const gathered = gather();
    const begun = performance.now();
    const all: Promise<void>[] = [];
    for (let i = 0; i < (perSecond * forMs) / 1000; i++) {
      const due = begun + (i * 1000) / perSecond;
      await sleepUntil(due);
      all.push(gathered.take(exchange(this.#agent, target, body(), `bench-${i % USERS}`, due, surface)));
    }
    await Promise.all(all);
    return gathered.block(workload, performance.now() - begun);
  }

  close(): void {
    this.#agent.destroy();
  }

  #bodyOf(workload: Workload, options?: RequestOptions): () => Buffer {
    if (options) return requestBodies(workload, options);
    const key = `${workload.surface} ${workload.kind} ${workload.model}`;
    const known = this.#bodies.get(key) ?? requestBodies(workload);
    this.#bodies.set(key, known);
    return known;
  }
}

/** A timer rings late, never early enough: what is due already is not waited for. */
export async function sleepUntil(due: number): Promise<void> {
  const left = due - performance.now();
  if (left > 0) await sleep(left);
}

function gather() {
  const exchanges: Exchange[] = [];
  const failures: string[] = [];
  return {
    take: (one: Promise<Exchange>): Promise<void> =>
      one.then(
        (done) => void exchanges.push(done),
        (error: unknown) => void failures.push(String(error)),
      ),
    /** Checked after the clock has stopped: parsing shares the event loop with the requests. */
    async block(workload: Workload, elapsedMs: number): Promise<Block> {
      const samples: Sample[] = [];
      for (const { status, text, sample } of exchanges) {
        const fault = await findFault(status, text, workload);
        if (fault === undefined) samples.push(sample);
        else failures.push(fault);
      }
      return { samples, elapsedMs, failures };
    },
  };
}
