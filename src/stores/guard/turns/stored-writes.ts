/** Tainted writes: digests of what calls wrote after untrusted text. */
import { NOTHING_TAINTED, type TaintedWrites } from "../../../policy/origin/sources/tainted-values.ts";
import { selectAll } from "../../objects/sql-rows.ts";

/** Calls per user. With more, nothing that a trusted tool returns is trusted until old ones have expired. */
const MAX_WRITES = 1_000;

interface WriteRow extends Record<string, SqlStorageValue> {
  tool: string;
  session: string;
  digests: string;
}

export function readTaintedWrites(sql: SqlStorage): TaintedWrites {
  const rows = selectAll<WriteRow>(sql, "SELECT tool, session, digests FROM stored_writes ORDER BY ordinal");
  if (rows.length === 0) return NOTHING_TAINTED;
  const known = rows.filter(({ digests }) => digests !== "");
  return {
    writes: known.map(({ digests, ...write }) => ({ ...write, digests: digests.split(" ") })),
    isFull: known.length < rows.length,
  };
}

/** The same text again is the same write, and is stored for as long as the last one. */
export function storeWrite(
  sql: SqlStorage,
  { tool, session, digests }: { tool: string; session: string; digests: readonly string[] },
  now: number,
): void {
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM stored_writes").one();
  const kept = n < MAX_WRITES ? digests.join(" ") : "";
  sql.exec(
    "INSERT INTO stored_writes (tool, session, at, digests) VALUES (?, ?, ?, ?) ON CONFLICT (digests) DO UPDATE SET at = excluded.at",
    tool,
    session,
    now,
    kept,
  );
}
