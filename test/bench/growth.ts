/**
 * How cost grows: each size of an axis in turn, in an order drawn anew each round; what Toolgate's first token takes
 * beyond the bare Worker's for the same request, and a line through it.
 *
 *   npm run bench:growth -- [--quick] [--json FILE]
 */
import { writeFile } from "node:fs/promises";
import { createKey } from "../../src/auth/kv-keys.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { compilePolicy } from "../../src/policy/compile.ts";
import { parsePolicyDocument } from "../../src/policy/document/document.ts";
import { putPolicy } from "../../src/stores/policies/policy-source.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { describeGrowth, type Growth, growthOf } from "./report/growth-report.ts";
import { median, quantile } from "./report/statistics.ts";
import type { Target } from "./run/exchange.ts";
import { type Axis, axes, policyWithIntents } from "./run/growth-axes.ts";
import { LoadGenerator } from "./run/load.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./run/miniflare.ts";
import { threadsCpuMs } from "./run/process-usage.ts";
import { stream } from "./run/requests.ts";
import { startUpstream } from "./run/upstream.ts";

interface Options {
  readonly quick: boolean;
}

interface Size {
  readonly size: number;
  readonly target: Target;
  readonly own: number[];
  readonly bare: number[];
  cpuMs: number;
  requests: number;
}

const workload = stream(5);
/** Not the median: what disturbs a measurement makes it longer, never shorter. */
const QUIETER = 0.25;
/** A user of its own for each size: what one left behind must not weigh on the next. */
const USER = "bench-0";

export async function measureGrowth(options: Options): Promise<Growth[]> {
  const upstream = await startUpstream();
  const generator = new LoadGenerator();
  const workers: RunningWorker[] = [];
  try {
    for (const name of ["bare", "toolgate"] as const) {
      workers.push(await startWorker(name, await bundleWorker(name), upstream));
    }
    const [bare, toolgate] = workers;
    if (!bare || !toolgate) throw new Error("the Workers did not start");
    const measured: Growth[] = [];
    for (const axis of axes) measured.push(await measureAxis(generator, axis, bare, toolgate, options));
    return [...measured, measureCompiling(options)];
  } finally {
    generator.close();
    await Promise.all(workers.map(({ stop }) => stop()));
    await upstream.stop();
  }
}

async function measureAxis(
  generator: LoadGenerator,
  axis: Axis,
  bare: RunningWorker,
  toolgate: RunningWorker,
  { quick }: Options,
): Promise<Growth> {
  const sizes: Size[] = [];
  for (const size of axis.sizes) {
    const target = await targetOf(axis, size, toolgate);
    sizes.push({ size, target, own: [], bare: [], cpuMs: 0, requests: 0 });
  }
  // One round more than counted: the first compiles, and fills caches.
  for (let round = 0; round <= (quick ? 3 : 12); round++) {
    for (const one of [...sizes].sort(() => Math.random() - 0.5)) {
      const loop = { concurrency: 1, atLeast: quick ? 4 : 10, forMs: 0 };
      const options = axis.request(one.size);
      const plain = await generator.closed(bare, workload, loop, options);
      const before = threadsCpuMs(toolgate.pid) ?? Number.NaN;
      const block = await generator.closed(one.target, workload, loop, options);
      const after = threadsCpuMs(toolgate.pid) ?? Number.NaN;
      const fault = block.failures[0] ?? plain.failures[0];
      if (fault) throw new Error(`${axis.name}, ${one.size} ${axis.unit}: ${fault}`);
      if (round === 0) continue;
      one.own.push(...block.samples.map(({ firstToken }) => firstToken));
      one.bare.push(...plain.samples.map(({ firstToken }) => firstToken));
      one.cpuMs += after - before;
      one.requests += block.samples.length;
    }
  }
  const points = sizes.map(({ size, own, bare: plain, cpuMs, requests }) => ({
    size,
    ms: quantile(own, QUIETER) - quantile(plain, QUIETER),
    cpuMs: cpuMs / requests,
  }));
  return growthOf(axis, points);
}

/** A size with a policy of its own is a tenant of its own. */
async function targetOf({ policy }: Axis, size: number, { url, headers, kv }: RunningWorker): Promise<Target> {
  if (!policy) return { url, headers };
  const store = await kv();
  const tenant = `size-${size}`;
  await putPolicy(store, tenant, policy(size), Date.now());
  const owner = { tenant, user: USER, role: "user", connections: [] };
  const { token } = await createKey(store, owner, Date.now());
  return { url, headers: { authorization: `Bearer ${token}` } };
}

/** What an isolate pays once for a policy: it is checked and compiled in this process, where a Worker does the same. */
function measureCompiling({ quick }: Options): Growth {
  const sizes = [1, 50, 125, 250, 500, 1000];
  const points = sizes.map((size) => {
    const document = policyWithIntents(size);
    const times = Array.from({ length: quick ? 4 : 12 }, () => {
      const begun = performance.now();
      const parsed = parsePolicyDocument(document);
      if (!parsed.ok) throw new Error(`the policy is not valid: ${JSON.stringify(parsed.error[0])}`);
      const compiled = compilePolicy(parsed.value.document, "bench");
      if (!compiled.ok) throw new Error("the policy does not compile");
      return performance.now() - begun;
    });
    return { size, ms: median(times.slice(1)), cpuMs: Number.NaN };
  });
  return growthOf(
    {
      name: "intents in a policy that is compiled (once an isolate)",
      unit: "intents",
      slopeUnit: "µs an intent",
      scale: 1000,
    },
    points,
  );
}

if (import.meta.main) {
  const values = programArguments("npm run bench:growth -- [--quick] [--json FILE]", {
    quick: { type: "boolean", default: false },
    json: { type: "string" },
  });
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  const conditions = readConditions();
  const warning = noiseWarning(conditions);
  console.log(describeConditions(conditions));
  if (warning) console.log(`WARNING: ${warning}`);
  const growth = await measureGrowth(values);
  console.log(`\n${describeGrowth(growth)}`);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ conditions, warning, growth }, null, 2)}\n`);
  }
}
