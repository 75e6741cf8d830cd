/** Takes one step of a plan as far as possible without a person or the client. */

import type { Approval } from "../../approvals/approval.ts";
import { newId } from "../../lib/ids.ts";
import type { PlanFault } from "../../plan/plan.ts";
import { offerTools } from "../../policy/offer.ts";
import type { StoredStep } from "../../ports/plans-port.ts";
import { SILENT_REPLY } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { currentOffer, decideAnswered } from "../confirm/decide-answered.ts";
import { holdFor, WAIT_MS, waitUntilDone } from "../confirm/hold.ts";
import { offerStep } from "../offer/offer-step.ts";
import { preflight } from "../offer/preflight.ts";
import { isOffer, type StepOffer } from "../offer/step-offer.ts";
import { runCalls } from "../runs/run-calls.ts";
import { holdSelection, vetStep } from "../step/vet-step.ts";
import { decisionNote, isReleased, type VettedCall } from "../step/vetted-call.ts";
import type { Turn } from "../turn.ts";
import { recordDecisions, recordStep, updateLog } from "../turn-log.ts";
import { type PlanRun, type RunEnd, refresh, type StepMove, stepOf } from "./plan-run.ts";
import {
  annotateCoveredCall,
  annotateStepCall,
  boundArguments,
  isTainted,
  taintedFacts,
  wishFacts,
} from "./step-call.ts";

/** @returns how the run ends with this step, or undefined if the next step may follow. */
export async function takeStep(run: PlanRun, step: StoredStep): Promise<RunEnd | undefined> {
  const move = await moveStep(run, step);
  if (move.end) return move.end;
  const after = await whenRunEnded(run, stepOf(await refresh(run), step.id));
  if (!after) return { kind: "gone" };
  switch (after.status) {
    case "succeeded":
      run.emit({ type: "step_finished", step: after });
      return undefined;
    case "failed":
    case "unknown":
      run.emit({ type: "step_failed", step: after, reasons: move.reasons ?? [] });
      return { kind: "failed", refused: move.reasons !== undefined };
    case "waiting":
      return { kind: "paused", waitsFor: "approval" };
    case "released": {
      const released = move.released ?? (move.elsewhere ? undefined : await releasedBefore(run, step));
      if (released) run.emit({ type: "call_released", step: after, call: released });
      return { kind: "paused", waitsFor: "client", released };
    }
    default:
      throw new Error(`the step is still ${after.status}`);
  }
}

async function moveStep(run: PlanRun, step: StoredStep): Promise<StepMove> {
  if (step.status !== "ready" && step.status !== "waiting") return {};
  run.emit({ type: "step_started", step });
  return step.status === "waiting" ? continueWaiting(run, step) : beginStep(run, step);
}

async function beginStep(run: PlanRun, step: StoredStep): Promise<StepMove> {
  const { deps, turn, plan } = run;
  const bound = boundArguments(plan, step);
  if (!bound.ok) {
    await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step: step.id, fault: bound.error });
    return {};
  }
  const { arguments: args, from } = bound.value;
  const offered = await selectIntentForTool(run, step);
  if (!isOffer(offered)) return refuse(run, step, offered);
  const offer = isTainted(turn, plan, from)
    ? { ...offered, facts: taintedFacts(turn, plan, step, offered.facts) }
    : { ...offered, facts: wishFacts(turn, plan, offered.facts) };
  const unreachable = preflight(turn, offer);
  if (unreachable) return refuse(run, step, unreachable);
  const call = { id: newId("call", deps.now()), name: step.tool, arguments: JSON.stringify(args), extra: undefined };
  const vetted = await vetStep(deps, turn, offer, [call], annotateCoveredCall(run, step, from));
  recordStep(turn.log);
  const [decided] = vetted.calls;
  if (!decided) throw new Error("the step's call was not decided");
  recordDecisions(turn.log, [decisionNote(decided)]);
  return actOnDecision(run, step, decided);
}

/** The turn would end here before a call is vetted: the client has a tool of the gateway's name, or the intent is out of reach. */
async function refuse({ deps, turn, plan }: PlanRun, { id: step }: StoredStep, ending: Ending): Promise<StepMove> {
  const message = messageOf(ending);
  await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step, fault: { code: "refused", message, step } });
  return { reasons: [] };
}

function messageOf(ending: Ending): string {
  if (ending.kind === "error") return String((ending.error as { readonly message?: unknown }).message);
  return ending.kind === "stop" ? ending.text : ending.stopReason;
}

/**
 * Waits for a call that another turn runs; at its deadline the store says `unknown`. A call of this turn has ended already.
 * @returns undefined if the client went away.
 */
async function whenRunEnded(run: PlanRun, step: StoredStep): Promise<StoredStep | undefined> {
  const { decision, status } = step;
  if (status !== "running" || decision === null) return step;
  const ended = await waitUntilDone(
    run.gone,
    "runs",
    () => run.deps.guard.runs.wait([decision], WAIT_MS),
    (runs) => runs.every((one) => one.status !== "started"),
  );
  return ended && stepOf(await refresh(run), step.id);
}

