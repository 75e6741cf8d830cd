/** `toolgate audit verify --archive` and `toolgate audit query "select …" --archive`: what needs no gateway. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { visible, visibleJson } from "../../lib/text/visible-text.ts";
import { INCOMING, RECORDS } from "../../stores/archive/archive-files.ts";
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

/** @returns the exit code: 1 where the archive is not whole. */
export async function verifyArchiveAt({ archive: place, from, json }: VerifyOptions): Promise<number> {
  const keys = parseAuditKeys(process.env.AUDIT_KEY ?? "");
  if (!keys.ok) return fail([`AUDIT_KEY: ${keys.error}: write the keys that the gateway seals its records with`]);
  const archive = openArchive(place, process.env);
  if (!archive.ok) return fail(archive.error);
  const verdict = await verifyArchive(archive.value, keys.value, from);
  const { problems, users, records, incoming, last } = verdict;
  if (json) console.log(visibleJson(verdict, 0));
  else {
    for (const problem of problems) console.log(visible(problem));
    const counts = `${records} records of ${users} users, ${incoming} of them in no manifest yet`;
    const newest = last ? `manifest ${last.number}, ${last.digest}` : "no manifest";
    console.log(`${problems.length === 0 ? "whole" : "NOT WHOLE"}: ${counts}; ${newest}`);
  }
  return problems.length === 0 ? 0 : 1;
}

interface QueryOptions {
  readonly sql: string;
  readonly archive: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly json: boolean;
}

/** DuckDB over the archive, whose records are the view `records`. */
export async function queryArchive({ sql, archive: place, from, to, json }: QueryOptions): Promise<number> {
  const archive = openArchive(place, process.env);
  if (!archive.ok) return fail(archive.error);
  const duckdb = await import("@duckdb/node-api").catch(() => undefined);
  if (!duckdb) return fail(["queries need DuckDB, which is not installed: `npm install @duckdb/node-api`"]);
  const local = await localFolder(archive.value, { from, to });
  try {
    const connection = await (await duckdb.DuckDBInstance.create(":memory:")).connect();
    await connection.run(await viewOver(archive.value, local.folder, { from, to }));
    const reader = await connection.runAndReadAll(sql);
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

interface Days {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A bucket's files of these days are copied, and removed afterwards. */
async function localFolder(
  archive: OpenArchive,
  days: Days,
): Promise<{ readonly folder: string; readonly remove: () => Promise<void> }> {
  if (archive.folder !== undefined) return { folder: archive.folder, remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "toolgate-archive-"));
  for (const key of await keysOf(archive, days)) {
    const bytes = await archive.read(key);
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    if (bytes) await writeFile(path, bytes);
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

async function keysOf(archive: OpenArchive, { from = "", to = "9999" }: Days): Promise<readonly string[]> {
  const keys = [...(await archive.list(RECORDS)), ...(await archive.list(INCOMING))];
  return keys.filter((key) => {
    const day = /\/day=([\d-]+)\//.exec(key)?.[1] ?? "";
    return day >= from && day <= to;
  });
}

/** A batch may be in two small files, and in a large one already: of the small ones only what is nowhere else counts. */
async function viewOver(archive: OpenArchive, folder: string, days: Days): Promise<string> {
  const keys = await keysOf(archive, days);
  const read = (under: string) => {
    const files = keys
      .filter((key) => key.startsWith(under))
      .map((key) => `'${join(folder, key).replaceAll("'", "''")}'`);
    return files.length === 0
      ? undefined
      : `SELECT * FROM read_parquet([${files.join(", ")}], hive_partitioning = true, union_by_name = true)`;
  };
  const [large, small] = [read(RECORDS), read(INCOMING)];
  if (!large && !small) throw new Error("the archive has no records of these days");
  if (!small) return `CREATE VIEW records AS ${large}`;
  const once = `SELECT DISTINCT ON (id) * FROM (${small})`;
  if (!large) return `CREATE VIEW records AS ${once}`;
  return `CREATE VIEW records AS ${large} UNION ALL BY NAME SELECT * FROM (${once}) AS s
    WHERE NOT EXISTS (SELECT 1 FROM (${large}) AS l WHERE l.id = s.id AND l.day = s.day)`;
}
