/** Deciding a step's calls where the counts are: decide, reserve or ask, and record, in one transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import { newId } from "../../../lib/ids.ts";
import { type WorkBudget, workBudget } from "../../../lib/work-budget.ts";
import { addVerdicts, type Decision, type Verdict } from "../../../policy/decision.ts";
import { countedVerdicts } from "../../../policy/rules/counted.ts";
import type { DecisionRecord } from "../../../ports/audit-record.ts";
import type { CallToDecide, DecidedCall, DecideRequest } from "../../../ports/turns-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { pairOf, rootSession } from "../../../session/thread.ts";
import { type AuditKeys, keyedDigest } from "../../audit/audit-keys.ts";
import { approvalToActOn, decideApproved, openAskedGate, settleApproval } from "../approvals/answer.ts";
import { createApproval, hasRoom } from "../approvals/ask.ts";
import { findGrant } from "../approvals/grants.ts";
import { bodyOf } from "../approvals/rows.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { recordReasons } from "../outbox/record-reasons.ts";
import { isCovered, noteDecided, type Planned, shownOf, stepToDecide } from "../plans/decided.ts";
import { first } from "../schema.ts";
import { canBeUndone, noteUndoApproval } from "../stored-calls.ts";
import { readMeta } from "../transaction.ts";
import { rememberPair } from "./find-session.ts";
import { type OpenTurn, readCounts, reserve } from "./reserve.ts";
import { type SessionRow, selectIntent } from "./sessions.ts";

/** The context of all decisions of a step. */
interface Step {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  readonly request: DecideRequest;
  readonly owner: Owner;
  readonly openTurn: OpenTurn;
  /** The session that consents and grants for the conversation belong to. */
  readonly root: string;
  /** The session has gone on to another task since the turn was opened: nobody would act on an answer. */
  readonly overtaken: boolean;
  /** The plan whose approval as a whole covers the call. */
  readonly covering?: string | undefined;
  /** The step of a plan that the call is. */
  readonly planned?: Planned | undefined;
  /** What looking for grants is paid from. */
  readonly work: WorkBudget;
  readonly now: number;
}

/** To be called once what is over its time has ended. Throws for a turn that is not open: then nothing is decided, and nothing runs. */
export function decideStep(sql: SqlStorage, keys: AuditKeys, request: DecideRequest, now: number): DecidedCall[] {
  const owner = readMeta(sql, "owner");
  const session = first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", request.session));
  const openTurn = first(
    sql.exec<OpenTurn>(
      "SELECT task, epoch, digest, at FROM turns WHERE id = ? AND open = 1 AND task >= 0",
      request.turn,
    ),
  );
  if (!owner || !session || !openTurn) throw new Error("the turn is not open: its session was deleted or has expired");
  if (request.select !== undefined && session.task === openTurn.task) {
    selectIntent(sql, session, request.select);
  }
  const root = rootSession(session.id);
  const overtaken = session.task !== openTurn.task;
  const step: Step = { sql, keys, request, owner, openTurn, root, overtaken, work: workBudget(), now };
  // Ids of one millisecond are in no order: sorted, the trail lists the calls as they outcome.
  const ids = request.calls.map(() => newId("dec", now)).sort();
  const decided = request.calls.map((call, index) => settleCall(step, call, ids[index] as string, index));
  // The first reply of a session that the client did not name: it is found again by these ids.
  const released = session.fresh === 1 ? releasedIn(sql, request.turn) : [];
  if (released.length > 0) rememberPair(sql, pairOf(session.opening, released, ""), session.id, now);
  return decided;
}

/** Of the turn so far: one that asks and goes on decides more than once. */
const releasedIn = (sql: SqlStorage, turn: string): string[] =>
  sql
    .exec<{ call_id: string }>("SELECT call_id FROM calls WHERE turn = ? ORDER BY ordinal", turn)
    .toArray()
    .map(({ call_id }) => call_id);

/** What happened to a call besides its effect. */
interface CallOutcome {
  readonly decision: Decision;
  readonly ordinal?: number | undefined;
  /** The approval that was made. */
  readonly asked?: Approval | undefined;
  /** The one that was acted on. */
  readonly approval?: string | undefined;
  readonly grant?: string | undefined;
  /** The call that it would undo. */
  readonly undo?: CallToDecide["undo"];
  /** It had ended before. */
  readonly stale?: true;
}

function settleCall(step: Step, call: CallToDecide, id: string, index: number): DecidedCall {
  const { sql, keys, request, owner, now } = step;
  const planned = stepToDecide({ sql, keys, now }, request, call);
  const covering = isCovered(planned, call, request.auditContext.policy) ? planned?.plan.id : undefined;
  const outcome = decideCall({ ...step, covering, planned }, call, id);
  const { decision, ordinal, asked, approval = asked?.id, grant, undo = call.undo, stale } = outcome;
  const disposition =
    ordinal !== undefined
      ? call.run
        ? "run"
        : ("released" as const)
      : asked
        ? "asked"
        : call.handshake
          ? ("hidden" as const)
          : "refused";
  appendRecord(sql, keys, {
    kind: "decision",
    id,
    turn: request.turn,
    tenant: owner.tenant,
    user: owner.user,
    session: step.root,
    at: now,
    step: request.step,
    ordinal: index,
    callId: call.callId,
    tool: call.tool,
    effect: decision.effect,
    reasons: recordReasons(decision.reasons, call, request.logConfirmations !== false),
    arguments: call.recorded,
    // Keyed: a plain digest of a short redacted value could be found by trying.
    digest: call.digest === null ? null : keyedDigest(keys, call.digest),
    ...request.auditContext,
    retryAfterMs: retryAfter(decision),
    disposition,
    ...(approval === undefined ? {} : { approval }),
    ...(grant === undefined ? {} : { grant }),
    ...(undo === undefined ? {} : { undoes: undo.of }),
    ...(call.madeBy === undefined ? {} : { madeBy: call.madeBy }),
    ...planPart(planned, call),
  } satisfies DecisionRecord);
  if (planned) noteDecided({ sql, keys, now }, planned, request.turn, call, { id, decision, ordinal, asked });
  return { ...decision, id, ordinal, ...(asked ? { approval: asked } : {}), ...(stale ? { stale } : {}) };
}

