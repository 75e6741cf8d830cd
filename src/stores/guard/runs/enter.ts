/** Entering a managed call in the ledger, in the transaction that allows it: before that nothing may run. */

import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { RunEntry } from "../../../tools/run.ts";
import { insertRow } from "../../objects/sql-rows.ts";
import { first } from "../schema.ts";
import type { Reservation } from "../turns/reserve.ts";
import { type RunRow, usesOf } from "./rows.ts";

/** Of arguments and vendor fields: the outcome has its place in the same row, of 2 MB. */
const MAX_CALL_BYTES = 1_600_000;

/** @returns what its uses are counted under. Throws where it may not run: then nothing of the step is decided. */
export function enterRun(sql: SqlStorage, run: RunEntry, { call, now, ...reservation }: Reservation): number {
  const { session, openTurn, turn, request, decision } = reservation;
  // An approved call runs once, for the request that acts on the answer first; the others get its run.
  if (!call.approval && newerTryExists(sql, reservation))
    throw new Error("the same request was sent again: the later turn goes on from here");
  const extra = call.extra ? JSON.stringify(call.extra) : null;
  if (utf8Bytes(call.arguments) + utf8Bytes(extra ?? "") > MAX_CALL_BYTES)
    throw new Error("the call is too large to keep");
  const { ordinal } = insertRow<RunRow>(sql, "runs", {
    ...{ decision, session, task: openTurn.task, epoch: openTurn.epoch, families: JSON.stringify(call.families) },
    ...{ soft: call.counted.soft ? 1 : 0, turn, holder: turn, request: openTurn.digest, step: request.step },
    ...{ call_id: call.callId, tool: call.tool, arguments: call.arguments, extra, at: now },
    ...{ policy: request.auditContext.policy, deadline: run.deadline, status: "started" },
    entry: JSON.stringify({ ...run, madeBy: call.madeBy }),
  });
  return usesOf(ordinal);
}

/**
 * A lost connection may look alive for minutes. After the same request was sent again, its turn would run what the later one runs
 * too. Of two in one millisecond the greater id counts as the later.
 */
const newerTryExists = (
  sql: SqlStorage,
  { session, openTurn, turn }: Pick<Reservation, "session" | "openTurn" | "turn">,
): boolean =>
  first(
    sql.exec(
      "SELECT 1 FROM turns WHERE digest = ?1 AND session = ?2 AND (at > ?3 OR (at = ?3 AND id > ?4)) LIMIT 1",
      openTurn.digest,
      session,
      openTurn.at,
      turn,
    ),
  ) !== undefined;
