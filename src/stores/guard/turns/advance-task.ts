/** Settles a request's tool results, and advances the session's task. Part of the transaction of an open. */
import type { TurnRecord } from "../../../ports/audit-record.ts";
import type { OpenRequest } from "../../../ports/turns/open-turn-request.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { addWishes, applyIntentChange, type SessionIntents } from "../../../session/task.ts";
import { selectAll, selectOne } from "../../objects/sql-rows.ts";
import { settleResult } from "../plans/ended.ts";
import { isLive, storeOutcome } from "../stored-calls.ts";
import { deleteHistory, noteResult } from "../tool-history.ts";
import type { Transaction } from "../transaction.ts";
import { clearRetained, deleteExchanges } from "./exchanges.ts";
import { countsForTask, readHeld, type SessionRow } from "./sessions.ts";

export type SettledCall = TurnRecord["settled"][number];

/**
 * Settles the results, then begins a new task with a new message or a reset: calls without a result are abandoned. Changes `session`.
 * @param isNewSession a new session, in which nothing can be pending.
 */
export function advanceTask(
  transaction: Transaction,
  session: SessionRow,
  request: OpenRequest,
  isNewSession: boolean,
): SettledCall[] {
  const { sql } = transaction;
  const before = readHeld(session);
  const next = session.task + 1;
  let held = before;
  if (request.reset) {
    Object.assign(session, { pins: "{}", mode: null });
    clearRetained(sql, rootSession(session.id));
    deleteHistory(sql, rootSession(session.id));
    const { intents, taskState } = applyIntentChange(held, { kind: "clear" }, [], next);
    held = { intents, taskState: { ...taskState, untrusted: false } };
  }
  const back = settleResults(transaction, session, request, held);
  held = back.held;
  const begins = request.newMessage || request.reset;
  const abandoned = begins && !isNewSession ? abandon(transaction, session.id, request.turn) : [];
  if (begins) session.task = next;
  if (request.newMessage) held = beginTask(held, request, next);
  else if (request.answering?.kind === "inline" && request.answering.wishes)
    held = addWishes(held, wishesOf(request), request.detected);
  if (request.untrusted && !held.taskState.untrusted)
    held = { ...held, taskState: { ...held.taskState, untrusted: true } };
  if (held !== before) {
    session.intents = JSON.stringify(held.intents);
    session.standing = JSON.stringify(held.taskState);
  }
  return [...back.settled, ...abandoned];
}

function beginTask(
  held: SessionIntents,
  { intents: intentChange, detected, variant }: OpenRequest,
  next: number,
): SessionIntents {
  const { intents, taskState } = applyIntentChange(held, intentChange, detected, next);
  return { intents, taskState: intentChange.kind === "keep" ? taskState : { ...taskState, variant } };
}

/** `yes, and send her a mail`: the task continues, and these words belong to it too. */
const wishesOf = ({ intents: intentChange }: OpenRequest): readonly string[] =>
  intentChange.kind === "add" || intentChange.kind === "replace" ? intentChange.intents : [];

interface CallRow extends Record<string, SqlStorageValue> {
  decision: string;
  tool: string;
  task: number;
  epoch: number | null;
  families: string;
}

/** A success counts for the current intents if the call was made under them, in this epoch. */
function settleResults(
  transaction: Transaction,
  session: SessionRow,
  { turn, results }: OpenRequest,
  held: SessionIntents,
): { settled: SettledCall[]; held: SessionIntents } {
  const { sql } = transaction;
  const settled: SettledCall[] = [];
  const succeeded = new Set(held.taskState.succeeded);
  for (const result of results) {
    // Providers repeat ids, and clients may make results up: only a call that this session released counts, once.
    const row = selectOne<CallRow>(
      sql,
      `SELECT decision, tool, task, epoch, families FROM calls
         WHERE session = ? AND call_id = ? AND outcome IS NULL AND ${isLive()} ORDER BY ordinal LIMIT 1`,
      session.id,
      result.callId,
    );
    if (!row) continue;
    const outcome = result.succeeded ? "succeeded" : "failed";
    storeOutcome(sql, row.decision, outcome, result.text);
    settleResult(transaction, row.decision, outcome, { text: result.text, turn });
    settled.push({ decision: row.decision, outcome });
    noteResult(sql, session.id, row.tool, result.succeeded);
    if (result.succeeded && countsForTask(row, held.taskState)) {
      for (const family of JSON.parse(row.families) as string[]) succeeded.add(family);
    }
  }
  if (succeeded.size === held.taskState.succeeded.length) return { settled, held };
  return { settled, held: { ...held, taskState: { ...held.taskState, succeeded: [...succeeded] } } };
}

function abandon(transaction: Transaction, session: string, turn: string): SettledCall[] {
  const { sql } = transaction;
  // The plus keeps SQLite to the index of pending calls: a session may have made very many.
  const abandoned = selectAll<{ decision: string }>(
    sql,
    `SELECT decision FROM calls WHERE session = ? AND outcome IS NULL AND ${isLive()} ORDER BY +ordinal`,
    session,
  );
  deleteExchanges(sql, session);
  for (const { decision } of abandoned) {
    storeOutcome(sql, decision, "abandoned");
    settleResult(transaction, decision, "abandoned", { turn });
  }
  return abandoned.map(({ decision }) => ({ decision, outcome: "abandoned" }));
}
