/** Closing a turn: its record, and what the next request reads. One transaction. */
import { log } from "../../../lib/log.ts";
import type { TurnRecord } from "../../../ports/audit-record.ts";
import type { CloseRequest } from "../../../ports/turns-port.ts";
import { resumeKey, rootSession } from "../../../session/thread.ts";
import { exists, selectAll, selectOne } from "../../objects/sql-rows.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { giveStepBack } from "../plans/ended.ts";
import { deleteCall } from "../stored-calls.ts";
import { returnUses } from "../tool-history.ts";
import type { Transaction } from "../transaction.ts";
import { deleteExchanges, saveRetained } from "./exchanges.ts";
import { rememberPair } from "./find-session.ts";
import { endEndorsements, markTaskFailed, readOpened } from "./sessions.ts";

/** A turn that nobody closed within this time has died with its worker. */
export const LOST_MS = 3600_000;

interface TurnRow extends Record<string, SqlStorageValue> {
  id: string;
  session: string;
  task: number;
  at: number;
  model: string;
  role: string;
  mode: string | null;
  policy: string;
  digest: string;
  settled: string;
  cleared: number;
}

type ClosedRow = Pick<TurnRow, "id" | "session" | "task" | "at" | "model" | "settled" | "cleared">;

/** A turn whose session was deleted is recorded too; one that is not open (closed as lost) has its record. */
export function closeTurn(transaction: Transaction, request: CloseRequest): void {
  const { sql, now } = transaction;
  const turn = selectOne<ClosedRow>(
    sql,
    "UPDATE turns SET open = 0 WHERE id = ? AND open = 1 RETURNING id, session, task, at, model, settled, cleared",
    request.turn,
  );
  if (!turn) {
    // The object died before the open was written, or has recorded the turn as lost: no record has this account.
    const isKnown = exists(sql, "SELECT 1 FROM turns WHERE id = ?", request.turn);
    if (!isKnown) log("error", "turn_unknown_at_close", { turn: request.turn });
    return;
  }
  if (request.giveBack) giveBack(transaction, turn);
  appendRecord(transaction, { ...openedPart(turn), ...request.record });

  const session = readOpened(sql, turn.session);
  // The session is gone, or is another one under the same id.
  if (!session || turn.task < 0) return;
  // It stays fresh: the client may send its first request again, and continue from another reply.
  if (session.fresh === 1 && request.replyText !== undefined)
    rememberPair(sql, resumeKey(session.opening, [], request.replyText), session.id, now);
  if (turn.cleared === 0) saveRetained(sql, session, request.retained ?? []);
  if (session.task !== turn.task) return;
  if (request.reply) sql.exec("UPDATE sessions SET reply = ? WHERE id = ?", JSON.stringify(request.reply), session.id);
  if (!request.taskGoesOn) {
    deleteExchanges(sql, session.id);
    endEndorsements(sql, session);
  }
  if (request.record.stopReason === "intent_execution_failed") markTaskFailed(sql, session);
}

/** The part of a turn's record from its opening. */
const openedPart = ({ id, session, at, model, settled }: ClosedRow) => ({
  kind: "turn" as const,
  id,
  session: rootSession(session),
  at,
  model: model || null,
  settled: JSON.parse(settled) as TurnRecord["settled"],
});

/** The turns whose worker died before it could close them. */
export function lostTurns(sql: SqlStorage, now: number): string[] {
  // One that holds its stream open for a person's answer is not lost before the answer is due.
  const rows = selectAll<{ id: string }>(
    sql,
    `SELECT id FROM turns t WHERE open = 1 AND at < ?1 AND NOT EXISTS (SELECT 1 FROM approvals a
       WHERE a.session = t.session AND a.task = t.task AND a.open = 1 AND a.channel = 'hold' AND a.expires > ?1) ORDER BY at`,
    now - LOST_MS,
  );
  return rows.map(({ id }) => id);
}

/** Records a turn that nobody will close. Throws where it cannot be sealed: then it is left for another time. */
export function closeLostTurn(transaction: Transaction, id: string): void {
  const { sql, now } = transaction;
  const turn = selectOne<TurnRow>(sql, "DELETE FROM turns WHERE id = ? AND open = 1 RETURNING *", id);
  if (!turn) return;
  appendRecord(transaction, {
    ...openedPart(turn),
    endedAt: now,
    role: turn.role,
    mode: turn.mode ?? "default",
    policy: turn.policy,
    stateOpened: "request",
    stateClosed: "request",
    intents: [],
    detection: null,
    stopReason: "aborted",
    finishReason: null,
    steps: 0,
    offered: [],
    withheld: [],
    tokensSaved: 0,
    usage: null,
    error: "the turn was never closed",
  });
}

/**
 * Gives back the uses of calls that never reached the client; their decisions stay in the record. A call that a retry got
 * meanwhile, or that has a result, did reach the client, however the reply ended. An approved call runs at most once, and a reply that
 * broke off may have contained it: such a turn returns nothing, so that the same request gets the same calls. The use of a run is
 * returned by the run alone, which may continue without the turn.
 */
function giveBack(transaction: Transaction, { id, session, task }: Pick<TurnRow, "id" | "session" | "task">): void {
  const { sql } = transaction;
  const ofTurn = [session, task, id];
  const approved = `SELECT 1 FROM calls c JOIN approvals a ON a.settled_by = c.decision
    WHERE c.session = ? AND c.task = ? AND c.turn = ? LIMIT 1`;
  if (exists(sql, approved, ...ofTurn)) return;
  const given = selectAll<{ ordinal: number; decision: string }>(
    sql,
    `DELETE FROM calls WHERE session = ? AND task = ? AND turn = ? AND replayed = 0
       AND (outcome IS NULL OR outcome = 'abandoned') RETURNING ordinal, decision`,
    ...ofTurn,
  );
  for (const { ordinal, decision } of given) {
    sql.exec("DELETE FROM uses WHERE ordinal = ?", ordinal);
    returnUses(sql, ordinal);
    deleteCall(sql, decision);
    giveStepBack(transaction, decision);
  }
}
