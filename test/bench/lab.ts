/**
 * How long the policy lab takes on real records: a replay of 100,000 recorded calls, and a simulated turn.
 *
 *   npm run bench:lab -- [--calls 100000] [--turns 400]
 *
 * `npm run seed` plays some days of a service desk through the gateway; its recorded calls are copied until there are enough. Fails where the
 * replay takes more than a minute, or a simulated turn more than 20 ms at the median.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../../src/cli/build/worker.ts";
import { startMiniflare } from "../../src/cli/local/miniflare.ts";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { root } from "../../src/cli/settings.ts";
import { developmentKey } from "../../src/cli/start/local-state.ts";
import { storesIn } from "../../src/cli/start/local-stores.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { quantile } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";

const { calls, turns } = programArguments("npm run bench:lab -- [--calls 100000] [--turns 400]", {
  calls: { type: "string", default: "100000" },
  turns: { type: "string", default: "400" },
});

const MOST_REPLAY_MS = 60_000;
const MOST_SIMULATE_MS = 20;
const SIMULATIONS = 300;
const WARM = 20;

type Policy = { readonly tools: Readonly<Record<string, object>>; readonly [key: string]: unknown };
const desk = JSON.parse(readFileSync(join(root, "src/cli/seed/desk.policy.json"), "utf8")) as Policy;
/** Every tool asks: much changes, and each change is noted. */
const strict = {
  ...desk,
  tools: Object.fromEntries(Object.entries(desk.tools).map(([name, tool]) => [name, { ...tool, confirm: "ask" }])),
};

const COPIES = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO decisions (id, seq, previous, hash, key_id, record)
  SELECT id || '_' || i, seq, previous, hash, key_id, json_set(record, '$.id', id || '_' || i) FROM decisions, n`;

interface Page {
  readonly judged: number;
  readonly answered: number;
  readonly unjudged: Readonly<Record<string, number>>;
  readonly changes: readonly { readonly calls: number }[];
  readonly has_more: boolean;
  readonly last_id: string | null;
}

const conditions = readConditions();
process.stdout.write(`${describeConditions(conditions)}\n`);
const noise = noiseWarning(conditions);
if (noise) process.stdout.write(`WARNING: ${noise}\n`);
const folder = mkdtempSync(join(tmpdir(), "toolgate-lab-"));
try {
  const env = { ...process.env, TOOLGATE_STATE: folder };
  await promisify(execFile)(process.execPath, ["src/cli/seed.ts", "--turns", turns], { cwd: root, env });
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const { code } = await bundle("toolgate", "src/index.ts");
  const bindings = {
    TOOLGATE_DEV: "1",
    AUDIT_KEY: developmentKey(folder, "audit-key"),
    UPSTREAM_BASE_URL: "http://127.0.0.1:9/v1",
  };
  const { origin, mf } = await startMiniflare({
    name: "toolgate",
    code,
    bindings,
    stores: true,
    folder: storesIn(folder),
  });
  try {
    const db = await mf.getD1Database("AUDIT_DB");
    const recorded = await countOf(db);
    await db
      .prepare(COPIES)
      .bind(Math.ceil(Number(calls) / recorded) - 1)
      .run();
    process.stdout.write(`${recorded} recorded calls, copied to ${await countOf(db)}\n\n`);
    const rows = [await replay(origin, "the policy in force"), await replay(origin, "one that always asks", strict)];
    process.stdout.write(`${plainTable([["replay of", "calls read", "judged", "changed", "s"], ...rows])}\n\n`);
    await simulate(origin);
  } finally {
    await mf.dispose();
  }
}

type Database = Awaited<ReturnType<Awaited<ReturnType<typeof startMiniflare>>["mf"]["getD1Database"]>>;

async function countOf(db: Database): Promise<number> {
  const row = await db.prepare("SELECT COUNT(*) AS n FROM decisions").first<{ n: number }>();
  return row?.n ?? 0;
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { authorization: "Bearer tg-dev-admin", "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function replay(origin: string, name: string, policy?: Policy): Promise<string[]> {
  const begun = performance.now();
  let [read, judged, changed] = [0, 0, 0];
  for (let after: string | null | undefined; after !== null; ) {
    const page: Page = await post(`${origin}/admin/policies/default/replay`, { policy, after });
    const left = Object.values(page.unjudged).reduce((sum, one) => sum + one, 0);
    read += page.judged + page.answered + left;
    judged += page.judged;
    changed += page.changes.reduce((sum, one) => sum + one.calls, 0);
    after = page.has_more ? page.last_id : null;
  }
  const ms = performance.now() - begun;
  if (ms > MOST_REPLAY_MS || judged === 0) process.exitCode = 1;
  return [name, String(read), String(judged), String(changed), show(ms / 1000, 1)];
}

async function simulate(origin: string): Promise<void> {
  const tools = Object.keys(desk.tools)
    .filter((name) => !/[*:]/.test(name))
    .map((name) => ({ type: "function", function: { name, parameters: { type: "object" } } }));
  const made = [
    { name: "search_orders", arguments: { query: "A-1042" } },
    { name: "refund", arguments: { order: "A-1042", amount: 129.5 } },
  ];
  const times: number[] = [];
  for (let at = -WARM; at < SIMULATIONS; at++) {
    const begun = performance.now();
    await post(`${origin}/admin/policies/default/simulate`, {
      user: `please refund order A-${1000 + at}, it came broken`,
      after: { tool: "search_orders", result: "the order of eve@evil.example" },
      tools,
      calls: made,
    });
    if (at >= 0) times.push(performance.now() - begun);
  }
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((q) => quantile(times, q)) as [number, number, number];
  process.stdout.write(
    `a simulated turn with ${tools.length} tools and ${made.length} calls: ${show(p50, 1)} ms at the median, ${show(p90, 1)} ms in nine of ten, ${show(p99, 1)} ms at p99\n`,
  );
  if (p50 > MOST_SIMULATE_MS) process.exitCode = 1;
}
