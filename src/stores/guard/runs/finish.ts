/** Ends a run: its outcome, its consequences, and its record, all at once and only once. Part of a transaction. */
import { newId } from "../../../lib/ids.ts";
import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { FinishRun, RunsPort } from "../../../ports/calls-port.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { endedRun, type RunEntry, type RunOutcome, UNKNOWN_RUN } from "../../../tools/run.ts";
import { selectAll } from "../../objects/sql-rows.ts";
import { appendRecord } from "../outbox/record-chain.ts";
import { settleRun } from "../plans/ended.ts";
import { deleteCall, storeOutcome } from "../stored-calls.ts";
import { noteResult } from "../tool-history.ts";
import type { GuardContext, Transaction } from "../transaction.ts";
import { giveBackUses } from "../turns/reserve.ts";
import { countsForTask, readHeld, readOpened, saveTaskState } from "../turns/sessions.ts";
import { findRun, type RunRow, toRun, usesOf } from "./rows.ts";

/** For call and outcome together: a row takes 2 MB. */
const MAX_ROW_BYTES = 1_900_000;
const MAX_DETAIL = 500;

/** Throws for a run that the ledger does not have. Past its deadline a run is `unknown` and stays so. */
function finishRun(transaction: Transaction, { id, turn, session, outcome }: FinishRun): RunRow {
  const { sql } = transaction;
  const row = findRun(sql, id);
  if (row?.session !== session) throw new Error("the ledger has no such run in this session");
  if (row.status !== "started") return row;
  endRun(transaction, row, outcome, turn);
  updateTaskState(sql, row, outcome);
  return row;
}

/** Call it before a run is read, so that none past its deadline reads as started. */
export function endOverdueRuns(transaction: Transaction): boolean {
  const { sql, now } = transaction;
  const overdue = selectAll<RunRow>(
    sql,
    "SELECT * FROM runs WHERE status = 'started' AND deadline < ? ORDER BY deadline, ordinal",
    now,
  );
  for (const row of overdue) endRun(transaction, row, endedRun(UNKNOWN, now - row.at), null);
  return overdue.length > 0;
}

/** It has no outcome: the tool may have acted. */
const UNKNOWN = {
  status: "unknown",
  failure: null,
  detail: "no outcome was noted before its time was over",
  text: UNKNOWN_RUN,
} as const;

/** Changes `row`. @param turn that reports the outcome; null if none does. */
function endRun(transaction: Transaction, row: RunRow, outcome: RunOutcome, turn: string | null): void {
  const { sql, now } = transaction;
  const { status } = outcome;
  const kept = JSON.stringify(cutToRow(row, outcome));
  Object.assign(row, { status, outcome: kept, ended: now });
  sql.exec("UPDATE runs SET status = ?, outcome = ?, ended = ? WHERE ordinal = ?", status, kept, now, row.ordinal);
  recordRun(transaction, row, outcome);
  // A call whose outcome is unknown may have been done: an undo that is unknown stays one, and is not tried again.
  if (status === "not_started") giveBack(sql, row);
  else storeOutcome(sql, row.decision, status === "unknown" ? "abandoned" : status, outcome.result);
  settleRun(transaction, row.decision, outcome, turn);
}

/** The tool never got it: as if it had never been allowed. */
function giveBack(sql: SqlStorage, { ordinal, decision }: RunRow): void {
  giveBackUses(sql, usesOf(ordinal));
  sql.exec("UPDATE runs SET soft = 0 WHERE ordinal = ?", ordinal);
  deleteCall(sql, decision);
}

/** The result of an untrusted tool may hold instructions, also that of a failure. */
function updateTaskState(sql: SqlStorage, row: RunRow, { status }: RunOutcome): void {
  if (status === "not_started") return;
  const session = readOpened(sql, row.session);
  // It is gone, or another one has its id.
  if (!session || row.task < 0) return;
  noteResult(sql, session.id, row.tool, status === "succeeded");
  const { taskState } = readHeld(session);
  const families =
    status === "succeeded" && countsForTask(row, taskState) ? (JSON.parse(row.families) as string[]) : [];
  const { trusted } = JSON.parse(row.entry) as RunEntry;
  const succeeded = [...new Set([...taskState.succeeded, ...families])];
  const untrusted = taskState.untrusted || !trusted;
  if (succeeded.length === taskState.succeeded.length && untrusted === taskState.untrusted) return;
  saveTaskState(sql, session, { ...taskState, succeeded, untrusted });
}

/** Without the result, which is stored with the call; and without the text if the session is deleted. */
function cutToRow(row: RunRow, outcome: RunOutcome): RunOutcome {
  let kept: RunOutcome = { ...outcome, text: row.task < 0 ? "" : outcome.text, result: undefined };
  const room = MAX_ROW_BYTES - utf8Bytes(row.arguments) - utf8Bytes(row.extra ?? "");
  while (kept.text !== "" && utf8Bytes(JSON.stringify(kept)) > room)
    kept = { ...kept, text: kept.text.slice(0, kept.text.length >> 1), cut: true };
  return kept;
}

function recordRun(transaction: Transaction, row: RunRow, outcome: RunOutcome): void {
  const { now } = transaction;
  const { kind, target, trusted } = JSON.parse(row.entry) as RunEntry;
  const { status, failure, detail, ms, bytes, cut, suspicious, httpStatus, attempts } = outcome;
  appendRecord(transaction, {
    kind: "run",
    id: newId("run", now),
    turn: row.turn,
    decision: row.decision,
    session: rootSession(row.session),
    at: row.at,
    endedAt: now,
    tool: row.tool,
    callId: row.call_id,
    executor: kind,
    target,
    status,
    failure,
    detail: detail?.slice(0, MAX_DETAIL) ?? null,
    ms,
    bytes,
    cut,
    trusted,
    suspicious,
    httpStatus,
    attempts,
    policy: row.policy,
  });
}

export const runsApi = (context: GuardContext): RunsPort => ({
  finish: async (request) => context.change((transaction) => toRun(finishRun(transaction, request))),
  wait: async (ids, waitMs) =>
    context.wait(() => {
      const value = context.read(({ sql }) => ids.flatMap((id) => findRun(sql, id) ?? []).map(toRun));
      const started = value.filter(({ status }) => status === "started");
      const nextAt = started.length === 0 ? undefined : Math.min(...started.map(({ entry }) => entry.deadline + 1));
      return { value, done: started.length === 0, nextAt };
    }, waitMs),
});
