/**
 * A user's calls that were released or run, for their list and for undoing them. They outlive their session: a person may undo today
 * what was done yesterday. Each function is part of its caller's transaction.
 */
import {
  type CallOutcome,
  type CallsPort,
  type CallsQuery,
  MAX_STORED_UNITS,
  type StoredCall,
} from "../../ports/calls-port.ts";
import type { CallToDecide } from "../../ports/turns/decide-request.ts";
import { rootSession, sideSessionRange } from "../../session/conversation-fingerprint.ts";
import { insertRow, readSqlPage, selectOne } from "../objects/sql-rows.ts";
import { KEPT_MS } from "./lifetimes.ts";
import type { GuardContext } from "./transaction.ts";

/** A row of `calls`, read as a `StoredCall`. */
type CallRow = Omit<StoredCall, "recorded" | "arguments" | "result"> & {
  readonly recorded: string;
  readonly arguments: string | null;
  readonly result: string | null;
};

/** A released call whose session is still the one that it was released in, not a later one of the same id. */
export const isLive = (calls = "calls"): string =>
  `${calls}.session_created = (SELECT created FROM sessions WHERE id = ${calls}.session)`;

interface CallToStore {
  readonly ordinal: number;
  readonly decision: string;
  readonly session: string;
  readonly call: CallToDecide;
  readonly undo: CallToDecide["undo"];
  readonly now: number;
  /** What its session needs of a released call; absent for a run, which the ledger has. */
  readonly released: Readonly<Record<string, SqlStorageValue>> | undefined;
}

/** The call that it undoes counts as undone from now on: it cannot be undone again. */
export function storeCall(
  sql: SqlStorage,
  { ordinal, decision, session, call, undo, now, released }: CallToStore,
): void {
  const keeps = (call.undoable === true || undo !== undefined) && call.arguments.length <= MAX_STORED_UNITS;
  const recorded = JSON.stringify(call.recorded);
  insertRow(sql, "calls", {
    ordinal,
    decision,
    session,
    call_id: call.callId,
    tool: call.tool,
    at: now,
    recorded,
    keeps: keeps ? 1 : 0,
    undoable: call.undoable === true ? 1 : 0,
    arguments: (keeps || released) && recorded !== call.arguments ? call.arguments : null,
    undoes: undo?.of ?? null,
    ...released,
  });
  if (!undo) return;
  const { of, key } = undo;
  sql.exec("UPDATE calls SET undone_by = ?, undo_key = ? WHERE decision = ?", decision, key ?? null, of);
}

/** Whether it is stored, and nothing has undone it. */
export function canBeUndone(sql: SqlStorage, id: string): boolean {
  const row = selectOne<{ undone_by: string | null }>(sql, "SELECT undone_by FROM calls WHERE decision = ?", id);
  return row !== undefined && row.undone_by === null;
}

/** Its outcome; undefined if it has none or the call is not stored. */
export function outcomeOf(sql: SqlStorage, decision: string): CallOutcome | undefined {
  const row = selectOne<{ outcome: string | null }>(sql, "SELECT outcome FROM calls WHERE decision = ?", decision);
  return (row?.outcome ?? undefined) as CallOutcome | undefined;
}

export function noteUndoApproval(sql: SqlStorage, id: string, approval: string): void {
  sql.exec("UPDATE calls SET asked = ? WHERE decision = ?", approval, id);
}

/** An undo that failed has undone nothing: it may be tried again. */
export function storeOutcome(sql: SqlStorage, decision: string, outcome: CallOutcome, text?: string): void {
  const kept = text !== undefined && text.length <= MAX_STORED_UNITS ? text : null;
  sql.exec(
    `UPDATE calls SET outcome = ?1, result = CASE undoable WHEN 1 THEN ?2 END, arguments = CASE keeps WHEN 1 THEN arguments END
       WHERE decision = ?3`,
    outcome,
    kept,
    decision,
  );
  if (outcome === "failed") clearUndo(sql, decision);
}

/** The tool never got it. */
export function deleteCall(sql: SqlStorage, decision: string): void {
  clearUndo(sql, decision);
  sql.exec("DELETE FROM calls WHERE decision = ?", decision);
}

/** The session is over: the calls stay without what only it needed. */
export function leaveCalls(sql: SqlStorage, session: string): void {
  sql.exec(
    `UPDATE calls SET extra = NULL, arguments = CASE keeps WHEN 1 THEN arguments END
       WHERE session = ? AND (extra IS NOT NULL OR (keeps = 0 AND arguments IS NOT NULL))`,
    session,
  );
}

/** Those of the session and its side sessions. */
export function deleteCallsOf(sql: SqlStorage, session: string): void {
  sql.exec(
    "DELETE FROM calls WHERE session = ? OR (session > ? AND session < ?)",
    session,
    ...sideSessionRange(session),
  );
}

/** The call that it would have undone is not undone. */
export function clearUndo(sql: SqlStorage, decision: string): void {
  sql.exec("UPDATE calls SET undone_by = NULL, undo_key = NULL, asked = NULL WHERE undone_by = ?", decision);
}

export const callsApi = (context: GuardContext): CallsPort => ({
  list: async (query) => context.read(({ sql, now }) => readCalls(sql, query, now)),
  find: async (id) => context.read(({ sql, now }) => readCall(sql, id, now)),
});

/** By id, which begins with the time. */
function readCalls(sql: SqlStorage, { session, ...page }: CallsQuery, now: number) {
  const conditions = [
    ["at > ?", now - KEPT_MS] as const,
    session === undefined
      ? undefined
      : (["(session = ? OR (session > ? AND session < ?))", session, ...sideSessionRange(session)] as const),
  ];
  const query = { table: "calls", columns: COLUMNS, key: "decision", conditions };
  const { rows, hasMore } = readSqlPage<CallRow>(sql, query, page);
  return { data: rows.map(storedCall), hasMore };
}

function readCall(sql: SqlStorage, id: string, now: number): StoredCall | undefined {
  const text = `SELECT ${COLUMNS} FROM calls WHERE decision = ? AND at > ?`;
  const row = selectOne<CallRow>(sql, text, id, now - KEPT_MS);
  return row && storedCall(row);
}

const COLUMNS = `decision AS id, session, call_id AS callId, tool, at, recorded,
  CASE keeps WHEN 1 THEN COALESCE(arguments, recorded) END AS arguments, result, outcome, undoes, undone_by AS undoneBy, asked,
  undo_key AS undoKey`;

const storedCall = ({ session, recorded, arguments: args, result, ...row }: CallRow): StoredCall => ({
  ...row,
  session: rootSession(session),
  recorded: JSON.parse(recorded) as unknown,
  arguments: args ?? undefined,
  result: result ?? undefined,
});
