/**
 * A user's released calls, for their list and for undoing them. They outlive their session: a person may undo today what was
 * done yesterday. Each function is part of its caller's transaction.
 */
import {
  type CallOutcome,
  type CallsPort,
  type CallsQuery,
  MAX_KEPT,
  type StoredCall,
} from "../../ports/calls-port.ts";
import type { CallToDecide } from "../../ports/turns-port.ts";
import { insertRow, readSqlPage } from "../objects/sql-rows.ts";
import type { ObjectContext } from "./object-context.ts";
import { first } from "./schema.ts";

const RETENTION_MS = 30 * 24 * 3600_000;
/** Of one user. A row has up to some 64 KB, most have less than one. */
export const MAX_CALLS = 20_000;

/** The rows of `kept_calls`. */
interface CallRow extends Record<string, SqlStorageValue> {
  decision: string;
  session: string;
  call_id: string;
  tool: string;
  at: number;
  recorded: string;
  arguments: string | null;
  result: string | null;
  outcome: string | null;
  undoes: string | null;
  undone_by: string | null;
  asked: string | null;
  undo_key: string | null;
}

interface CallToStore {
  readonly decision: string;
  readonly session: string;
  readonly call: CallToDecide;
  readonly undo: CallToDecide["undo"];
  readonly now: number;
}

/** Stores a released call. A call that it undoes counts as undone from now on: nobody can undo it again. */
export function storeCall(sql: SqlStorage, { decision, session, call, undo, now }: CallToStore): void {
  const keeps = call.undoable === true || undo !== undefined;
  insertRow(sql, "kept_calls", {
    ...{ decision, session, call_id: call.callId, tool: call.tool, at: now, recorded: JSON.stringify(call.recorded) },
    undoable: call.undoable === true ? 1 : 0,
    arguments: keeps && call.arguments.length <= MAX_KEPT ? call.arguments : null,
    undoes: undo?.of ?? null,
  });
  if (!undo) return;
  const { of, key } = undo;
  sql.exec("UPDATE kept_calls SET undone_by = ?, undo_key = ? WHERE decision = ?", decision, key ?? null, of);
}

/** Whether it is stored, and nothing has undone it. */
export function canBeUndone(sql: SqlStorage, id: string): boolean {
  const row = first(sql.exec<{ undone_by: string | null }>("SELECT undone_by FROM kept_calls WHERE decision = ?", id));
  return row !== undefined && row.undone_by === null;
}

/** Its outcome; undefined where it has none or the call is not stored. */
export function outcomeOf(sql: SqlStorage, decision: string): CallOutcome | undefined {
  const row = first(
    sql.exec<{ outcome: string | null }>("SELECT outcome FROM kept_calls WHERE decision = ?", decision),
  );
  return (row?.outcome ?? undefined) as CallOutcome | undefined;
}

export function noteUndoApproval(sql: SqlStorage, id: string, approval: string): void {
  sql.exec("UPDATE kept_calls SET asked = ? WHERE decision = ?", approval, id);
}

/** An undo that failed has undone nothing: it may be tried again. */
export function storeOutcome(sql: SqlStorage, decision: string, outcome: CallOutcome, text?: string): void {
  const kept = text !== undefined && text.length <= MAX_KEPT ? text : null;
  sql.exec(
    "UPDATE kept_calls SET outcome = ?1, result = CASE undoable WHEN 1 THEN ?2 END WHERE decision = ?3",
    outcome,
    kept,
    decision,
  );
  if (outcome === "failed") clearUndo(sql, decision);
}

/** It never reached the client. */
export function deleteCall(sql: SqlStorage, decision: string): void {
  clearUndo(sql, decision);
  sql.exec("DELETE FROM kept_calls WHERE decision = ?", decision);
}

function clearUndo(sql: SqlStorage, decision: string): void {
  sql.exec("UPDATE kept_calls SET undone_by = NULL, undo_key = NULL, asked = NULL WHERE undone_by = ?", decision);
}

export function deleteCallsOf(sql: SqlStorage, session: string): void {
  sql.exec("DELETE FROM kept_calls WHERE session = ?", session);
}

export function expireCalls(sql: SqlStorage, now: number): void {
  sql.exec("DELETE FROM kept_calls WHERE at <= ?", now - RETENTION_MS);
}

/** Deletes the oldest above the maximum. */
export function capCalls(sql: SqlStorage): void {
  sql.exec(
    "DELETE FROM kept_calls WHERE at < (SELECT at FROM kept_calls ORDER BY at DESC LIMIT 1 OFFSET ?)",
    MAX_CALLS - 1,
  );
}

/** When the next one expires; undefined where there is none. */
export function callsDueAt(sql: SqlStorage): number | undefined {
  const { oldest } = sql.exec<{ oldest: number | null }>("SELECT MIN(at) AS oldest FROM kept_calls").one();
  return oldest === null ? undefined : oldest + RETENTION_MS;
}

export class CallsApi implements CallsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(query: CallsQuery): ReturnType<CallsPort["list"]> {
    return this.context.read(({ sql, now }) => readCalls(sql, query, now));
  }

  async find(id: string): Promise<StoredCall | undefined> {
    return this.context.read(({ sql, now }) => readCall(sql, id, now));
  }
}

/** By id, which begins with the time. */
function readCalls(
  sql: SqlStorage,
  { session, ...page }: CallsQuery,
  now: number,
): { data: StoredCall[]; hasMore: boolean } {
  const conditions = [
    ["at > ?", now - RETENTION_MS] as const,
    session === undefined ? undefined : (["session = ?", session] as const),
  ];
  const { rows, hasMore } = readSqlPage<CallRow>(sql, { table: "kept_calls", key: "decision", conditions }, page);
  return { data: rows.map(storedCall), hasMore };
}

function readCall(sql: SqlStorage, id: string, now: number): StoredCall | undefined {
  const row = first(
    sql.exec<CallRow>("SELECT * FROM kept_calls WHERE decision = ? AND at > ?", id, now - RETENTION_MS),
  );
  return row && storedCall(row);
}

const storedCall = (row: CallRow): StoredCall => ({
  id: row.decision,
  session: row.session,
  callId: row.call_id,
  tool: row.tool,
  at: row.at,
  recorded: JSON.parse(row.recorded) as unknown,
  arguments: row.arguments ?? undefined,
  result: row.result ?? undefined,
  outcome: row.outcome as CallOutcome | null,
  undoes: row.undoes,
  undoneBy: row.undone_by,
  asked: row.asked,
  undoKey: row.undo_key,
});
