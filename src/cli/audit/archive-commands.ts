/** `toolgate audit verify --archive` and `toolgate audit query "select …" --archive`, which need no gateway. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { visible, visibleJson } from "../../lib/text/visible-text.ts";
import { readTrailTexts } from "../../settings/trail.ts";
import { INCOMING, partitionOf, RECORDS } from "../../stores/archive/archive-files.ts";
import { verifyArchive } from "../../stores/archive/verify-archive.ts";
import { parseAuditKeys } from "../../stores/audit/audit-keys.ts";
import { fail } from "../subcommands.ts";
import { type OpenArchive, openArchive } from "./archive-reader.ts";

interface VerifyOptions {
  readonly archive: string;
  /** `2026-11-27` */
  readonly from: string | undefined;
  readonly json: boolean;
}

/** @returns the exit code: 1 if the archive is not whole. */
export async function verifyArchiveAt({ archive: place, from, json }: VerifyOptions): Promise<number> {
  const keys = parseAuditKeys(process.env.AUDIT_KEY ?? "");
  if (!keys.ok) return fail([`AUDIT_KEY: ${keys.error}: write the keys that the gateway seals its records with`]);
  const archive = openArchive(place, process.env);
  if (!archive.ok) return fail(archive.error);
  const verdict = await verifyArchive(archive.value, keys.value, from);
  const { problems, users, records, incoming, last } = verdict;
  // An empty folder, or another one: there is nothing that could be whole.
  if (problems.length === 0 && records === 0 && !last)
    return fail([`there is no archive at \`${place}\`: it has no manifest and no record`]);
  if (json) console.log(visibleJson(verdict, 0));
  else {
    for (const problem of problems) console.log(visible(problem));
    const counts = `${records} records of ${users} users, ${incoming} of them in no manifest yet`;
    const newest = last ? `manifest ${last.number}, ${last.digest}` : "no manifest";
    console.log(`${problems.length === 0 ? "whole" : "NOT WHOLE"}: ${counts}; ${newest}`);
  }
  return problems.length === 0 ? 0 : 1;
}

interface QueryOptions extends RecordRange {
  readonly sql: string;
  readonly archive: string;
  readonly json: boolean;
}

/** DuckDB over the archive, whose records are the view `records`. */
export async function queryArchive({ sql, archive: place, json, ...part }: QueryOptions): Promise<number> {
  const archive = openArchive(place, process.env);
  if (!archive.ok) return fail(archive.error);
  const trail = readTrailTexts(process.env);
  if (!trail.ok) return fail(trail.error);
  const duckdb = await import("@duckdb/node-api").catch(() => undefined);
  if (!duckdb) return fail(["queries need DuckDB, which is not installed: `npm install @duckdb/node-api`"]);
  const keys = await keysOf(archive.value, part, trail.value.groups);
  const local = await localFolder(archive.value, keys);
  try {
    const connection = await (await duckdb.DuckDBInstance.create(":memory:")).connect();
    const ask = async (byName: boolean) => {
      await connection.run(viewOver(keys, { folder: local.folder, tenant: part.tenant, byName }));
      return connection.runAndReadAll(sql);
    };
    // To compare the columns of all files, DuckDB opens each before it reads any: some files may lack what newer ones have.
    const reader = await ask(false).catch((error: unknown) => {
      if (String(error).includes("union_by_name")) return ask(true);
      throw error;
    });
    for (const row of reader.getRowObjectsJson()) console.log(json ? visibleJson(row, 0) : lineOf(row));
    connection.closeSync();
    return 0;
  } catch (error) {
    return fail([error instanceof Error ? error.message : String(error)]);
  } finally {
    await local.remove();
  }
}

const lineOf = (row: Readonly<Record<string, unknown>>): string =>
  Object.values(row)
    .map((value) => visible(typeof value === "string" ? value : JSON.stringify(value)))
    .join("  ");

/** A bucket's files are copied, and removed afterwards. */
async function localFolder(
  archive: OpenArchive,
  keys: readonly string[],
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  if (archive.folder !== undefined) return { folder: archive.folder, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "toolgate-archive-"));
  for (const key of keys) {
    const bytes = await archive.read(key);
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    if (bytes) await writeFile(path, bytes);
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Which of the records; undefined: all. */
interface RecordRange {
  /** `2026-11-27` */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly tenant: string | undefined;
}

/** The files of these days and of the tenant's group. @param groups as the gateway has them now; an older day may have had others. */
async function keysOf(
  archive: OpenArchive,
  { from = "", to = "9999", tenant }: RecordRange,
  groups: number,
): Promise<readonly string[]> {
  const all = [...(await archive.list(RECORDS)), ...(await archive.list(INCOMING))].flatMap((key) => {
    const [, day = "", group] = /\/day=([\d-]+)\/group=(\d+)\//.exec(key) ?? [];
    return day >= from && day <= to ? [{ key, day, group: Number(group) }] : [];
  });
  if (tenant === undefined) return all.map(({ key }) => key);
  const last = new Map<string, number>();
  for (const { day, group } of all) last.set(day, Math.max(group, last.get(day) ?? 0));
  const own = partitionOf({ tenant, at: 0 }, groups).group;
  // A day whose last group is not the expected one was divided otherwise, or has few tenants: all of it is read.
  return all.filter(({ day, group }) => group === own || last.get(day) !== groups - 1).map(({ key }) => key);
}

interface ViewOptions {
  readonly folder: string;
  readonly tenant: string | undefined;
  /** Columns that some of the files lack are empty there. */
  readonly byName: boolean;
}

/** A batch may be in two small files, and in a large one already: a small file's record counts only if no other file has it. */
function viewOver(keys: readonly string[], { folder, tenant, byName }: ViewOptions): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const read = (under: string) => {
    // The newest has all columns, and DuckDB takes those of the first.
    const files = keys.filter((key) => key.startsWith(under)).toReversed();
    return files.length === 0
      ? undefined
      : `SELECT * FROM read_parquet([${files.map((key) => quoted(join(folder, key))).join(", ")}],
          hive_partitioning = true${byName ? ", union_by_name = true" : ""})${tenant === undefined ? "" : ` WHERE tenant = ${quoted(tenant)}`}`;
  };
  const [large, small] = [read(RECORDS), read(INCOMING)];
  if (!large && !small) throw new Error("the archive has no records of these days");
  const view = "CREATE OR REPLACE VIEW records AS";
  if (!small) return `${view} ${large}`;
  const once = `SELECT DISTINCT ON (id) * FROM (${small})`;
  if (!large) return `${view} ${once}`;
  return `${view} ${large} UNION ALL BY NAME SELECT * FROM (${once}) AS s
    WHERE NOT EXISTS (SELECT 1 FROM (${large}) AS l WHERE l.id = s.id AND l.day = s.day)`;
}
