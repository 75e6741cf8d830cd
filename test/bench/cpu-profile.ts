/** V8's sampling profiler in a running Worker, through workerd's inspector. */

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

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** @param intervalUs how far apart samples are, in microseconds. */
export async function profileWhile(
  inspectorPort: number,
  work: () => Promise<void>,
  intervalUs = 200,
): Promise<CpuProfile> {
  const targets = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    readonly webSocketDebuggerUrl: string;
  }[];
  const [target] = targets;
  if (!target) throw new Error("the inspector knows of no Worker");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("the inspector does not answer"));
  });
  let last = 0;
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.onmessage = ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  };
  const send = async (method: string, params = {}): Promise<unknown> => {
    const id = ++last;
    const reply = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  };
  try {
    await send("Profiler.enable");
    await send("Profiler.setSamplingInterval", { interval: intervalUs });
    await send("Profiler.start");
    await work();
    const { profile } = (await send("Profiler.stop")) as { readonly profile: CpuProfile };
    return profile;
  } finally {
    socket.close();
  }
}

export interface Share {
  readonly name: string;
  /** Milliseconds in the function itself, and with all that it called. */
  readonly selfMs: number;
  readonly totalMs: number;
}

/** Functions by the time in themselves, most first. Pure. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Share[] {
  const self = new Map<number, number>();
  for (const [i, id] of samples.entries()) self.set(id, (self.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000);
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
