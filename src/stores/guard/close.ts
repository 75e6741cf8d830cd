/** Closing a turn: its record, and what the next request must find. One transaction. */
import { pairOf } from "../../session/pair.ts";
import type { CloseRequest } from "../../turn/guard-port.ts";
import type { AuditKeys } from "../audit-keys.ts";
import type { TurnRecord } from "../audit-record.ts";
import { rememberPair } from "./open.ts";
import { appendRecord, readOwner } from "./outbox.ts";
import { first, RETRY_MS } from "./schema.ts";
import type { SessionRow } from "./sessions.ts";

/** A turn that nobody closed within this time has died with its worker. */
const LOST_MS = 3600_000;

interface TurnRow extends Record<string, SqlStorageValue> {
  id: string;
  session: string;
  task: number;
  at: number;
  model: string;
  role: string;
  settled: string;
}

/** A turn that is not open any more (deleted with its session, or closed as lost) is recorded all the same, once. */
export function closeTurn(sql: SqlStorage, keys: AuditKeys, request: CloseRequest, now: number): void {
  const owner = readOwner(sql);
  if (!owner) throw new Error("the object has no owner: no turn was opened in it");
  const turn = first(
    sql.exec<TurnRow>("UPDATE turns SET open = 0 WHERE id = ? AND open = 1 RETURNING *", request.turn),
  );
  if (!turn) return;
  appendRecord(sql, keys, {
    kind: "turn",
    id: turn.id,
    tenant: owner.tenant,
    user: owner.user,
    session: turn.session,
    at: turn.at,
    model: turn.model,
    settled: JSON.parse(turn.settled) as TurnRecord["settled"],
    ...request.record,
  } satisfies TurnRecord);

  const session = first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", turn.session));
  if (!session) return;
  if (session.fresh === 1) {
    if (request.replyText !== undefined)
      rememberPair(sql, pairOf(session.opening, [], request.replyText), session.id, now);
    sql.exec("UPDATE sessions SET fresh = 0 WHERE id = ?", session.id);
  }
  if (session.task !== turn.task) return;
  if (!request.taskGoesOn) sql.exec("DELETE FROM exchanges WHERE session = ?", session.id);
  for (const { anchors, place, messages } of request.hidden) {
    sql.exec(
      "INSERT INTO exchanges (session, task, anchors, place, messages) VALUES (?, ?, ?, ?, ?)",
      session.id,
      turn.task,
      JSON.stringify(anchors),
      place,
      JSON.stringify(messages),
    );
  }
}

/** Records the turns whose worker died before it could close them, and forgets closed ones that no retry can ask for. */
export function closeLostTurns(sql: SqlStorage, keys: AuditKeys, now: number): void {
  const owner = readOwner(sql);
  if (!owner) return;
  const lost = sql.exec<TurnRow>("DELETE FROM turns WHERE open = 1 AND at < ? RETURNING *", now - LOST_MS).toArray();
  for (const turn of lost) {
    appendRecord(sql, keys, {
      kind: "turn",
      id: turn.id,
      tenant: owner.tenant,
      user: owner.user,
      session: turn.session,
      at: turn.at,
      endedAt: now,
      role: turn.role,
      mode: "",
      model: turn.model,
      policy: "",
      stateOpened: "request",
      stateClosed: "request",
      intents: [],
      stopReason: "aborted",
      finishReason: null,
      steps: 0,
      offered: [],
      withheld: [],
      tokensSaved: 0,
      usage: null,
      settled: JSON.parse(turn.settled) as TurnRecord["settled"],
      error: "the turn was never closed",
    });
  }
  sql.exec("DELETE FROM turns WHERE open = 0 AND at < ?", now - RETRY_MS);
}

/** Gives back the uses of calls that never reached the client; their decision stays in the record. */
export function giveBack(sql: SqlStorage, ordinals: readonly number[]): void {
  for (const ordinal of ordinals) {
    sql.exec("DELETE FROM uses WHERE ordinal = ?", ordinal);
    sql.exec("DELETE FROM calls WHERE ordinal = ?", ordinal);
  }
}
