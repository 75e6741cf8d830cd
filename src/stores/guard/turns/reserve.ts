/** The counts for the rules that need them. Part of the transaction that decides. */
import { utf8Bytes } from "../../../lib/text/characters.ts";
import type { CountedChecks, RateWindow } from "../../../policy/facts.ts";
import type { CountedFacts } from "../../../policy/rules/counted.ts";
import type { CallToDecide, DecideRequest } from "../../../ports/turns/decide-request.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import type { RunEntry } from "../../../tools/run.ts";
import { insertRow, selectOne } from "../../objects/sql-rows.ts";
import { usesOf } from "../runs/rows.ts";
import { isLive, storeCall } from "../stored-calls.ts";
import { countUses, storeUses } from "../tool-history.ts";
import type { Transaction } from "../transaction.ts";
import { isGateOpen } from "./gates.ts";
import { readTurns, startedAfter, triesOfRequest } from "./session-turns.ts";

/** Soft uses count over the epoch that the turn was opened in; the session may be in a later one. */
interface EpochOfTurn {
  readonly task: number;
  readonly epoch: number | null;
}

export interface OpenTurn extends EpochOfTurn {
  /** Digest of the client's request. */
  readonly digest: string;
  readonly at: number;
  /** When its session was made. */
  readonly sessionCreated: number;
}

export function readCounts(
  sql: SqlStorage,
  { session, root, turn }: { readonly session: string; readonly root: string; readonly turn: string },
  epochOfTurn: EpochOfTurn,
  counted: CountedChecks,
  now: number,
): Omit<CountedFacts, "askable" | "granted"> {
  return {
    now,
    windows: counted.windows.map((window) => readWindow(sql, window, now)),
    limits: (counted.limits ?? []).map((limit) =>
      countUses(sql, { session, root, turn, task: epochOfTurn.task }, limit),
    ),
    gateOpen: counted.gate === undefined || isGateOpen(sql, counted.gate, root),
    softUses: counted.soft ? countSoft(sql, session, epochOfTurn) : 0,
  };
}

/** An exact sliding window: the uses after `now - windowMs`, and when the use that must leave it does. */
function readWindow(
  sql: SqlStorage,
  { key, max, windowMs }: RateWindow,
  now: number,
): { used: number; freesAt: number } {
  const since = now - windowMs;
  const used = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM uses WHERE key = ? AND at > ?", key, since).one().n;
  if (used < max || max <= 0) return { used, freesAt: now };
  const leaving = selectOne<{ at: number }>(
    sql,
    "SELECT at FROM uses WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
    key,
    since,
    max - 1,
  );
  return { used, freesAt: (leaving?.at ?? now) + windowMs };
}

/** The uses of the epoch, and always those of the turn's own task. */
function countSoft(sql: SqlStorage, session: string, { task, epoch }: EpochOfTurn): number {
  const soft = "session = ?1 AND soft = 1 AND (epoch = ?2 OR task = ?3)";
  const counting = `SELECT (SELECT COUNT(*) FROM calls WHERE ${soft} AND ${isLive()}) + (SELECT COUNT(*) FROM runs WHERE ${soft}) AS n`;
  return sql.exec<{ n: number }>(counting, session, epoch, task).one().n;
}

/** A call that is allowed, as it is released or run. */
interface Reservation {
  readonly request: DecideRequest;
  readonly openTurn: OpenTurn;
  readonly decision: string;
  readonly call: CallToDecide;
  readonly undo: CallToDecide["undo"];
}

/** @returns the call's ordinal in this user's object; below zero for a run. */
export function reserve({ sql, now }: Transaction, reservation: Reservation): number {
  const { request, openTurn, decision, call, undo } = reservation;
  const ordinal = call.run ? enterRun(sql, call.run, reservation, now) : nextOrdinal(sql, "calls", now);
  const { counted } = call;
  const longest = new Map<string, number>();
  for (const { key, windowMs } of counted.windows) longest.set(key, Math.max(windowMs, longest.get(key) ?? 0));
  for (const [key, windowMs] of longest) {
    sql.exec("INSERT INTO uses (key, at, ordinal, ends) VALUES (?, ?, ?, ?)", key, now, ordinal, now + windowMs);
  }
  const { session, turn } = request;
  storeUses(sql, { session, root: rootSession(session), turn, task: openTurn.task }, counted.limits ?? [], ordinal);
  const released = call.run ? undefined : { ...sessionColumns(reservation), session_created: openTurn.sessionCreated };
  storeCall(sql, { ordinal, decision, session, call, undo, now, released });
  return ordinal;
}

/** Deletes a call's uses in rate windows and in the limits of its session. */
export function giveBackUses(sql: SqlStorage, ordinal: number): void {
  for (const table of ["uses", "limited_uses"]) sql.exec(`DELETE FROM ${table} WHERE ordinal = ?`, ordinal);
}

/** What a session needs of its released calls, and of its runs. */
const sessionColumns = ({ request, openTurn, call }: Reservation) => ({
  turn: request.turn,
  task: openTurn.task,
  epoch: openTurn.epoch,
  families: JSON.stringify(call.families),
  extra: call.extra ? JSON.stringify(call.extra) : null,
  soft: call.counted.soft ? 1 : 0,
});

/** Ordinals are never reused: uses outlive their call and refer to it by ordinal. They follow time. */
function nextOrdinal(sql: SqlStorage, table: "calls" | "runs", now: number): number {
  const last = selectOne<{ ordinal: number }>(sql, `SELECT ordinal FROM ${table} ORDER BY ordinal DESC LIMIT 1`);
  return Math.max((last?.ordinal ?? 0) + 1, now * 1000 + Math.floor(Math.random() * 1000));
}

/** Bytes of arguments and vendor fields: the outcome is stored in the same row, of 2 MB. */
const MAX_CALL_BYTES = 1_600_000;

/** @returns the key of its uses. Throws if it may not run: then nothing of the step is decided. */
function enterRun(sql: SqlStorage, run: RunEntry, reservation: Reservation, now: number): number {
  const { request, openTurn, decision, call } = reservation;
  // An approved call runs once, for the request that acts on the answer first; the others get its run.
  if (!call.approval && newerTryExists(sql, reservation))
    throw new Error("the same request was sent again: the later turn goes on from here");
  const needed = sessionColumns(reservation);
  if (utf8Bytes(call.arguments) + utf8Bytes(needed.extra ?? "") > MAX_CALL_BYTES)
    throw new Error("the call is too large to keep");
  const ordinal = nextOrdinal(sql, "runs", now);
  const row = {
    ordinal,
    decision,
    session: request.session,
    ...needed,
    at: now,
    call_id: call.callId,
    tool: call.tool,
    arguments: call.arguments,
    holder: request.turn,
    request: openTurn.digest,
    step: request.step,
    status: "started",
    policy: request.auditContext.policy,
    deadline: run.deadline,
    entry: JSON.stringify({ ...run, madeBy: call.madeBy }),
  };
  insertRow(sql, "runs", row);
  return usesOf(ordinal);
}

/** A lost connection may look alive for minutes. After the same request was sent again, its turn would run what the later one runs too. */
function newerTryExists(sql: SqlStorage, { request, openTurn }: Reservation): boolean {
  return triesOfRequest(readTurns(sql, request.session), openTurn.digest).some((one) =>
    startedAfter(one, { id: request.turn, at: openTurn.at }),
  );
}
