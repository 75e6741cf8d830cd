/** Reserving the uses of a call that is released or run, in the transaction that decides it. */

import type { CallToDecide, DecideRequest } from "../../../ports/turns-port.ts";
import { rootSession } from "../../../session/thread.ts";
import { insertRow } from "../../objects/sql-rows.ts";
import { enterRun } from "../runs/enter.ts";
import { storeCall } from "../stored-calls.ts";
import type { OpenTurn } from "./counts.ts";

export interface Reservation {
  readonly session: string;
  readonly openTurn: OpenTurn;
  readonly turn: string;
  readonly request: Pick<DecideRequest, "step" | "auditContext">;
  readonly decision: string;
  readonly call: CallToDecide;
  readonly now: number;
  readonly undo: CallToDecide["undo"];
}

/** @returns the call's ordinal in this user's object; of a run it is below zero. */
export function reserve(sql: SqlStorage, reservation: Reservation): number {
  const { session, decision, call, now, undo } = reservation;
  const ordinal = call.run ? enterRun(sql, call.run, reservation) : release(sql, reservation);
  const longest = new Map<string, number>();
  for (const { key, windowMs } of call.counted.windows) longest.set(key, Math.max(windowMs, longest.get(key) ?? 0));
  for (const [key, windowMs] of longest) {
    sql.exec("INSERT INTO uses (key, at, ordinal, ends) VALUES (?, ?, ?, ?)", key, now, ordinal, now + windowMs);
  }
  storeCall(sql, { decision, session: rootSession(session), call, undo, now });
  return ordinal;
}

function release(sql: SqlStorage, { session, openTurn, turn, decision, call, now }: Reservation): number {
  const released = insertRow<{ ordinal: number }>(sql, "calls", {
    ...{ session, task: openTurn.task, epoch: openTurn.epoch, families: JSON.stringify(call.families), turn, decision },
    ...{ call_id: call.callId, tool: call.tool, arguments: call.arguments, at: now },
    extra: call.extra ? JSON.stringify(call.extra) : null,
    soft: call.counted.soft ? 1 : 0,
  });
  return released.ordinal;
}
