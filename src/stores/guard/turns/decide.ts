/** Deciding a step's calls where the counts are: decide, reserve or ask, and record, in one transaction. */

import type { Approval } from "../../../approvals/approval.ts";
import { newId } from "../../../lib/ids.ts";
import { type WorkBudget, workBudget } from "../../../lib/work-budget.ts";
import { addVerdicts, type Decision, type Verdict } from "../../../policy/decision.ts";
import { countedVerdicts } from "../../../policy/rules/counted.ts";
import type { DecisionRecord } from "../../../ports/audit-record.ts";
import type { CallToDecide, Decided, DecideRequest } from "../../../ports/guard-port.ts";
import { pairOf } from "../../../session/pair.ts";
import { rootSession } from "../../../session/thread.ts";
import { type AuditKeys, keyedDigest } from "../../audit/audit-keys.ts";
import { ask, hasRoom } from "../approvals/ask.ts";
import { expireDue } from "../approvals/end.ts";
import { findGrant } from "../approvals/grants.ts";
import { approvalToActOn, decideApproved, openAskedGate, settleApproval } from "../approvals/release.ts";
import { bodyOf } from "../approvals/rows.ts";
import { canBeUndone, noteAsked } from "../kept-calls.ts";
import { type Owner, readMeta } from "../meta.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { recordReasons } from "../outbox/record-reasons.ts";
import { isCovered, noteDecided, type Planned, shownOf, stepToDecide } from "../plans/decided.ts";
import { first } from "../schema.ts";
import { type OpenTurn, readCounts } from "./counts.ts";
import { rememberPair } from "./find-session.ts";
import { reserve } from "./reserve.ts";
import { type SessionRow, selectIntent } from "./sessions.ts";

/** What all calls of a step are decided in. */
interface Step {
  readonly sql: SqlStorage;
  readonly keys: AuditKeys;
  readonly request: DecideRequest;
  readonly owner: Owner;
  readonly span: OpenTurn;
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

/** Throws for a turn that is not open: then nothing is decided, and nothing runs. */
export function decideStep(sql: SqlStorage, keys: AuditKeys, request: DecideRequest, now: number): Decided[] {
  const owner = readMeta(sql, "owner");
  const session = first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", request.session));
  const span = first(
    sql.exec<OpenTurn>(
      "SELECT task, epoch, digest, at FROM turns WHERE id = ? AND open = 1 AND task >= 0",
      request.turn,
    ),
  );
  if (!owner || !session || !span) throw new Error("the turn is not open: its session was deleted or has expired");
  if (request.select !== undefined && session.task === span.task) {
    selectIntent(sql, session, request.select);
  }
  expireDue(sql, keys, now);
  const root = rootSession(session.id);
  const overtaken = session.task !== span.task;
  const step: Step = { sql, keys, request, owner, span, root, overtaken, work: workBudget(), now };
  // Ids of one millisecond are in no order: sorted, the trail lists the calls as they came.
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

/** What became of a call besides its effect. */
interface Outcome {
  readonly decision: Decision;
  readonly ordinal?: number | undefined;
  /** The approval that was made. */
  readonly asked?: Approval | undefined;
  /** The one that was acted on. */
  readonly approval?: string | undefined;
  readonly grant?: string | undefined;
  /** The call that it would undo. */
  readonly undo?: CallToDecide["undo"];
  /** There was none to act on any more. */
  readonly stale?: true;
}

function settleCall(step: Step, call: CallToDecide, id: string, index: number): Decided {
  const { sql, keys, request, owner, now } = step;
  const planned = stepToDecide({ sql, keys, now }, request, call);
  const covering = isCovered(planned, call, request.moment.policy) ? planned?.plan.id : undefined;
  const came = decideCall({ ...step, covering, planned }, call, id);
  const { decision, ordinal, asked, approval = asked?.id, grant, undo = call.undo, stale } = came;
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
    ...request.moment,
    retryAfterMs: retryAfter(decision),
    disposition,
    ...(approval === undefined ? {} : { approval }),
    ...(grant === undefined ? {} : { grant }),
    ...(undo === undefined ? {} : { undoes: undo.of }),
    ...(call.madeBy === undefined ? {} : { madeBy: call.madeBy }),
    ...placeIn(planned, call),
  } satisfies DecisionRecord);
  if (planned) noteDecided({ sql, keys, now }, planned, request.turn, call, { id, decision, ordinal, asked });
  return { ...decision, id, ordinal, ...(asked ? { approval: asked } : {}), ...(stale ? { stale } : {}) };
}

