/** Decides a step's calls in the object that has the counts: decide, reserve or ask, and record, in one transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import { newId } from "../../../lib/ids.ts";
import { type WorkBudget, workBudget } from "../../../lib/work-budget.ts";
import type { Decision, Verdict } from "../../../policy/decision.ts";
import { countedVerdicts, decideCounted } from "../../../policy/rules/counted.ts";
import type { CallToDecide, DecidedCall, DecideRequest } from "../../../ports/turns/decide-request.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { keyedDigest } from "../../audit/audit-keys.ts";
import { approvalToActOn, decideApproved, endorsedWith, markUsed, openAskedGate } from "../approvals/answer.ts";
import { createApproval, hasRoom } from "../approvals/ask.ts";
import { findGrant } from "../approvals/grants.ts";
import { bodyOf } from "../approvals/rows.ts";
import { appendRecord } from "../outbox/record-chain.ts";
import { recordOrigins, recordReasons } from "../outbox/record-reasons.ts";
import { applyDecision, approvalPlan, isCovered, type PlannedStep, stepToDecide } from "../plans/decided.ts";
import { canBeUndone, noteUndoApproval } from "../stored-calls.ts";
import type { Transaction } from "../transaction.ts";
import { type OpenTurn, readCounts, reserve } from "./reserve.ts";
import { turnsIn } from "./session-turns.ts";
import { markUntrusted, readOpened, selectIntents } from "./sessions.ts";
import { storeWrite } from "./stored-writes.ts";

/** The context of all decisions of a step. */
interface Step extends Transaction {
  readonly request: DecideRequest;
  readonly openTurn: OpenTurn;
  /** The session that consents and grants for the conversation belong to. */
  readonly root: string;
  /** The session has continued with another task since the turn was opened: no turn would act on an answer. */
  readonly overtaken: boolean;
  /** The plan whose approval as a whole covers the call. */
  readonly covering?: string | undefined;
  /** The step of a plan that the call is. */
  readonly planned?: PlannedStep | undefined;
  /** The budget for looking up grants. */
  readonly work: WorkBudget;
}

/** Call after expired rows were ended (`endDue`). Throws if the turn is not open; then nothing is decided. */
export function decideStep(transaction: Transaction, request: DecideRequest): DecidedCall[] {
  const { sql, now } = transaction;
  const session = readOpened(sql, request.session);
  const turn = session && turnsIn(session).find(({ id, open }) => open && id === request.turn);
  if (!session || !turn) throw new Error("the turn is not open: its session was deleted or has expired");
  const openTurn = { ...turn, sessionCreated: session.created };
  if (request.select !== undefined && session.task === openTurn.task) {
    selectIntents(sql, session, request.select);
  }
  if (request.calls.some(({ hosted }) => hosted?.untrusted)) markUntrusted(sql, session.id);
  const root = rootSession(session.id);
  const overtaken = session.task !== openTurn.task;
  const step: Step = { ...transaction, request, openTurn, root, overtaken, work: workBudget() };
  // Ids of one millisecond have no order: sorted, the trail lists the calls in order.
  const ids = request.calls.map(() => newId("dec", now)).sort();
  return request.calls.map((call, index) => decideAndRecord(step, call, ids[index] as string, index));
}

/** What happened to a call besides its effect. */
interface CallOutcome {
  readonly decision: Decision;
  readonly ordinal?: number | undefined;
  /** The approval that was made. */
  readonly newApproval?: Approval | undefined;
  /** The approval that was acted on. */
  readonly approval?: string | undefined;
  readonly grant?: string | undefined;
  /** The call that it would undo. */
  readonly undo?: CallToDecide["undo"];
  /** Digest of the result that the answer endorses. */
  readonly endorsed?: string | undefined;
  /** It is let through, whatever the decision is. */
  readonly observed?: true | undefined;
  /** It had ended before. */
  readonly stale?: true | undefined;
}

function dispositionOf(call: CallToDecide, { ordinal, newApproval }: CallOutcome) {
  if (call.hosted) return "hosted";
  if (ordinal !== undefined) return call.run ? "run" : "released";
  if (newApproval) return "asked";
  return call.handshake ? "hidden" : "refused";
}

function decideAndRecord(step: Step, call: CallToDecide, id: string, index: number): DecidedCall {
  const { keys, request, now } = step;
  const planned = stepToDecide(step, request, call);
  const covering = isCovered(planned, call, request.auditContext.policy) ? planned?.plan.id : undefined;
  const outcome = decideCall({ ...step, covering, planned }, call, id);
  const { decision, ordinal, newApproval, approval = newApproval?.id, grant, undo = call.undo } = outcome;
  const { stale, endorsed, observed } = outcome;
  appendRecord(step, {
    kind: "decision",
    id,
    turn: request.turn,
    session: step.root,
    at: now,
    step: request.step,
    ordinal: index,
    callId: call.callId,
    tool: call.recordedTool ?? call.tool,
    effect: decision.effect,
    reasons: recordReasons(decision.reasons, call, request.logConfirmations !== false),
    origins: recordOrigins(call),
    arguments: call.recorded,
    // Keyed: a plain digest of a short redacted value could be found by trying.
    digest: call.digest === null ? null : keyedDigest(keys, call.digest),
    ...request.auditContext,
    retryAfterMs: retryAfter(decision),
    disposition: dispositionOf(call, outcome),
    observed,
    approval,
    grant,
    undoes: undo?.of,
    madeBy: call.madeBy,
    // Also if the call comes too late for its step.
    plan: planned?.plan.id ?? call.plan?.id,
    planStep: planned?.step.id ?? call.plan?.step,
  });
  if (call.writes?.length && ordinal !== undefined)
    storeWrite(step.sql, { tool: call.tool, session: step.root, digests: call.writes }, now);
  if (planned) applyDecision(step, planned, request.turn, call, { id, decision, ordinal, newApproval });
  return {
    ...decision,
    id,
    ordinal,
    approval: newApproval,
    stale,
    ...(observed ? { observed } : {}),
    ...(endorsed === undefined ? {} : { endorsed }),
  };
}