/** The record names the plan's step also where the call comes too late for it. */
function planPart(planned: Planned | undefined, { plan }: CallToDecide): Pick<DecisionRecord, "plan" | "planStep"> {
  if (planned) return { plan: planned.plan.id, planStep: planned.step.id };
  return plan ? { plan: plan.id, planStep: plan.step } : {};
}

function decideCall(step: Step, call: CallToDecide, id: string): CallOutcome {
  if (call.approval) return releaseCall(step, call, call.approval, id);
  if (call.effect === "deny" || call.handshake) return { decision: { effect: call.effect, reasons: call.reasons } };
  const { sql, keys, request, openTurn, planned, now } = step;
  const undone = undoneAlready(step, call, call.undo);
  if (undone) return { decision: undone };
  const { grant, verdicts } = countedFor(step, call);
  const { question } = call;
  const asking = question && !step.overtaken && addVerdicts(call, verdicts(true));
  if (question && asking && asking.effect === "confirm" && hasRoom(sql, call)) {
    const { task, digest: requestDigest } = openTurn;
    const asked = createApproval(sql, keys, {
      request,
      task,
      requestDigest,
      decisionId: id,
      decision: asking,
      call,
      question,
      plan: planned && shownOf(sql, planned),
      now,
    });
    if (call.undo) noteUndoApproval(sql, call.undo.of, asked.id);
    return { decision: asking, asked };
  }
  const decision = addVerdicts(call, verdicts(false));
  if (decision.effect !== "allow") return { decision };
  return { decision, ordinal: reserveFor(step, call, id, call.undo), grant: call.counted.confirmation && grant };
}

/** A second undo, from another window or with another approval, does nothing. */
function undoneAlready({ sql }: Step, { tool }: CallToDecide, undo: CallToDecide["undo"]): Decision | undefined {
  if (!undo || canBeUndone(sql, undo.of)) return undefined;
  return { effect: "deny", reasons: [{ code: "already_undone", tool }] };
}

/** A grant answers only the confirmation that every such call needs; so does the approval of a plan as a whole. */
function countedFor(step: Step, call: CallToDecide) {
  const { sql, request, openTurn, root, covering, work, now } = step;
  const { tool, counted, arguments: args } = call;
  const looks = counted.confirmation !== undefined && request.grants !== false;
  const given = looks
    ? findGrant(sql, { tool, session: root, args, riskProfile: counted.confirmation?.riskProfile, work }, now)
    : undefined;
  const grant = given ?? (counted.confirmation && covering);
  const counts = readCounts(sql, { session: request.session, root }, openTurn, counted, now);
  const verdicts = (askable: boolean): Verdict[] =>
    countedVerdicts(tool, counted, { ...counts, askable, granted: grant !== undefined });
  return { grant, verdicts };
}

function releaseCall(
  step: Step,
  call: CallToDecide,
  named: NonNullable<CallToDecide["approval"]>,
  id: string,
): CallOutcome {
  const { sql, keys, request, owner, openTurn, now } = step;
  const place = {
    session: request.session,
    task: openTurn.task,
    turn: request.turn,
    digest: openTurn.digest,
    at: openTurn.at,
  };
  const row = approvalToActOn(sql, keys, place, named, now);
  let grant: string | undefined;
  // A question for an undo stays one, whichever request acts on it.
  const of = row && bodyOf(row).undoes;
  const undo = of === undefined ? undefined : { of, key: call.undo?.key };
  const decision =
    undoneAlready(step, call, undo) ??
    decideApproved(row, call, () => {
      const counted = countedFor(step, call);
      grant = counted.grant;
      return counted.verdicts(true);
    });
  const ordinal = row && decision.effect === "allow" ? reserveFor(step, call, id, undo) : undefined;
  if (row) {
    if (ordinal !== undefined)
      openAskedGate(sql, row, owner, call.counted, { policy: request.auditContext.policy, now });
    settleApproval(sql, row, id, now);
  }
  // Of another session, or unknown: the record has the id that the call named, cut to size.
  const asked = row && bodyOf(row).asks.includes("confirmation_required");
  return {
    decision,
    ordinal,
    approval: row?.id ?? named.id.slice(0, 64),
    grant: ordinal && !asked ? grant : undefined,
    undo,
    ...(row ? {} : { stale: true }),
  };
}

const reserveFor = (
  { sql, request, openTurn, now }: Step,
  call: CallToDecide,
  decision: string,
  undo: CallToDecide["undo"],
): number =>
  reserve(sql, { session: request.session, openTurn, turn: request.turn, request, decision, call, now, undo });

function retryAfter({ reasons }: Decision): number | null {
  const waits = reasons.flatMap((reason) => (reason.code === "rate_limited" ? [reason.retryAfterMs] : []));
  return waits.length > 0 ? Math.max(...waits) : null;
}
