/** A real D1 in workerd, with the migrations as wrangler would apply them. */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** Runs statements for `connect`. */
const script = `export default {
  async fetch(request, { DB }) {
    const { method, statements, column } = await request.json();
    try {
      const bound = statements.map(({ sql, values }) => DB.prepare(sql).bind(...values));
      return Response.json({ value: method === "batch" ? await DB.batch(bound) : await bound[0][method](column) });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

export interface WorkerdDatabase {
  readonly db: D1Database;
  dispose(): Promise<void>;
}

/** @param migrations the folder of its migrations. */
export async function openWorkerdDatabase(migrations: string): Promise<WorkerdDatabase> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: "2026-10-01",
      d1Databases: ["DB"],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  const db = connect(await mf.unsafeGetDirectURL());
  const queries = (await readD1Migrations(migrations)).flatMap((migration) => migration.queries);
  await db.batch(queries.map((query) => db.prepare(query)));
  return { db, dispose: () => mf.dispose() };
}

type Method = "all" | "first" | "run" | "batch";

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** One request for each call. Miniflare's own D1 takes one for each statement that is prepared or bound, and the process waits for it. */
function connect(url: URL): D1Database {
  const send = async (method: Method, statements: readonly Statement[], column?: string): Promise<unknown> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify({ method, statements, column }) });
    const { value, error } = (await response.json()) as { readonly value?: unknown; readonly error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  };
  const prepared = (sql: string, values: readonly unknown[]) => ({
    sql,
    values,
    bind: (...bound: readonly unknown[]) => prepared(sql, bound),
    all: () => send("all", [{ sql, values }]),
    first: (column?: string) => send("first", [{ sql, values }], column),
    run: () => send("run", [{ sql, values }]),
  });
  const db = {
    prepare: (sql: string) => prepared(sql, []),
    batch: (statements: readonly Statement[]) => send("batch", statements),
  };
  // What else D1 has is not asked for here.
  return db as unknown as D1Database;
}
