/** The counts for the rules that need them. Part of the transaction that decides. */
import type { CountedChecks, RateWindow } from "../../../policy/facts.ts";
import type { CountedFacts } from "../../../policy/rules/counted.ts";
import { first } from "../schema.ts";

/** Soft uses count over the epoch that the turn was opened in; the session may be in a later one. */
export interface EpochOfTurn extends Record<string, SqlStorageValue> {
  readonly task: number;
  readonly epoch: number | null;
}

export interface OpenTurn extends EpochOfTurn {
  /** Of the client's request. */
  readonly digest: string;
  readonly at: number;
}

export function readCounts(
  sql: SqlStorage,
  { session, root }: { readonly session: string; readonly root: string },
  epochOfTurn: EpochOfTurn,
  counted: CountedChecks,
  now: number,
): Omit<CountedFacts, "askable" | "granted"> {
  return {
    now,
    windows: counted.windows.map((window) => readWindow(sql, window, now)),
    gateOpen: isGateOpen(sql, counted, root),
    softUses: counted.soft ? countSoft(sql, session, epochOfTurn) : 0,
  };
}

/** An exact sliding window: the uses after `now - windowMs`, and when the one that must leave does. */
function readWindow(
  sql: SqlStorage,
  { key, max, windowMs }: RateWindow,
  now: number,
): { used: number; freesAt: number } {
  const since = now - windowMs;
  const used = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM uses WHERE key = ? AND at > ?", key, since).one().n;
  if (used < max || max <= 0) return { used, freesAt: now };
  const leaving = first(
    sql.exec<{ at: number }>(
      "SELECT at FROM uses WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
      key,
      since,
      max - 1,
    ),
  );
  return { used, freesAt: (leaving?.at ?? now) + windowMs };
}

function isGateOpen(sql: SqlStorage, { gate }: CountedChecks, session: string): boolean {
  if (!gate) return true;
  // A consent for every session has no effect once the policy asks in each.
  const everywhere = gate.perSession ? session : "";
  return (
    first(
      sql.exec("SELECT 1 AS one FROM gates WHERE tool = ? AND session IN (?, ?)", gate.tool, everywhere, session),
    ) !== undefined
  );
}

/** Those of the epoch, and always those of the turn's own task. */
function countSoft(sql: SqlStorage, session: string, { task, epoch }: EpochOfTurn): number {
  const soft = "session = ?1 AND soft = 1 AND (epoch = ?2 OR task = ?3)";
  const counting = `SELECT (SELECT COUNT(*) FROM calls WHERE ${soft}) + (SELECT COUNT(*) FROM runs WHERE ${soft}) AS n`;
  return sql.exec<{ n: number }>(counting, session, epoch, task).one().n;
}
