/** Deciding a step's calls where the counts are: decide, reserve and record in one transaction. */
import { newId } from "../../lib/ids.ts";
import { combine, confirm, type Decision, vouch } from "../../policy/decision.ts";
import type { CountedChecks, RateWindow } from "../../policy/facts.ts";
import { countedVerdicts } from "../../policy/rules/counted.ts";
import { pairOf } from "../../session/pair.ts";
import type { CallToDecide, Decided, DecideRequest } from "../../turn/guard-port.ts";
import { type AuditKeys, keyedDigest } from "../audit-keys.ts";
import type { DecisionRecord } from "../audit-record.ts";
import { readMeta } from "./meta.ts";
import { rememberPair } from "./open.ts";
import { appendRecord } from "./outbox.ts";
import { recordReasons } from "./record-reasons.ts";
import { first } from "./schema.ts";
import type { SessionRow } from "./sessions.ts";

/** Throws for a turn that is not open: then nothing is decided, and nothing runs. */
export function decideStep(sql: SqlStorage, keys: AuditKeys, request: DecideRequest, now: number): Decided[] {
  const owner = readMeta(sql, "owner");
  const session = first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", request.session));
  const turn = first(
    sql.exec<Span>("SELECT task, epoch FROM turns WHERE id = ? AND open = 1 AND task >= 0", request.turn),
  );
  if (!owner || !session || !turn) throw new Error("the turn is not open: its session was deleted or has expired");
  if (request.select !== undefined && session.task === turn.task) {
    sql.exec("UPDATE sessions SET intents = ? WHERE id = ?", JSON.stringify([request.select]), session.id);
  }
  const released: string[] = [];
  // Ids of one millisecond are in no order: sorted, the trail lists the calls as they came.
  const ids = request.calls.map(() => newId("dec", now)).sort();
  const decided = request.calls.map((call, index) => {
    const decision = decideCall(sql, session, turn, call, now);
    const id = ids[index] as string;
    const release = decision.effect === "allow" && !call.handshake;
    const ordinal = release
      ? reserve(sql, { session: session.id, span: turn, turn: request.turn, decision: id, call, now })
      : undefined;
    if (release) released.push(call.callId);
    appendRecord(sql, keys, {
      kind: "decision",
      id,
      turn: request.turn,
      tenant: owner.tenant,
      user: owner.user,
      session: session.id,
      at: now,
      step: request.step,
      ordinal: index,
      callId: call.callId,
      tool: call.tool,
      effect: decision.effect,
      reasons: recordReasons(decision.reasons, call),
      arguments: call.recorded,
      // Keyed: a plain digest of a short redacted value could be found by trying.
      digest: call.digest === null ? null : keyedDigest(keys, call.digest),
      ...request.moment,
      retryAfterMs: retryAfter(decision),
      disposition: release ? "released" : call.handshake ? "hidden" : "refused",
    } satisfies DecisionRecord);
    return { ...decision, ordinal };
  });
  // The first reply of a session that the client did not name: it is found again by these ids.
  if (session.fresh === 1 && released.length > 0)
    rememberPair(sql, pairOf(session.opening, released, ""), session.id, now);
  return decided;
}

function decideCall(sql: SqlStorage, session: SessionRow, span: Span, call: CallToDecide, now: number): Decision {
  const pure: Decision = { effect: call.effect, reasons: call.reasons };
  if (call.effect === "deny" || call.handshake) return pure;
  const counted = countedVerdicts(call.tool, call.counted, {
    now,
    windows: call.counted.windows.map((window) => readWindow(sql, window, now)),
    gateOpen: isGateOpen(sql, call.counted, session.id),
    softUses: call.counted.soft ? countSoft(sql, session.id, span) : 0,
  });
  return combine([vouch, ...call.reasons.map(confirm), ...counted], { code: "rule_failed", rule: "counted" });
}

/** An exact sliding window: the uses after `now - windowMs`, and when the one that must leave does. */
function readWindow(
  sql: SqlStorage,
  { key, max, windowMs }: RateWindow,
  now: number,
): { used: number; freesAt: number } {
  const since = now - windowMs;
  const used = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM uses WHERE key = ? AND at > ?", key, since).one().n;
  if (used < max || max <= 0) return { used, freesAt: now };
  const leaving = first(
    sql.exec<{ at: number }>(
      "SELECT at FROM uses WHERE key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
      key,
      since,
      max - 1,
    ),
  );
  return { used, freesAt: (leaving?.at ?? now) + windowMs };
}

function isGateOpen(sql: SqlStorage, { gate }: CountedChecks, session: string): boolean {
  if (!gate) return true;
  // A consent given for every session holds no longer once the policy keeps none.
  const everywhere = gate.perSession ? session : "";
  return (
    first(
      sql.exec("SELECT 1 AS one FROM gates WHERE tool = ? AND session IN (?, ?)", gate.tool, everywhere, session),
    ) !== undefined
  );
}

/** What soft uses are counted over: the epoch that the turn was opened in, which the session may have left since. */
interface Span extends Record<string, SqlStorageValue> {
  readonly task: number;
  readonly epoch: number | null;
}

/** Those of the epoch, and in any case those of the turn's own task. */
function countSoft(sql: SqlStorage, session: string, { task, epoch }: Span): number {
  const soft = "SELECT COUNT(*) AS n FROM calls WHERE session = ? AND soft = 1 AND (epoch = ? OR task = ?)";
  return sql.exec<{ n: number }>(soft, session, epoch, task).one().n;
}

interface Reservation {
  readonly session: string;
  readonly span: Span;
  readonly turn: string;
  readonly decision: string;
  readonly call: CallToDecide;
  readonly now: number;
}

function reserve(sql: SqlStorage, { session, span, turn, decision, call, now }: Reservation): number {
  const { ordinal } = sql
    .exec<{ ordinal: number }>(
      `INSERT INTO calls (session, task, epoch, families, turn, decision, call_id, tool, arguments, extra, soft, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ordinal`,
      session,
      span.task,
      span.epoch,
      JSON.stringify(call.families),
      turn,
      decision,
      call.callId,
      call.tool,
      call.arguments,
      call.extra ? JSON.stringify(call.extra) : null,
      call.counted.soft ? 1 : 0,
      now,
    )
    .one();
  const longest = new Map<string, number>();
  for (const { key, windowMs } of call.counted.windows) longest.set(key, Math.max(windowMs, longest.get(key) ?? 0));
  for (const [key, windowMs] of longest) {
    sql.exec("INSERT INTO uses (key, at, ordinal, ends) VALUES (?, ?, ?, ?)", key, now, ordinal, now + windowMs);
  }
  return ordinal;
}

function retryAfter({ reasons }: Decision): number | null {
  const waits = reasons.flatMap((reason) => (reason.code === "rate_limited" ? [reason.retryAfterMs] : []));
  return waits.length > 0 ? Math.max(...waits) : null;
}
