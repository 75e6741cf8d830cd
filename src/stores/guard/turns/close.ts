/** Closes a turn: its record, and what the next request reads. One transaction. */
import { log } from "../../../lib/log.ts";
import { HOUR_MS } from "../../../lib/time.ts";
import type { CloseRequest } from "../../../ports/turns/turns-port.ts";
import { conversationKeyOf, rootSession } from "../../../session/conversation-fingerprint.ts";
import { exists, selectAll, selectOne, updateRow } from "../../objects/sql-rows.ts";
import { appendRecord } from "../outbox/record-chain.ts";
import { giveStepBack } from "../plans/ended.ts";
import { clearUndo } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";
import { deleteExchanges, saveRetained } from "./exchanges.ts";
import { pairOf, releasedPair } from "./find-session.ts";
import { giveBackUses } from "./reserve.ts";
import { asClosed, type SessionTurn, takeLeftTurn, turnColumns, turnsIn } from "./session-turns.ts";
import { endEndorsements, markTaskFailed, type OpenedSession, type SessionRow } from "./sessions.ts";

/** A turn that was not closed within this time has died with its worker. */
export const LOST_MS = HOUR_MS;

/** What a turn reads of its session when it is over: without the long columns. */
type ClosingSession = OpenedSession & Pick<SessionRow, "pair" | "reply">;
const CLOSING_SESSION =
  "SELECT id, intents, task, opening, fresh, standing, turn_list, pair, reply FROM sessions WHERE id = ?";

/** A turn whose session was deleted is recorded too; one that is not open (closed as lost) has its record. */
export function applyClose(transaction: Transaction, request: CloseRequest): void {
  const { sql } = transaction;
  const session = selectOne<ClosingSession>(sql, CLOSING_SESSION, request.session);
  const turn = session && turnsIn(session).find(({ id }) => id === request.turn);
  if (turn) closeOpenTurn(transaction, request, session, turn);
  else closeLeftTurn(transaction, request);
}

function closeOpenTurn(
  transaction: Transaction,
  request: CloseRequest,
  session: ClosingSession,
  turn: SessionTurn,
): void {
  const { sql } = transaction;
  if (!turn.open) return;
  const pair = pairAfter(transaction, session, turn, request.replyText);
  if (request.giveBack) giveBack(transaction, session.id, turn);
  appendRecord(transaction, { ...openedPart(session.id, turn), ...request.record });
  if (!turn.cleared) saveRetained(sql, session, request.retained ?? []);
  const isCurrent = session.task === turn.task;
  const reply = isCurrent && request.reply ? JSON.stringify(request.reply) : session.reply;
  const turns = turnsIn(session).map((one) => (one.id === turn.id ? asClosed(one) : one));
  const changed = { ...turnColumns(turns), pair, reply };
  updateRow(sql, "sessions", ["id"], { id: session.id, ...changed }, Object.keys(changed));
  if (!isCurrent) return;
  if (!request.taskGoesOn) {
    deleteExchanges(sql, session.id);
    endEndorsements(sql, session);
  }
  if (request.isMisheard || request.record.stopReason === "intent_execution_failed") markTaskFailed(sql, session);
}

/** The session was deleted, and may exist again under the same id. */
function closeLeftTurn(transaction: Transaction, { turn: id, record }: CloseRequest): void {
  const turn = takeLeftTurn(transaction.sql, id);
  if (turn) appendRecord(transaction, { ...openedPart(turn.session, turn), ...record });
  // The open was never written, or the turn was already recorded as lost; this account is dropped.
  else log("error", "turn_unknown_at_close", { turn: id });
}

/**
 * The session's pair once the turn is over, by which a client that names no session finds it. It stays fresh: the client may send its
 * first request again, and continue from another reply.
 */
function pairAfter(
  transaction: Transaction,
  session: Pick<SessionRow, "id" | "opening" | "fresh" | "pair">,
  turn: SessionTurn,
  replyText: string | undefined,
): string | null {
  if (session.fresh !== 1) return session.pair;
  const made = [
    releasedPair(transaction.sql, session, turn),
    replyText === undefined ? undefined : conversationKeyOf(session.opening, [], replyText),
  ];
  return made
    .filter((pair) => pair !== undefined)
    .reduce<string | null>((own, pair) => pairOf(transaction, pair, { id: session.id, pair: own }), session.pair);
}

type ClosingTurn = Pick<SessionTurn, "id" | "at" | "model" | "settled">;

/** The part of a turn's record from its opening. */
const openedPart = (session: string, { id, at, model, settled }: ClosingTurn) => ({
  kind: "turn" as const,
  id,
  session: rootSession(session),
  at,
  model: model || null,
  settled,
});

interface LostTurn {
  readonly id: string;
  /** Undefined if it was deleted. */
  readonly session: string | undefined;
}

/** The turns whose worker died before it could close them. */
export function lostTurns(sql: SqlStorage, now: number): readonly LostTurn[] {
  const before = now - LOST_MS;
  const rows = selectAll<Pick<SessionRow, "id" | "turn_list">>(
    sql,
    "SELECT id, turn_list FROM sessions WHERE opened < ? ORDER BY opened",
    before,
  );
  // A turn that holds its stream open for a person's answer is not lost before the answer is due.
  const held =
    "SELECT 1 FROM approvals WHERE session = ?1 AND task = ?2 AND open = 1 AND channel = 'hold' AND expires > ?3";
  const lost = rows.flatMap((row) =>
    turnsIn(row)
      .filter(({ open, at, task }) => open && at < before && !exists(sql, held, row.id, task, before))
      .map(({ id }) => ({ id, session: row.id })),
  );
  const left = selectAll<{ id: string }>(sql, "SELECT id FROM turns WHERE open = 1 AND at < ? ORDER BY at", before);
  return [...lost, ...left.map(({ id }) => ({ id, session: undefined }))];
}

/**
 * Records a turn that will not be closed. Its uses are not returned: its calls may have reached the client. Throws if it cannot be
 * sealed: then it is left for another time.
 */
export function closeLostTurn(transaction: Transaction, { id, session }: LostTurn): void {
  const turn = session === undefined ? takeLeftTurn(transaction.sql, id) : takeLostTurn(transaction, id, session);
  if (!turn) return;
  appendRecord(transaction, {
    ...openedPart(turn.session, turn),
    endedAt: transaction.now,
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

function takeLostTurn(transaction: Transaction, id: string, session: string) {
  const { sql } = transaction;
  const row = selectOne<SessionRow>(sql, "SELECT * FROM sessions WHERE id = ?", session);
  const turn = row && turnsIn(row).find((one) => one.open && one.id === id);
  if (!turn) return undefined;
  const pair = pairAfter(transaction, row, turn, undefined);
  const changed = { ...turnColumns(turnsIn(row).filter((one) => one.id !== id)), pair };
  updateRow(sql, "sessions", ["id"], { id: session, ...changed }, Object.keys(changed));
  return { ...turn, session };
}

/**
 * Returns the uses of calls that never reached the client; their decisions stay in the record. A call that a retry got meanwhile, or
 * that has a result, did reach the client, however the reply ended. An approved call runs at most once, and a reply that broke off
 * may have contained it: such a turn returns nothing, so that the same request gets the same calls. The use of a run is returned only
 * by the run, which may continue without the turn.
 */
function giveBack(transaction: Transaction, session: string, { id, task }: SessionTurn): void {
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
    giveBackUses(sql, ordinal);
    clearUndo(sql, decision);
    giveStepBack(transaction, decision);
  }
}
