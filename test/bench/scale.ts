/**
 * What a turn takes of the platform: the gateway's own code in workerd, with its objects, D1, queue and bucket, and the runtime's own
 * counts of rows, bytes, alarms and calls. From them what many turns cost, and which limit is met first.
 *
 *   npm run bench:scale -- [--quick] [--turns 2000] [--users 20] [--statements] [--json FILE]
 */
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { describeConditions, readConditions } from "./report/conditions.ts";
import { describeCustomers, describeDollars, describeTurns, type TurnFigures } from "./report/scale-report.ts";
import { LoadGenerator } from "./run/load.ts";
import { bundleCounted, type RunningWorker, startWorker } from "./run/miniflare.ts";
import { stream, toolsTurn, type Workload } from "./run/requests.ts";
import { startUpstream } from "./run/upstream.ts";

const options = programArguments(
  "npm run bench:scale -- [--quick] [--turns 2000] [--users 20] [--statements] [--json FILE]",
  {
    quick: { type: "boolean", default: false },
    turns: { type: "string" },
    users: { type: "string", default: "20" },
    statements: { type: "boolean", default: false },
    json: { type: "string" },
  },
);

const TURNS = Number(options.turns ?? (options.quick ? 100 : 2_000));
const USERS = Number(options.users);
/** Deliveries gather for a second at the most. */
const QUIET_MS = options.quick ? 1_500 : 4_000;

const workloads: readonly (readonly [name: string, workload: Workload])[] = [
  ["plain", stream(50)],
  ["with a call", toolsTurn],
];

type Counts = Readonly<Record<string, number>>;

async function readCounts(worker: RunningWorker): Promise<Counts> {
  const response = await fetch(`${worker.url}/figures`);
  const counts = (await response.json()) as Counts;
  return { ...counts, "d1 bytes": await worker.auditBytes(), "d1 records": await worker.auditRecords() };
}

/** Until nothing is written any more. */
async function settled(worker: RunningWorker): Promise<Counts> {
  for (let before = ""; ; ) {
    const counts = await readCounts(worker);
    const text = JSON.stringify(counts);
    if (text === before) return counts;
    before = text;
    await sleep(QUIET_MS);
  }
}

/** Rows of objects by statement, all that the Worker has written so far. */
async function printStatements(worker: RunningWorker, name: string): Promise<void> {
  const response = await fetch(`${worker.url}/statements`);
  const rows = Object.entries((await response.json()) as Counts).sort(([, one], [, other]) => other - one);
  console.log(`\n${name}: rows of objects by statement`);
  for (const [text, n] of rows.slice(0, 40))
    console.log(`${String(n).padStart(8)}  ${text.replace(/\s+/g, " ").slice(0, 120)}`);
}

async function measure(generator: LoadGenerator, worker: RunningWorker, kind: string): Promise<TurnFigures[]> {
  const figures: TurnFigures[] = [];
  const target = { url: worker.url, headers: worker.headers };
  const run = (workload: Workload, atLeast: number) =>
    generator.closed(target, workload, { concurrency: USERS, atLeast, forMs: 0 });
  // Each user's object makes its tables.
  let before: Counts = {};
  for (const [name, workload] of workloads) {
    await run(workload, USERS);
    before = await settled(worker);
    const bytes = Math.round((before["object bytes"] ?? 0) / (before.objects ?? 1));
    console.log(`${kind}: an object has ${bytes} bytes after a turn of each kind up to \`${name}\``);
  }
  for (const [name, workload] of workloads) {
    const block = await run(workload, TURNS);
    if (block.failures.length > 0) throw new Error(`${block.failures.length} turns failed: ${block.failures[0]}`);
    const after = await settled(worker);
    const counts = Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value - (before[key] ?? 0)]));
    figures.push({ name: `${kind}, ${name}`, turns: block.samples.length, counts });
    if (options.statements) await printStatements(worker, `${kind}, ${name}`);
    before = after;
  }
  return figures;
}

async function main(): Promise<void> {
  const conditions = readConditions();
  const upstream = await startUpstream();
  const generator = new LoadGenerator();
  const code = await bundleCounted();
  const measureKind = async (kind: "direct" | "queued") => {
    const worker = await startWorker("toolgate", code, upstream, {
      queued: kind === "queued",
      variables: { TRAIL: kind },
    });
    try {
      const measured = await measure(generator, worker, kind);
      const removal = await worker.removeRecords();
      return measured.map(({ counts, ...one }) => ({
        ...one,
        counts: { ...counts, "d1 rows removed": removal * (counts["d1 records"] ?? 0) },
      }));
    } finally {
      await worker.stop();
    }
  };
  let figures: readonly TurnFigures[];
  try {
    // Nothing is timed: both at once.
    figures = (await Promise.all([measureKind("direct"), measureKind("queued")])).flat();
  } finally {
    generator.close();
    await upstream.stop();
  }
  console.log(`${TURNS} turns of ${USERS} users each; ${describeConditions(conditions)}\n`);
  console.log(`${describeTurns(figures)}\n\n${describeDollars(figures)}\n`);
  for (const one of figures.filter(({ name }) => name.startsWith("queued"))) console.log(`${describeCustomers(one)}\n`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify({ conditions, figures }, null, 2));
}

await main();
