/**
 * The turns of a session, in the session's own row, which an open and a close write anyway: in a table of their own each would cost
 * three rows more. A turn stays for a while after it was closed: the same request, sent again, gets the same calls.
 */
import type { TurnRecord } from "../../../ports/audit-record.ts";
import { exists, insertRow, selectAll, selectOne, updateRow } from "../../objects/sql-rows.ts";
import { RETRY_MS } from "../lifetimes.ts";

/** Version 22 of the tables writes this too. */
export interface SessionTurn {
  readonly id: string;
  readonly task: number;
  /** The session's state when the turn was opened; null if an early version opened it. */
  readonly epoch: number | null;
  /** Digest of the client's request. */
  readonly digest: string;
  readonly at: number;
  readonly model: string;
  /** The conditions that it was opened under. */
  readonly role: string;
  readonly grants: string;
  readonly mode: string | null;
  readonly policy: string;
  readonly open: boolean;
  readonly settled: TurnRecord["settled"];
  /** Whether it began with a reset. */
  readonly reset: boolean;
  /** Whether another began with one while it was open: it leaves nothing that lasts. */
  readonly cleared: boolean;
}

/** Closed turns per session: a program may send hundreds of requests a minute. */
const MAX_CLOSED = 100;

interface TurnsRow extends Record<string, SqlStorageValue> {
  readonly turn_list: string;
}

export const turnsIn = ({ turn_list: list }: { readonly turn_list: string }): SessionTurn[] =>
  JSON.parse(list) as SessionTurn[];

export function readTurns(sql: SqlStorage, session: string): SessionTurn[] {
  const row = selectOne<TurnsRow>(sql, "SELECT turn_list FROM sessions WHERE id = ?", session);
  return row ? turnsIn(row) : [];
}

/** The turns of the request among these, the last first. */
export const triesOfRequest = (turns: readonly SessionTurn[], digest: string): SessionTurn[] =>
  turns.filter((turn) => turn.digest === digest).sort((one, other) => other.at - one.at);

export const triesInTask = (session: TurnsRow & { readonly task: number }, digest: string): SessionTurn[] =>
  triesOfRequest(turnsIn(session), digest).filter(({ task }) => task === session.task);

export type TurnStart = Pick<SessionTurn, "id" | "at">;

/** Of two in one millisecond the greater id counts as the later. */
export const startedAfter = (one: TurnStart, other: TurnStart): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id);

interface TurnColumns {
  readonly turn_list: string;
  readonly opened: number | null;
}

/** The columns of a session that hold its turns. */
export function turnColumns(turns: readonly SessionTurn[]): TurnColumns {
  const open = turns.filter((turn) => turn.open).map(({ at }) => at);
  return { turn_list: JSON.stringify(turns), opened: open.length > 0 ? Math.min(...open) : null };
}

export function storeTurns(sql: SqlStorage, session: string, turns: readonly SessionTurn[]): void {
  const columns = turnColumns(turns);
  updateRow(sql, "sessions", ["id"], { id: session, ...columns }, Object.keys(columns));
}

/** The turns of all sessions. */
export const openTurnsOf = (sql: SqlStorage): readonly TurnStart[] =>
  selectAll<TurnsRow>(sql, "SELECT turn_list FROM sessions WHERE opened > 0")
    .flatMap(turnsIn)
    .filter(({ open }) => open);

/** A closed turn needs only what a repeated request is compared with. */
export const asClosed = (turn: SessionTurn): SessionTurn => ({ ...turn, open: false, model: "", settled: [] });

/** Without the turns that no retry can repeat. A held reply released its calls long after it was opened. */
export function withoutOld(
  sql: SqlStorage,
  session: string,
  turns: readonly SessionTurn[],
  now: number,
): readonly SessionTurn[] {
  const since = now - RETRY_MS;
  const kept = turns.filter(
    (turn) => turn.open || turn.at >= since || hasCalls(sql, session, turn, since) || hasRuns(sql, turn.id, since),
  );
  const over = kept.filter(({ open }) => !open).slice(0, -MAX_CLOSED);
  return over.length === 0 ? kept : kept.filter((turn) => !over.includes(turn));
}

/** Whether it released a call after `since`. */
export const hasCalls = (
  sql: SqlStorage,
  session: string,
  { task, id }: Pick<SessionTurn, "task" | "id">,
  since: number,
): boolean =>
  exists(sql, "SELECT 1 FROM calls WHERE session = ? AND task = ? AND turn = ? AND at > ?", session, task, id, since);

const hasRuns = (sql: SqlStorage, turn: string, since: number): boolean =>
  exists(sql, "SELECT 1 FROM runs WHERE holder = ? AND (status = 'started' OR ended > ?)", turn, since);

/** Calls that it released so far: a turn that asks and continues decides more than once. */
export const releasedIn = (
  sql: SqlStorage,
  session: string,
  { task, id }: Pick<SessionTurn, "task" | "id">,
): readonly string[] =>
  selectAll<{ call_id: string }>(
    sql,
    "SELECT call_id FROM calls WHERE session = ? AND task = ? AND turn = ? ORDER BY ordinal",
    session,
    task,
    id,
  ).map(({ call_id }) => call_id);

/** A turn of the table, whose session was deleted while it was open: it stays for its record. */
type LeftTurn = Pick<SessionTurn, "id" | "at" | "model" | "role" | "mode" | "policy" | "settled"> & {
  readonly session: string;
};

/** The session is about to be deleted. */
export function leaveOpenTurns(sql: SqlStorage, session: string): void {
  for (const { open, settled, reset, cleared, ...turn } of readTurns(sql, session))
    if (open) {
      const columns = { settled: JSON.stringify(settled), reset: reset ? 1 : 0, cleared: cleared ? 1 : 0 };
      insertRow(sql, "turns", { ...turn, session, task: -1, open: 1, ...columns });
    }
}

/** Removes and returns it. */
export function takeLeftTurn(sql: SqlStorage, id: string): LeftTurn | undefined {
  const row = selectOne<Omit<LeftTurn, "settled"> & { readonly settled: string }>(
    sql,
    "DELETE FROM turns WHERE id = ? AND open = 1 RETURNING id, session, at, model, role, mode, policy, settled",
    id,
  );
  return row && { ...row, settled: JSON.parse(row.settled) as SessionTurn["settled"] };
}
