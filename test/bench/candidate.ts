/**
 * What a candidate costs: the CPU time of a turn beside a candidate against that of the same turn without one, interleaved in one run.
 *
 *   npm run bench:candidate -- [--rounds 40]
 *
 * Fails where it is more than a tenth. The process is the whole gateway, its objects and its database included.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createKey } from "../../src/auth/kv-keys.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { putPolicy } from "../../src/stores/policies/policy-source.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import type { Target } from "./run/exchange.ts";
import { LoadGenerator } from "./run/load.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./run/miniflare.ts";
import { threadsCpuMs } from "./run/process-usage.ts";
import { stream, toolsTurn, type Workload } from "./run/requests.ts";
import { startUpstream } from "./run/upstream.ts";

const MOST = 0.1;
/** Turns of a block: far more than the clock's steps, and short enough that both kinds meet the same machine. */
const BLOCK = 25;

/** Whom the load generator's first slot names. */
const USER = "bench-0";

const { rounds } = programArguments("npm run bench:candidate -- [--rounds 40]", {
  rounds: { type: "string", default: "40" },
});

type Policy = { readonly tools: Readonly<Record<string, object>>; readonly [key: string]: unknown };
const policy = JSON.parse(readFileSync(join(import.meta.dirname, "../../policies/default.json"), "utf8")) as Policy;

const stricter = (tools: Policy["tools"]): Policy => ({ ...policy, tools: { ...policy.tools, ...tools } });
const candidates = {
  "decides alike": stricter({ other_tool: { category: "external" } }),
  "asks about the call": stricter({ read_file: { category: "modification", confirm: "ask" } }),
};

async function tenantOf({ url, kv }: RunningWorker, tenant: string, candidate?: Policy): Promise<Target> {
  const store = await kv();
  await putPolicy(store, tenant, policy, Date.now());
  const keyOf = async (role: string) => {
    const { token } = await createKey(store, { tenant, user: USER, role, connections: [] }, Date.now());
    return { authorization: `Bearer ${token}` };
  };
  if (candidate) {
    const body = JSON.stringify(candidate);
    const address = `${url}/admin/policies/${tenant}/candidate`;
    const put = await fetch(address, { method: "PUT", body, headers: await keyOf("admin") });
    if (!put.ok) throw new Error(`the candidate was refused: ${await put.text()}`);
  }
  return { url, headers: await keyOf("user") };
}

/** Milliseconds of CPU that a turn took. */
async function turnCpu(load: LoadGenerator, worker: RunningWorker, target: Target, workload: Workload) {
  const before = threadsCpuMs(worker.pid) ?? Number.NaN;
  const block = await load.closed(target, workload, { concurrency: 1, atLeast: BLOCK, forMs: 0 });
  const [fault] = block.failures;
  if (fault) throw new Error(`${workload.name}: ${fault}`);
  return ((threadsCpuMs(worker.pid) ?? Number.NaN) - before) / BLOCK;
}

async function measure(load: LoadGenerator, worker: RunningWorker, workload: Workload, candidate: Policy) {
  const name = crypto.randomUUID();
  const targets = [await tenantOf(worker, `${name}-without`), await tenantOf(worker, `${name}-with`, candidate)];
  const times: [number[], number[]] = [[], []];
  // One round more than counted: the first compiles, and fills caches.
  for (let round = 0; round <= Number(rounds); round++)
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const spent = await turnCpu(load, worker, targets[at] as Target, workload);
      if (round > 0) times[at].push(spent);
    }
  // What disturbs a block makes it longer, never shorter.
  const [without, beside] = times.map((all) => quantile(all, 0.25)) as [number, number];
  return { without, beside, more: beside / without - 1 };
}

const conditions = readConditions();
process.stdout.write(`${describeConditions(conditions)}\n`);
const noise = noiseWarning(conditions);
if (noise) process.stdout.write(`WARNING: ${noise}\n`);
const upstream = await startUpstream();
const worker = await startWorker("toolgate", await bundleWorker("toolgate"), upstream);
const load = new LoadGenerator();
const rows: string[][] = [];
try {
  for (const workload of [stream(50), toolsTurn])
    for (const [name, candidate] of Object.entries(candidates)) {
      const { without, beside, more } = await measure(load, worker, workload, candidate);
      rows.push([workload.name, name, show(without), show(beside), `${(100 * more).toFixed(1)} %`]);
      if (!(more <= MOST)) process.exitCode = 1;
    }
} finally {
  load.close();
  await worker.stop();
  await upstream.stop();
}
const header = ["turn", "the candidate", "CPU of a turn without it, ms", "beside it, ms", "more"];
process.stdout.write(`\n${plainTable([header, ...rows])}\n`);
