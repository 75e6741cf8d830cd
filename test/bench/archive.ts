/**
 * How long DuckDB takes over a large archive: `toolgate audit query` as an operator calls it, over 20 million records of four weeks.
 *
 *   npm run bench:archive -- [--records 20000000] [--days 28] [--tenants 1000] [--groups 16] [--folder FOLDER]
 *
 * The records are those of real turns, many times (`run/made/records.ts`). With FOLDER the archive stays there, and is taken as it is the
 * next time. Fails where "who was refused what last week" takes more than 5 s of one tenant at the median, or the answer is not what was
 * written.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { root } from "../../src/cli/settings.ts";
import { parseAuditKeys } from "../../src/stores/audit/audit-keys.ts";
import { describeConditions, noiseWarning, readConditions } from "./report/conditions.ts";
import { median } from "./report/statistics.ts";
import { plainTable, show } from "./report/table.ts";
import { type MadeArchive, makeArchive } from "./run/made/archive.ts";
import { madeRecords, playedTurns, tenantName } from "./run/made/records.ts";

const options = programArguments(
  "npm run bench:archive -- [--records 20000000] [--days 28] [--tenants 1000] [--groups 16] [--folder FOLDER]",
  {
    records: { type: "string", default: "20000000" },
    days: { type: "string", default: "28" },
    tenants: { type: "string", default: "1000" },
    groups: { type: "string", default: "16" },
    folder: { type: "string" },
  },
);

const MOST_MS = 5_000;
const RUNS = 5;
const PLAYED_TURNS = 300;
/** Of the largest tenant. */
const USERS = 20_000;
const AUDIT_KEY = `bench:${"5e".repeat(32)}`;

if (!(Number(options.days) >= 7)) throw new Error("--days must be 7 or more: a week is asked for");

/** Who was refused what. */
const refusals = (where: string) =>
  `select "user", tool, reasons, count(*)::int as calls, max("at") as last from records
   where ${where}effect = 'deny' group by all order by calls desc, last desc`;

async function openOrMake(): Promise<MadeArchive> {
  const note = join(folder, "made.json");
  if (existsSync(note)) return JSON.parse(await readFile(note, "utf8")) as MadeArchive;
  const keys = parseAuditKeys(AUDIT_KEY);
  if (!keys.ok) throw new Error(keys.error);
  await mkdir(folder, { recursive: true });
  const make = madeRecords(await playedTurns(PLAYED_TURNS), { tenants: Number(options.tenants), users: USERS });
  const size = { records: Number(options.records), days: Number(options.days), groups: Number(options.groups) };
  const made = await makeArchive({ folder, keys: keys.value, make, ...size });
  await writeFile(note, JSON.stringify(made));
  return made;
}

let groupsOfArchive = 1;

async function toolgate(...args: string[]): Promise<{ readonly ms: number; readonly lines: readonly string[] }> {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["src/cli/toolgate.ts", "audit", ...args, "--archive", folder],
    { cwd: root, env: { ...process.env, AUDIT_KEY, ARCHIVE_GROUPS: String(groupsOfArchive) }, maxBuffer: 64 * 2 ** 20 },
  );
  return { ms: performance.now() - begun, lines: stdout.trimEnd().split("\n") };
}

async function measure({ from, to, groups, refused, ...made }: MadeArchive): Promise<void> {
  console.log(
    `${made.records} records of ${made.users} users in ${made.files} files, ${show(made.bytes / 1e9)} GB; ` +
      `${groups} groups of tenants, ${made.days} days; the week from ${from} to ${to}`,
  );
  groupsOfArchive = groups;
  const named = Object.keys(refused).sort();
  const rows = [["who was refused what last week", "refused", "rows", "median s", "slowest s"]];
  let slowest = 0;
  for (const tenant of [tenantName(0), named[Math.floor(named.length / 2)] ?? tenantName(0)])
    for (const [name, where, flags] of [
      [`${tenant}, --tenant`, "", ["--tenant", tenant]],
      [`${tenant}, all groups`, `tenant = '${tenant}' and `, []],
    ] as const) {
      const times: number[] = [];
      let found = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const { ms, lines } = await toolgate("query", refusals(where), "--from", from, "--to", to, ...flags, "--json");
        times.push(ms);
        const answer = lines.map((line) => JSON.parse(line) as { readonly calls: number });
        found = answer.length;
        const calls = answer.reduce((sum, one) => sum + one.calls, 0);
        const expected = 7 * (refused[tenant] ?? 0);
        if (calls !== expected) throw new Error(`${name}: ${calls} refused calls were found, and ${expected} written`);
      }
      if (flags.length > 0) slowest = Math.max(slowest, median(times));
      const seconds = [median(times), Math.max(...times)].map((ms) => show(ms / 1000));
      rows.push([name, String(7 * (refused[tenant] ?? 0)), String(found), ...seconds]);
    }
  console.log(plainTable(rows));
  const verified = await toolgate("verify", "--from", to);
  console.log(`verify --from ${to}: ${show(verified.ms / 1000)} s; ${verified.lines.at(-1)}`);
  if (slowest <= MOST_MS) return;
  console.error(`FAILED: a query took ${show(slowest / 1000)} s, and more than ${MOST_MS / 1000} is too long`);
  process.exitCode = 1;
}

const conditions = readConditions();
console.log(describeConditions(conditions));
const noise = noiseWarning(conditions);
if (noise) console.log(`WARNING: ${noise}`);
const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "toolgate-bench-archive-")));
try {
  await measure(await openOrMake());
} finally {
  if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
}