function decideCall(step: Step, call: CallToDecide, id: string): CallOutcome {
  if (call.approval) return decideAnsweredCall(step, call, call.approval, id);
  if (call.observe) return observeCall(step, call, id);
  if (call.effect === "deny" || call.handshake || call.hosted)
    return { decision: { effect: call.effect, reasons: call.reasons } };
  const { sql, request, openTurn, planned } = step;
  const undone = undoneAlready(step, call, call.undo);
  if (undone) return { decision: undone };
  const { grant, verdicts } = grantAndVerdicts(step, call);
  const { question } = call;
  const mayAsk = () => question !== undefined && !step.overtaken && hasRoom(sql, call);
  const { decision, ask } = decideCounted(call, verdicts, mayAsk);
  if (question && ask) {
    const { task, digest: requestDigest } = openTurn;
    const newApproval = createApproval(step, {
      request,
      task,
      requestDigest,
      decisionId: id,
      decision,
      call,
      question,
      plan: planned && approvalPlan(sql, planned),
    });
    if (call.undo) noteUndoApproval(sql, call.undo.of, newApproval.id);
    return { decision, newApproval };
  }
  if (decision.effect !== "allow") return { decision };
  return {
    decision,
    ordinal: reserve(step, { request, openTurn, call, decision: id, undo: call.undo }),
    grant: call.counted.confirmation && grant,
  };
}

/** As it would be decided, and let through. A denied call spends nothing, as everywhere. */
function observeCall(step: Step, call: CallToDecide, id: string): CallOutcome {
  const { request, openTurn } = step;
  const counted = call.effect === "deny" ? undefined : grantAndVerdicts(step, call);
  const { effect, reasons } = call;
  const decision = counted ? decideCounted(call, counted.verdicts, () => true).decision : { effect, reasons };
  const spends = decision.effect !== "deny";
  const reserved = spends ? call : { ...call, counted: { windows: [] } };
  return {
    decision,
    ordinal: reserve(step, { request, openTurn, call: reserved, decision: id, undo: undefined }),
    grant: spends && call.counted.confirmation ? counted?.grant : undefined,
    observed: true,
  };
}

/** A second undo, from another window or with another approval, does nothing. */
function undoneAlready({ sql }: Step, { tool }: CallToDecide, undo: CallToDecide["undo"]): Decision | undefined {
  if (!undo || canBeUndone(sql, undo.of)) return undefined;
  return { effect: "deny", reasons: [{ code: "already_undone", tool }] };
}

/** Grants and plan approvals skip only the confirmation, never a limit or a gate. */
function grantAndVerdicts(step: Step, call: CallToDecide) {
  const { sql, request, openTurn, root, covering, work, now } = step;
  const { tool, counted, arguments: args } = call;
  const looks = counted.confirmation !== undefined && request.grants !== false;
  const { riskProfile, destinations } = counted.confirmation ?? {};
  const given = looks ? findGrant(sql, { tool, session: root, args, riskProfile, destinations, work }, now) : undefined;
  const grant = given ?? (counted.confirmation && covering);
  const counts = readCounts(sql, { session: request.session, root, turn: request.turn }, openTurn, counted, now);
  const verdicts = (askable: boolean): Verdict[] =>
    countedVerdicts(tool, counted, { ...counts, askable, granted: grant !== undefined });
  return { grant, verdicts };
}

/** A call that waited for a person: applies the answer, then judges the call again. It may run, wait or be denied. */
function decideAnsweredCall(
  step: Step,
  call: CallToDecide,
  named: NonNullable<CallToDecide["approval"]>,
  id: string,
): CallOutcome {
  const { request, openTurn } = step;
  const { task, digest, at } = openTurn;
  const acting = { session: request.session, task, turn: request.turn, digest, at };
  const row = approvalToActOn(step, acting, named);
  let grant: string | undefined;
  // A question about an undo stays one, whichever request acts on it.
  const of = row && bodyOf(row).undoes;
  const undo = of === undefined ? undefined : { of, key: call.undo?.key };
  const decision =
    undoneAlready(step, call, undo) ??
    decideApproved(row, call, () => {
      const counted = grantAndVerdicts(step, call);
      grant = counted.grant;
      return counted.verdicts(true);
    });
  const ordinal =
    row && decision.effect === "allow" ? reserve(step, { request, openTurn, call, decision: id, undo }) : undefined;
  if (row) {
    if (ordinal !== undefined) openAskedGate(step, row, call.counted, request.auditContext.policy);
    markUsed(step, row, id);
  }
  // A call of another session, or an unknown one: the record has the id that the call named, cut to size.
  const asksAlways = row && bodyOf(row).asks.includes("confirmation_required");
  return {
    decision,
    ordinal,
    approval: row?.id ?? named.id.slice(0, 64),
    grant: ordinal && !asksAlways ? grant : undefined,
    undo,
    endorsed: row && endorsedWith(row),
    stale: row ? undefined : true,
  };
}

function retryAfter({ reasons }: Decision): number | null {
  const waits = reasons.flatMap((reason) => (reason.code === "rate_limited" ? [reason.retryAfterMs] : []));
  return waits.length > 0 ? Math.max(...waits) : null;
}