/** What waits may be taken up elsewhere; what comes too late for its step was made for it all the same. */
function placeIn(planned: Planned | undefined, { plan }: CallToDecide): Pick<DecisionRecord, "plan" | "planStep"> {
  if (planned) return { plan: planned.plan.id, planStep: planned.step.id };
  return plan ? { plan: plan.id, planStep: plan.step } : {};
}

function decideCall(step: Step, call: CallToDecide, id: string): Outcome {
  if (call.approval) return releaseCall(step, call, call.approval, id);
  if (call.effect === "deny" || call.handshake) return { decision: { effect: call.effect, reasons: call.reasons } };
  const { sql, keys, request, span, planned, now } = step;
  const undone = undoneAlready(step, call, call.undo);
  if (undone) return { decision: undone };
  const { grant, verdicts } = countedFor(step, call);
  const { question } = call;
  const asking = question && !step.overtaken && addVerdicts(call, verdicts(true));
  if (question && asking && asking.effect === "confirm" && hasRoom(sql, call)) {
    const { task, digest: requestDigest } = span;
    const asked = ask(sql, keys, {
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
    if (call.undo) noteAsked(sql, call.undo.of, asked.id);
    return { decision: asking, asked };
  }
  const decision = addVerdicts(call, verdicts(false));
  if (decision.effect !== "allow") return { decision };
  return { decision, ordinal: reserveFor(step, call, id, call.undo), grant: call.counted.confirmation && grant };
}

/** Whoever comes second, from another window or with another approval, undoes nothing. */
function undoneAlready({ sql }: Step, { tool }: CallToDecide, undo: CallToDecide["undo"]): Decision | undefined {
  if (!undo || canBeUndone(sql, undo.of)) return undefined;
  return { effect: "deny", reasons: [{ code: "already_undone", tool }] };
}

/** A grant answers only what is asked of every such call; so does the approval of a plan as a whole. */
function countedFor(step: Step, call: CallToDecide) {
  const { sql, request, span, root, covering, work, now } = step;
  const { tool, counted, arguments: args } = call;
  const looks = counted.confirmation !== undefined && request.grants !== false;
  const given = looks
    ? findGrant(sql, { tool, session: root, args, riskProfile: counted.confirmation?.riskProfile, work }, now)
    : undefined;
  const grant = given ?? (counted.confirmation && covering);
  const counts = readCounts(sql, { session: request.session, root }, span, counted, now);
  const verdicts = (askable: boolean): Verdict[] =>
    countedVerdicts(tool, counted, { ...counts, askable, granted: grant !== undefined });
  return { grant, verdicts };
}

function releaseCall(
  step: Step,
  call: CallToDecide,
  named: NonNullable<CallToDecide["approval"]>,
  id: string,
): Outcome {
  const { sql, keys, request, owner, span, now } = step;
  const place = { session: request.session, task: span.task, turn: request.turn, digest: span.digest, at: span.at };
  const row = approvalToActOn(sql, keys, place, named, now);
  let grant: string | undefined;
  // Asked for as an undo it stays one, whoever takes it up.
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
    if (ordinal !== undefined) openAskedGate(sql, row, owner, call.counted, { policy: request.moment.policy, now });
    settleApproval(sql, row, id, now);
  }
  // Of another session, or of nobody: the record names it as it was told, within bounds.
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
  { sql, request, span, now }: Step,
  call: CallToDecide,
  decision: string,
  undo: CallToDecide["undo"],
): number => reserve(sql, { session: request.session, span, turn: request.turn, request, decision, call, now, undo });

function retryAfter({ reasons }: Decision): number | null {
  const waits = reasons.flatMap((reason) => (reason.code === "rate_limited" ? [reason.retryAfterMs] : []));
  return waits.length > 0 ? Math.max(...waits) : null;
}
