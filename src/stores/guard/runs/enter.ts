/** Entering a managed call in the ledger, in the transaction that allows it: before that nothing may run. */

import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { RunEntry } from "../../../tools/run.ts";
import { first } from "../schema.ts";
import type { Reservation } from "../turns/reserve.ts";
import { usesOf } from "./rows.ts";

/** Of arguments and vendor fields: the outcome has its place in the same row, of 2 MB. */
const MAX_CALL_BYTES = 1_600_000;

/** @returns what its uses are counted under. Throws where it may not run: then nothing of the step is decided. */
export function enterRun(sql: SqlStorage, run: RunEntry, { call, now, ...reservation }: Reservation): number {
  const { session, span, turn, request, decision } = reservation;
  // What a person approved runs once, for whichever request acts on the answer first; the others are told of the run.
  if (!call.approval && isOvertaken(sql, reservation))
    throw new Error("the same request was sent again: the later turn goes on from here");
  const extra = call.extra ? JSON.stringify(call.extra) : null;
  if (utf8Bytes(call.arguments) + utf8Bytes(extra ?? "") > MAX_CALL_BYTES)
    throw new Error("the call is too large to keep");
  const { ordinal } = sql
    .exec<{ ordinal: number }>(
      `INSERT INTO runs (decision, session, task, epoch, families, soft, turn, holder, request, step, call_id, tool, arguments,
         extra, at, policy, entry, deadline, status)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'started') RETURNING ordinal`,
      decision,
      session,
      span.task,
      span.epoch,
      JSON.stringify(call.families),
      call.counted.soft ? 1 : 0,
      turn,
      turn,
      span.digest,
      request.step,
      call.callId,
      call.tool,
      call.arguments,
      extra,
      now,
      request.moment.policy,
      JSON.stringify({ ...run, madeBy: call.madeBy }),
      run.deadline,
    )
    .one();
  return usesOf(ordinal);
}

/**
 * A connection that was lost may look alive for minutes: once the same request has come again, the turn that it left would run
 * what the later one runs too. Of two that came in one millisecond one is taken for the later.
 */
const isOvertaken = (
  sql: SqlStorage,
  { session, span, turn }: Pick<Reservation, "session" | "span" | "turn">,
): boolean =>
  first(
    sql.exec(
      "SELECT 1 FROM turns WHERE digest = ?1 AND session = ?2 AND (at > ?3 OR (at = ?3 AND id > ?4)) LIMIT 1",
      span.digest,
      session,
      span.at,
      turn,
    ),
  ) !== undefined;
