/** The sessions of one user: read, changed and deleted. */

import type { Selection } from "../../../ports/turns/decide-request.ts";
import { rootSession, sideSessionRange } from "../../../session/conversation-fingerprint.ts";
import type { SessionInfo } from "../../../session/state.ts";
import { addSelected, NO_TASK, type SessionIntents, type TaskState, taskStateFor } from "../../../session/task.ts";
import { exists, selectAll, selectOne, upsertRow } from "../../objects/sql-rows.ts";
import { cancelOpen } from "../approvals/end-approvals.ts";
import { SESSION_IDLE_MS } from "../lifetimes.ts";
import { settleLostSteps } from "../plans/ended.ts";
import { deletePlansOf } from "../plans/save.ts";
import { deleteResponsesOf } from "../responses/response-rows.ts";
import { deleteCallsOf, isLive, leaveCalls } from "../stored-calls.ts";
import { deleteHistory } from "../tool-history.ts";
import type { GuardContext, Transaction } from "../transaction.ts";
import { leaveOpenTurns } from "./session-turns.ts";

export const sessionsApi = (context: GuardContext) => ({
  find: async (id: string) => context.read(({ sql }) => readSession(sql, id)),
  /** @returns undefined if there is no such session. */
  setMode: async (id: string, mode: string) =>
    context.read(({ sql }) => {
      // The mode restricts the conversation, so side sessions get it too.
      const where = "id = ? OR (id > ? AND id < ?)";
      sql.exec(`UPDATE sessions SET mode = ? WHERE ${where}`, mode, id, ...sideSessionRange(id));
      return readSession(sql, id);
    }),
  delete: async (id: string) => context.change((transaction) => deleteSession(transaction, id)),
});

export interface SessionRow extends Record<string, SqlStorageValue> {
  id: string;
  mode: string | null;
  intents: string;
  task: number;
  opening: string;
  fresh: number;
  pins: string;
  standing: string;
  created: number;
  seen: number;
  /** JSON, the marks of the last reply that reached the client (`replyMarks`). */
  reply: string;
  /** JSON list, sketches of the system prompts (`promptSketch`). */
  prompts: string;
  /** Digest of the first message and reply, by which a client that names no session is found. Further ones are in `pairs`. */
  pair: string | null;
  /** JSON list (`session-turns.ts`). */
  turn_list: string;
  /** When the oldest open turn was opened; null if none is open. */
  opened: number | null;
}

/** What a turn reads of its session once it is open: without the pins, which may be long. */
export type OpenedSession = Pick<
  SessionRow,
  "id" | "intents" | "task" | "opening" | "fresh" | "standing" | "turn_list" | "created"
>;

export const readOpened = (sql: SqlStorage, id: string): OpenedSession | undefined =>
  selectOne<OpenedSession>(
    sql,
    "SELECT id, intents, task, opening, fresh, standing, turn_list, created FROM sessions WHERE id = ?",
    id,
  );

type HeldSession = Pick<SessionRow, "id" | "intents" | "task" | "standing">;

/** Its intents and state in its current task. */
export function readHeld({ intents, standing, task }: HeldSession): SessionIntents {
  const known: TaskState = { ...NO_TASK, ...(JSON.parse(standing) as Partial<TaskState>) };
  return { intents: JSON.parse(intents) as string[], taskState: taskStateFor(known, task) };
}

/** Whether a call belongs to the current task. A row of older code has no epoch: then its task decides. */
export const countsForTask = (
  row: { readonly epoch: number | null; readonly task: number },
  state: TaskState,
): boolean => (row.epoch === null ? row.task === state.task : row.epoch === state.epoch);

export const promptsOf = ({ prompts }: Pick<SessionRow, "prompts">): number[][] => JSON.parse(prompts) as number[][];

const detectedPart = ({ intents, taskState: { detected } }: SessionIntents) => ({ intents, detected });

/**
 * As it is shown: the one of a session and its side sessions with the most messages, since a frontend's own request may come before
 * the conversation's first.
 */
function readSession(sql: SqlStorage, id: string): SessionInfo | undefined {
  const range = sideSessionRange(id);
  const row = selectOne<SessionRow>(
    sql,
    "SELECT * FROM sessions WHERE id = ? OR (id > ? AND id < ?) ORDER BY task DESC, id LIMIT 1",
    id,
    ...range,
  );
  if (!row) return undefined;
  const pending = sql
    .exec<{ n: number }>(
      `SELECT COUNT(*) AS n FROM calls WHERE (session = ? OR (session > ? AND session < ?)) AND outcome IS NULL AND ${isLive()}`,
      id,
      ...range,
    )
    .one().n;
  return {
    id,
    mode: row.mode ?? undefined,
    ...detectedPart(readHeld(row)),
    createdAt: row.created,
    seenAt: row.seen,
    pending,
  };
}

export function saveSession(sql: SqlStorage, row: SessionRow): void {
  const changed = ["mode", "intents", "task", "fresh", "pins", "standing", "seen", "prompts", "turn_list", "opened"];
  upsertRow(sql, "sessions", "id", row, changed);
  // The session that the client knows lives as long as its side sessions: their consents depend on it.
  const root = rootSession(row.id);
  if (root !== row.id) sql.exec("UPDATE sessions SET seen = ? WHERE id = ?", row.seen, root);
}

