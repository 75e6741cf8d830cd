/** Closing a turn: its record, and what the next request reads. One transaction. */
import { log } from "../../../lib/log.ts";
import type { TurnRecord } from "../../../ports/audit-record.ts";
import type { CloseRequest } from "../../../ports/turns-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { pairOf, rootSession } from "../../../session/thread.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { noteGivenBack } from "../plans/ended.ts";
import { first, RETRY_MS } from "../schema.ts";
import { deleteCall } from "../stored-calls.ts";
import { readMeta } from "../transaction.ts";
import { deleteExchanges, saveRetained } from "./exchanges.ts";
import { rememberPair } from "./find-session.ts";
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
  mode: string | null;
  policy: string;
  digest: string;
  settled: string;
  cleared: number;
}

/** A turn whose session was deleted is recorded too; one that is not open (closed as lost) has its record. */
export function closeTurn(sql: SqlStorage, keys: AuditKeys, request: CloseRequest, now: number): void {
  const owner = readMeta(sql, "owner");
  if (!owner) throw new Error("the object has no owner: no turn was opened in it");
  const turn = first(
    sql.exec<TurnRow>("UPDATE turns SET open = 0 WHERE id = ? AND open = 1 RETURNING *", request.turn),
  );
  if (!turn) {
    logUnknown(sql, request.turn);
    return;
  }
  if (request.giveBack) giveBack(sql, keys, turn.id, now);
  appendRecord(sql, keys, { ...openedPart(turn, owner), ...request.record } satisfies TurnRecord);

  const session = first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", turn.session));
  // The session is gone, or is another one under the same id.
  if (!session || turn.task < 0) return;
  // It stays fresh: the client may send its first request again, and continue from another reply.
  if (session.fresh === 1 && request.replyText !== undefined)
    rememberPair(sql, pairOf(session.opening, [], request.replyText), session.id, now);
  if (turn.cleared === 0) saveRetained(sql, session, request.retained ?? []);
  if (session.task !== turn.task) return;
  if (request.reply) sql.exec("UPDATE sessions SET reply = ? WHERE id = ?", JSON.stringify(request.reply), session.id);
  if (!request.taskGoesOn) deleteExchanges(sql, session.id);
}

/** The object died before the open was written, or has recorded the turn as lost: no record has this account. */
function logUnknown(sql: SqlStorage, turn: string): void {
  const isKnown = first(sql.exec("SELECT 1 FROM turns WHERE id = ?", turn)) !== undefined;
  if (!isKnown) log("error", "turn_unknown_at_close", { turn });
}

/** The part of a turn's record from its opening. */
function openedPart({ id, session, at, model, settled }: TurnRow, { tenant, user }: Owner) {
  const outcomes = JSON.parse(settled) as TurnRecord["settled"];
  return {
    kind: "turn" as const,
    id,
    tenant,
    user,
    session: rootSession(session),
    at,
    model: model || null,
    settled: outcomes,
  };
}

/** The turns whose worker died before it could close them. */
export function lostTurns(sql: SqlStorage, now: number): string[] {
  // One that holds its stream open for a person's answer is not lost before the answer is due.
  const rows = sql.exec<{ id: string }>(
    `SELECT id FROM turns t WHERE open = 1 AND at < ?1 AND NOT EXISTS (SELECT 1 FROM approvals a
       WHERE a.session = t.session AND a.task = t.task AND a.open = 1 AND a.channel = 'hold' AND a.expires > ?1) ORDER BY at`,
    now - LOST_MS,
  );
  return rows.toArray().map(({ id }) => id);
}

/** When the first that is open counts as lost, unless it waits for a person. */
export function lostTurnsDueAt(sql: SqlStorage): number | undefined {
  const { at } = sql.exec<{ at: number | null }>("SELECT MIN(at) AS at FROM turns WHERE open = 1").one();
  return at === null ? undefined : at + LOST_MS + 1;
}

/** Records a turn that nobody will close. Throws where it cannot be sealed: then it is left for another time. */
export function closeLostTurn(sql: SqlStorage, keys: AuditKeys, id: string, now: number): void {
  const owner = readMeta(sql, "owner");
  const turn = first(sql.exec<TurnRow>("DELETE FROM turns WHERE id = ? AND open = 1 RETURNING *", id));
  if (!owner || !turn) return;
  appendRecord(sql, keys, {
    ...openedPart(turn, owner),
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

/** Deletes closed turns that no retry can repeat. A held reply released its calls long after it was opened. */
export function expireClosedTurns(sql: SqlStorage, now: number): void {
  sql.exec(
    `DELETE FROM turns WHERE open = 0 AND at < ?1
       AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.turn = turns.id AND c.at > ?1)
       AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.holder = turns.id AND (r.status = 'started' OR r.ended > ?1))`,
    now - RETRY_MS,
  );
}

/**
 * Gives back the uses of calls that never reached the client; their decisions stay in the record. A call that a retry got
 * meanwhile, or that has a result, did reach the client, however the reply ended. An approved call runs at most once, and a reply that
 * broke off may have contained it: such a turn returns nothing, so that the same request gets the same calls. The use of a run is
 * returned by the run alone, which may continue without the turn.
 */
function giveBack(sql: SqlStorage, keys: AuditKeys, turn: string, now: number): void {
  const approved = sql.exec(
    "SELECT 1 FROM calls c JOIN approvals a ON a.settled_by = c.decision WHERE c.turn = ? LIMIT 1",
    turn,
  );
  if (first(approved)) return;
  const given = sql.exec<{ ordinal: number; decision: string }>(
    `DELETE FROM calls WHERE turn = ? AND replayed = 0 AND (outcome IS NULL OR outcome = 'abandoned')
     RETURNING ordinal, decision`,
    turn,
  );
  for (const { ordinal, decision } of given.toArray()) {
    sql.exec("DELETE FROM uses WHERE ordinal = ?", ordinal);
    deleteCall(sql, decision);
    noteGivenBack({ sql, keys, now }, decision);
  }
}
