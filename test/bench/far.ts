/** What a far object costs, as a table: the first token of each turn of a conversation, and calls of the model under a mixed load. */
import { plainTable, show, signed } from "./report/table.ts";
import { countCalls, type FarSamples, farTurns, measureFar, p50 } from "./run/far.ts";
import { LoadGenerator } from "./run/load.ts";
import { bundleFar, type RunningWorker, startWorker, type WorkerName } from "./run/miniflare.ts";
import { warmUp } from "./run/run-case.ts";
import { startUpstream } from "./run/upstream.ts";

const workers = ["bare", "counting", "toolgate"] as const satisfies readonly WorkerName[];

const titles = {
  fresh: "a fresh conversation",
  further: "a further message",
  call: "a call is released",
  continuation: "a continuation with a tool's result",
} as const;

/** Of a request that the client says it sends again, the gateway waits for the object. */
const waiting = { "x-stainless-retry-count": "1" };

function table([bare, counting, toolgate, waits]: readonly FarSamples[]): string {
  const header = [
    "first token, ms",
    "bare p50",
    "counting, after it",
    "Toolgate, after it",
    "Toolgate p99, after bare's",
    "Toolgate where it waits",
  ];
  const rows = farTurns.map((turn) => {
    const base = p50(bare?.[turn] ?? []);
    const after = (samples: FarSamples | undefined) => signed(p50(samples?.[turn] ?? []) - base);
    const tail = signed(p99(toolgate?.[turn]) - p99(bare?.[turn]));
    return [titles[turn], show(base), after(counting), after(toolgate), tail, after(waits)];
  });
  return plainTable([header, ...rows]);
}

const p99 = (values: readonly number[] = []): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;

/** @param ms that an object is away, one way. */
export async function benchFar(ms: number, quick: boolean): Promise<void> {
  const upstream = await startUpstream();
  const running: RunningWorker[] = [];
  try {
    for (const name of workers)
      running.push(
        await startWorker(name, await bundleFar(name), upstream, { variables: { BENCH_FAR_MS: String(ms) } }),
      );
    console.log(`\nobjects ${ms} ms away, one way`);
    const generator = new LoadGenerator();
    await warmUp(generator, running, 3000);
    generator.close();
    for (const thinkMs of [400, 0]) {
      const pace = thinkMs > 0 ? { rounds: quick ? 8 : 20, warm: 2 } : { rounds: quick ? 20 : 60, warm: 5 };
      const again = running.slice(-1).map(({ url, headers }) => ({ url, headers: { ...headers, ...waiting } }));
      const samples = await measureFar([...running, ...again], { thinkMs, ...pace });
      console.log(`\na model that ${thinkMs > 0 ? `thinks for ${thinkMs} ms` : "answers at once"}\n${table(samples)}`);
    }
    const served = async () => ((await (await fetch(`${upstream.url}/served`)).json()) as { served: number }).served;
    const [, , toolgate] = running;
    if (!toolgate) return;
    const { turns, calls } = await countCalls(toolgate, served, quick ? 1 : 3);
    const beyond = (100 * (calls - turns)) / turns;
    console.log(
      `\n200 users at once: ${turns} turns, ${calls} calls of the model: ${show(beyond)} % beyond one a turn`,
    );
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
    await upstream.stop();
  }
}