/** By the handshake. The variant belongs to the call of the intents before, and is cleared with them. */
export function selectIntents(sql: SqlStorage, session: OpenedSession, selection: Selection): void {
  const held = readHeld(session);
  const { intents, undetected } = addSelected(held, selection.intents, selection);
  const variant = intents.length === held.intents.length ? held.taskState.variant : undefined;
  const taskState: TaskState = { ...held.taskState, undetected, variant };
  sql.exec(
    "UPDATE sessions SET intents = ?, standing = ? WHERE id = ?",
    JSON.stringify(intents),
    JSON.stringify(taskState),
    session.id,
  );
}

/** Per task: more than a person would look through. The oldest is dropped. */
const MAX_ENDORSED = 50;

/**
 * For the rest of the task of the question; the session may have begun another.
 * @param digest of the result's text.
 */
export function endorseSource(sql: SqlStorage, { session, task }: TaskOfSession, digest: string): void {
  const row = selectOne<SessionRow>(sql, "SELECT * FROM sessions WHERE id = ? AND task = ?", session, task);
  if (!row) return;
  const { taskState } = readHeld(row);
  const others = (taskState.endorsed ?? []).filter((one) => one !== digest);
  saveTaskState(sql, row, { ...taskState, endorsed: [...others, digest].slice(-MAX_ENDORSED) });
}

interface TaskOfSession {
  readonly session: string;
  readonly task: number;
}

/** The task is over. */
export function endEndorsements(sql: SqlStorage, session: HeldSession): void {
  const { taskState } = readHeld(session);
  if (taskState.endorsed) saveTaskState(sql, session, { ...taskState, endorsed: undefined });
}

export const saveTaskState = (sql: SqlStorage, { id }: Pick<SessionRow, "id">, taskState: TaskState): void => {
  sql.exec("UPDATE sessions SET standing = ? WHERE id = ?", JSON.stringify(taskState), id);
};

/** A result that the user did not write is in the conversation, until the session is reset. */
export function markUntrusted(sql: SqlStorage, id: string): void {
  const row = readOpened(sql, id);
  if (row) saveTaskState(sql, row, { ...readHeld(row).taskState, untrusted: true });
}

/** The next message does not continue it. */
export function markTaskFailed(sql: SqlStorage, session: HeldSession): void {
  saveTaskState(sql, session, { ...readHeld(session).taskState, endorsed: undefined, failed: true });
}

/** A person may still answer a call of the session. */
export const IS_AWAITED =
  "EXISTS (SELECT 1 FROM approvals a WHERE a.session = sessions.id AND a.open = 1 AND a.expires > ?)";

/** Used recently, or with a call that may still be answered. */
export const isAlive = (sql: SqlStorage, id: string, now: number): boolean =>
  exists(
    sql,
    `SELECT 1 AS one FROM sessions WHERE id = ? AND (seen >= ? OR ${IS_AWAITED})`,
    id,
    now - SESSION_IDLE_MS,
    now,
  );

/**
 * The session and everything that belongs to it; its pending approvals are cancelled. Rate windows stay: they are the user's. An open
 * turn stays for its record; it decides nothing more, not even in a new session of the same id.
 */
export function deleteSessionRows(transaction: Transaction, id: string): boolean {
  const { sql } = transaction;
  cancelOpen(transaction, id, null);
  leaveOpenTurns(sql, id);
  leaveCalls(sql, id);
  for (const table of ["pairs", "exchanges", "gates", "bound_gates", "grants"])
    sql.exec(`DELETE FROM ${table} WHERE session = ?`, id);
  deleteHistory(sql, id);
  const existed = exists(sql, "DELETE FROM sessions WHERE id = ? RETURNING id", id);
  settleLostSteps(transaction);
  // A started run stays for its record, without its other parts of the deleted session.
  sql.exec("DELETE FROM runs WHERE session = ? AND status <> 'started'", id);
  sql.exec("UPDATE runs SET task = -1, arguments = '{}', extra = NULL WHERE session = ?", id);
  return existed;
}

/**
 * At the user's request: the session is deleted whole, with its plan and its stored responses. A session that idles out leaves these,
 * the calls that can be undone, and its plan: steps that were released or waited for a person have failed, and can be run again.
 */
export function deleteSession(transaction: Transaction, id: string): boolean {
  const { sql } = transaction;
  const range = sideSessionRange(id);
  const sides = selectAll<{ id: string }>(sql, "SELECT id FROM sessions WHERE id > ? AND id < ?", ...range);
  for (const side of sides) deleteSession(transaction, side.id);
  deleteCallsOf(sql, id);
  sql.exec("DELETE FROM subscriptions WHERE session = ?", id);
  const planned = deletePlansOf(transaction, id);
  const responded = deleteResponsesOf(sql, id);
  return deleteSessionRows(transaction, id) || planned || responded;
}
