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

/** Milliseconds in each node's function itself. */
function selfOf({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> {
  const self = new Map<number, number>();
  for (const [i, id] of samples.entries()) {
    const gap = Math.min(timeDeltas[i] ?? 0, MAX_GAP_US);
    self.set(id, (self.get(id) ?? 0) + gap / 1000);
  }
  return self;
}

/** The bundler numbers functions whose names are taken. */
const sourceName = ({ callFrame }: ProfileNode): string => callFrame.functionName.replace(/\d+$/, "");

/**
 * Shares of the time in which anything ran, most first. Pure.
 * @param parts by the name of the function that a part begins with. It goes on with all that the function calls.
 */
export function partsOf(profile: CpuProfile, parts: Readonly<Record<string, string>>): [part: string, share: number][] {
  const self = selfOf(profile);
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const sums = new Map<string, number>();
  const walk = (node: ProfileNode, above: string | undefined): void => {
    const name = sourceName(node);
    const part = above ?? (Object.hasOwn(parts, name) ? parts[name] : undefined);
    const sum = part ?? "all else";
    if (name !== "(idle)") sums.set(sum, (sums.get(sum) ?? 0) + (self.get(node.id) ?? 0));
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) walk(child, part);
    }
  };
  const [top] = profile.nodes;
  if (top) walk(top, undefined);
  const all = [...sums.values()].reduce((sum, ms) => sum + ms, 0);
  return [...sums].map(([part, ms]): [string, number] => [part, ms / all]).sort((a, b) => b[1] - a[1]);
}

/** Functions by the time in themselves, most first. Pure. */
export function sharesOf(profile: CpuProfile): Share[] {
  const { nodes } = profile;
  const self = selfOf(profile);
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
