/**
 * How fast `/v1/audit` pages where D1 has many rows: the same requests to two gateways, whose trails have 10 thousand and 10 million
 * records. Each request goes to the one and to the other in turn, so that what disturbs the machine disturbs both.
 *
 *   npm run bench:audit -- [--small 10000] [--large 10000000] [--pages 40] [--folder FOLDER]
 *
 * The records are those of real turns, many times (`run/made/records.ts`), over seven days and 1,000 tenants; the tenant that is asked
 * about has a tenth of them. With FOLDER the databases stay there, and are taken as they are the next time.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Bundle } from "../../src/cli/build/worker.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { median, quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import { fillTrail } from "./run/made/fill-trail.ts";
import { auditFile, madeRecords, playedTurns, type TurnRecords, tenantName } from "./run/made/records.ts";
import { bundleWorker, type RunningWorker, startWorker } from "./run/miniflare.ts";
import type { Upstream } from "./run/upstream.ts";

const options = programArguments(
  "npm run bench:audit -- [--small 10000] [--large 10000000] [--pages 40] [--folder FOLDER]",
  {
    small: { type: "string", default: "10000" },
    large: { type: "string", default: "10000000" },
    pages: { type: "string", default: "40" },
    folder: { type: "string" },
  },
);

const PLAYED_TURNS = 300;
const TENANTS = 1_000;
/** Of all records. The largest tenant has a tenth of them, and so many users in each part of the week. */
const RECORDS_A_USER = 9_000;
const PAGES = Number(options.pages);
const WARM = 3;
/** A page of the large trail may take so many times as long, or so many milliseconds more. */
const MOST_TIMES = 1.5;
const MOST_MORE_MS = 5;
const TENANT = tenantName(0);
/** Asked of nobody: no turn is played. */
const nowhere: Upstream = { url: "http://127.0.0.1:9/v1", stop: async () => {} };

interface Trail {
  readonly records: number;
  readonly worker: RunningWorker;
  readonly samples: Samples;
}

type Row = Readonly<Record<string, string | number>>;
/** Rows of the tenant, from random times on. */
type Samples = Readonly<Record<"turns" | "decisions" | "approvals", readonly Row[]>>;

/** What is asked: the list, and its filters by columns of a sampled row, or by a value. */
interface Question {
  readonly list: keyof Samples;
  readonly by: readonly string[];
  readonly fixed?: Readonly<Record<string, string>>;
}

const ask = (list: keyof Samples, by: readonly string[] = [], fixed: Question["fixed"] = {}): Question => ({
  list,
  by,
  fixed,
});

const questions: readonly Question[] = [
  ask("turns"),
  ask("turns", ["user"]),
  ask("turns", ["session"]),
  ask("turns", [], { stop_reason: "completed" }),
  ask("turns", [], { stop_reason: "awaiting_approval" }),
  ask("turns", ["user"], { stop_reason: "awaiting_approval" }),
  ask("decisions"),
  ask("decisions", ["user"]),
  ask("decisions", ["session"]),
  ask("decisions", ["turn"]),
  ask("decisions", ["tool"]),
  ask("decisions", [], { effect: "allow" }),
  ask("decisions", [], { effect: "deny" }),
  ask("decisions", ["reason"]),
  ask("decisions", ["user"], { effect: "deny" }),
  ask("decisions", ["tool"], { effect: "allow" }),
  ask("decisions", ["tool"], { effect: "deny" }),
  ask("decisions", ["user", "tool"]),
  ask("decisions", ["user", "reason"]),
  ask("decisions", ["tool", "reason"]),
  ask("approvals"),
  ask("approvals", ["approval"]),
  ask("approvals", ["tool"], { event: "denied" }),
];

async function openTrail(
  code: Bundle,
  folder: string,
  records: number,
  played: () => Promise<readonly TurnRecords[]>,
): Promise<Trail> {
  const filled = join(folder, "filled");
  if (!existsSync(filled)) {
    await mkdir(folder, { recursive: true });
    // Makes the tables.
    await (await startWorker("toolgate", code, nowhere, { folder })).stop();
    const make = madeRecords(await played(), { tenants: TENANTS, users: Math.ceil(records / RECORDS_A_USER) });
    fillTrail({ file: await auditFile(folder), records, make });
    await writeFile(filled, "");
  }
  const file = await auditFile(folder);
  const samples = readSamples(file);
  console.log(`${records} records: a database of ${show((await stat(file)).size / 1e9)} GB`);
  return { records, worker: await startWorker("toolgate", code, nowhere, { folder }), samples };
}