/** The role or the rules may have changed since: a user who may no longer call the tool does not see its call. */
async function releasedBefore(
  { deps, turn, plan }: PlanRun,
  { id, tool }: StoredStep,
): Promise<ReleasedCall | undefined> {
  const { offer } = currentOffer(turn, deps.now());
  return offer.callable.has(tool) ? deps.guard.plans.releasedStep(plan.id, id) : undefined;
}

async function actOnDecision(run: PlanRun, step: StoredStep, decided: VettedCall): Promise<StepMove> {
  const { modelCall, approval, ordinal, vettedArguments: args } = decided;
  if (approval) return askPerson(run, step, approval);
  if (ordinal === undefined) return { reasons: decided.reasons };
  if (isReleased(decided)) {
    return { released: { id: modelCall.id, tool: modelCall.name, arguments: args, extra: undefined } };
  }
  const ran = await runCalls(run.deps, run.turn, SILENT_REPLY, [decided]);
  if (ran.ok) return {};
  if (ran.error.kind !== "error") throw new Error("the run of a plan's call ended the turn");
  return { end: { kind: "error", ending: ran.error } };
}

/** A step that waited for a person when the run began. */
async function continueWaiting(run: PlanRun, step: StoredStep): Promise<StepMove> {
  const approval = step.approval === null ? undefined : await run.deps.guard.approvals.find(step.approval);
  if (!approval || approval.usedBy !== null) return abandonStep(run, step);
  return approval.status === "pending" ? askPerson(run, step, approval) : actOnAnswer(run, step, approval);
}

/** On the channel `hold` the run waits for the answer; otherwise it ends here. */
async function askPerson(run: PlanRun, step: StoredStep, approval: Approval): Promise<StepMove> {
  const { deps, turn, gone } = run;
  run.emit({ type: "approval_required", step: stepOf(await refresh(run), step.id), approval });
  updateLog(turn.log, { waiting: [approval] });
  if (turn.input.channel !== "hold") return {};
  const [answered] = (await holdFor(deps, turn, [approval], SILENT_REPLY, gone)) ?? [];
  if (!answered) return { end: { kind: "gone" } };
  if (answered.status === "cancelled" && (await refresh(run)).status === "cancelled")
    return { end: { kind: "cancelled" } };
  return actOnAnswer(run, step, answered);
}

async function actOnAnswer(run: PlanRun, step: StoredStep, approval: Approval): Promise<StepMove> {
  const { deps, turn } = run;
  // The session may no longer hold the intent of the question.
  if (approval.status === "approved" && !isOffer(await selectIntentForTool(run, step))) return abandonStep(run, step);
  const [decided] = await decideAnswered(deps, turn, [{ approval }], annotateStepCall(run, step));
  recordStep(turn.log);
  return !decided || decided.stale ? abandonStep(run, step) : actOnDecision(run, step, decided);
}

/** The question is gone: its session ended, or a chat in that session moved on. If a chat took up the call, that settles the step. */
async function abandonStep({ deps, turn, plan }: PlanRun, { id: step }: StoredStep): Promise<StepMove> {
  const message = "the question about this step is no longer open: run the plan again to be asked again";
  const fault: PlanFault = { code: "abandoned", message, step };
  const status = await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step, fault });
  return { elsewhere: status !== "failed" };
}

/**
 * The offer that a step's call is vetted against. If the tool is withheld for lack of an intent, the plan calls the handshake for the first
 * intent that permits it, under the same rules as the model's handshake.
 */
async function selectIntentForTool(run: PlanRun, step: StoredStep): Promise<StepOffer | Ending> {
  const { deps, turn } = run;
  const before = offerStep(turn, deps.now());
  if (!isOffer(before) || before.offer.callable.has(step.tool)) return before;
  const { handshake } = before.offer;
  const intent = intentFor(turn, before, step.tool);
  if (!handshake || intent === undefined) return before;
  const id = newId("call", deps.now());
  const call = { id, name: handshake.name, arguments: JSON.stringify({ intents: [intent] }), extra: undefined };
  const { calls, selected } = await vetStep(deps, turn, before, [call], annotateStepCall(run, step));
  recordStep(turn.log);
  recordDecisions(turn.log, calls.map(decisionNote));
  if (selected === undefined) return before;
  holdSelection(turn, selected);
  return offerStep(turn, deps.now());
}

/** Undefined if no intent helps: the tool's refusal says why. */
function intentFor({ input, tools }: Turn, { offer, facts }: StepOffer, tool: string): string | undefined {
  const definitions = tools.filter(({ name }) => name === tool);
  return offer.handshake?.intents.find((name) =>
    offerTools(input.policy, { ...facts, state: "action", intents: [name] }, definitions, input.work).callable.has(
      tool,
    ),
  );
}
