/** V8's sampling profiler in a running Worker, through workerd's inspector. */
import { openInspector } from "./inspector.ts";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** What DevTools reads as a `.cpuprofile` file; times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** @param intervalUs how far apart samples are, in microseconds. */
export async function profileWhile(
  inspectorPort: number,
  worker: string,
  work: () => Promise<void>,
  intervalUs = 200,
): Promise<CpuProfile> {
  const inspector = await openInspector(inspectorPort, worker);
  try {
    await inspector.send("Profiler.enable");
    await inspector.send("Profiler.setSamplingInterval", { interval: intervalUs });
    await inspector.send("Profiler.start");
    await work();
    const { profile } = (await inspector.send("Profiler.stop")) as { readonly profile: CpuProfile };
    return profile;
  } finally {
    inspector.close();
  }
}

export interface Share {
  readonly name: string;
  /** Milliseconds in the function itself, and with all that it called. */
  readonly selfMs: number;
  readonly totalMs: number;
}

/** Nobody samples a thread that has left the isolate: the gap would count for the function that runs next. In microseconds. */
const MAX_GAP_US = 1_000;

/** Functions by the time in themselves, most first. Pure. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const self = new Map<number, number>();
  for (const [i, id] of samples.entries()) {
    const gap = Math.min(timeDeltas[i] ?? 0, MAX_GAP_US);
    self.set(id, (self.get(id) ?? 0) + gap / 1000);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sums = new Map<string, { selfMs: number; totalMs: number }>();
  const walk = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const { functionName, lineNumber } = node.callFrame;
    const name = `${functionName || "(anonymous)"}:${lineNumber + 1}`;
    const within = new Set(above).add(name);
    const own = self.get(node.id) ?? 0;
    const total = (node.children ?? []).reduce((sum, id) => {
      const child = byId.get(id);
      return child ? sum + walk(child, within) : sum;
    }, own);
    const sum = sums.get(name) ?? { selfMs: 0, totalMs: 0 };
    // A function that called itself is counted once.
    sums.set(name, { selfMs: sum.selfMs + own, totalMs: sum.totalMs + (above.has(name) ? 0 : total) });
    return total;
  };
  const [top] = nodes;
  if (top) walk(top, new Set());
  return [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.selfMs - a.selfMs);
}