function readSamples(file: string): Samples {
  const db = new DatabaseSync(file);
  const rows = (table: keyof Samples, columns: string, from: string = table) => {
    const bounds = db.prepare(`SELECT MIN(at) AS first, MAX(at) AS last FROM ${table} WHERE tenant = ?`).get(TENANT);
    const [first, last] = [Number(bounds?.first), Number(bounds?.last)];
    const next = db.prepare(`SELECT ${columns} FROM ${from} WHERE t.tenant = ? AND t.at >= ? ORDER BY t.at LIMIT 1`);
    return Array.from({ length: PAGES + WARM }, (_, n) => {
      const time = first + (last - first) * ((n * 0.618) % 1);
      return next.get(TENANT, Math.floor(time)) as Row;
    });
  };
  try {
    const codes = db.prepare("SELECT DISTINCT code FROM decision_reasons WHERE tenant = ? ORDER BY code").all(TENANT);
    return {
      turns: rows("turns", "at, user, session", "turns t INDEXED BY turns_by_time"),
      decisions: rows("decisions", "at, user, session, turn, tool", "decisions t INDEXED BY decisions_by_time").map(
        (row, place) => ({ ...row, reason: String(codes[place % codes.length]?.code) }),
      ),
      approvals: rows("approvals", "at, approval, tool", "approvals t INDEXED BY approvals_by_time"),
    };
  } finally {
    db.close();
  }
}

interface Asked {
  readonly ms: number;
  readonly rows: number;
  readonly next: string | undefined;
}

async function get({ worker }: Trail, path: string): Promise<Asked> {
  const begun = performance.now();
  const response = await fetch(`${worker.url}/v1/audit/${path}`, { headers: { authorization: "Bearer tg-dev-admin" } });
  const text = await response.text();
  const ms = performance.now() - begun;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  const {
    data = [],
    has_more: more,
    last_id: last,
  } = JSON.parse(text) as {
    readonly data?: readonly unknown[];
    readonly has_more?: boolean;
    readonly last_id?: string | null;
  };
  return { ms, rows: data.length, next: more ? (last ?? undefined) : undefined };
}

/** From a sampled time back: the first page and the one behind it. */
async function pageThrough(trail: Trail, { list, by, fixed }: Question, sample: number): Promise<readonly Asked[]> {
  const row = trail.samples[list][sample] ?? {};
  const filters = by.map((name) => [name, String(row[name] ?? "")] as const);
  const params = new URLSearchParams({ tenant: TENANT, ...Object.fromEntries(filters), ...fixed });
  params.set("to", String(Number(row.at) + 1));
  const first = await get(trail, `${list}?${params}`);
  if (first.next === undefined) return [first];
  params.set("after", first.next);
  return [first, await get(trail, `${list}?${params}`)];
}

const nameOf = ({ list, by, fixed }: Question): string =>
  [list, ...by, ...Object.entries(fixed ?? {}).map(([name, value]) => `${name}=${value}`)].join(" ");

async function compare(small: Trail, large: Trail): Promise<void> {
  const rows = [["ms a page of 20", "median", "p95", "rows", "median", "p95", "rows", "times", "p95 times"]];
  const slow: string[] = [];
  for (const question of questions) {
    const taken = new Map<Trail, Asked[]>([
      [small, []],
      [large, []],
    ]);
    for (let sample = 0; sample < PAGES + WARM; sample += 1)
      for (const trail of sample % 2 === 0 ? [small, large] : [large, small]) {
        const pages = await pageThrough(trail, question, sample);
        if (sample >= WARM) taken.get(trail)?.push(...pages);
      }
    const [few, many] = [small, large].map((trail) => {
      const pages = taken.get(trail) ?? [];
      const times = pages.map(({ ms }) => ms);
      return { median: median(times), p95: quantile(times, 0.95), rows: median(pages.map((page) => page.rows)) };
    }) as [Figures, Figures];
    const cells = [few, many].flatMap((one) => [show(one.median, 1), show(one.p95, 1), String(one.rows)]);
    rows.push([nameOf(question), ...cells, show(many.median / few.median), show(many.p95 / few.p95)]);
    if (many.median > few.median * MOST_TIMES + MOST_MORE_MS) slow.push(nameOf(question));
  }
  console.log(
    `the first columns: ${small.records} records, the others: ${large.records}; ${PAGES} random places each\n`,
  );
  console.log(plainTable(rows));
  if (slow.length === 0) return;
  console.error(`FAILED: slower where there are more records: ${slow.join(", ")}`);
  process.exitCode = 1;
}

interface Figures {
  readonly median: number;
  readonly p95: number;
  readonly rows: number;
}

const conditions = readConditions();
console.log(describeConditions(conditions));
const noise = noiseWarning(conditions);
if (noise) console.log(`WARNING: ${noise}`);
const root = options.folder ?? (await mkdtemp(join(tmpdir(), "toolgate-bench-audit-")));
const running: RunningWorker[] = [];
try {
  const code = await bundleWorker("toolgate");
  let played: Promise<readonly TurnRecords[]> | undefined;
  const open = async (records: number) => {
    const folder = join(root, String(records));
    played ??= existsSync(join(folder, "filled")) ? undefined : playedTurns(PLAYED_TURNS);
    const trail = await openTrail(code, folder, records, async () => (await played) ?? []);
    running.push(trail.worker);
    return trail;
  };
  const small = await open(Number(options.small));
  const large = await open(Number(options.large));
  await compare(small, large);
} finally {
  for (const worker of running) await worker.stop();
  if (options.folder === undefined) await rm(root, { recursive: true, force: true });
}
