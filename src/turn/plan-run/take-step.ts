/** One step of a plan, taken as far as it can go without somebody else. */
import { newId } from "../../lib/ids.ts";
import type { Facts } from "../../policy/facts.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import { askUntil, WAIT_MS } from "../confirm/hold.ts";
import { momentOf } from "../confirm/settle-approvals.ts";
import type { Ending } from "../ending.ts";
import { isOffer } from "../offer/offer-step.ts";
import { preflight } from "../offer/preflight.ts";
import { vetStep } from "../step/vet-step.ts";
import { recordDecisions, recordStep } from "../turn-log.ts";
import { actOnDecision, continueWaiting } from "./act-on-decision.ts";
import { type PlanRun, type RunEnd, refresh, type StepMove, stepOf } from "./plan-run.ts";
import { selectIntentForTool } from "./select-intent-for-tool.ts";
import { boundArguments, isTainted, markCoveredCall } from "./step-call.ts";

/** @returns how the run ends with this step, or undefined where the next step may follow. */
export async function takeStep(run: PlanRun, step: KeptStep): Promise<RunEnd | undefined> {
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

async function moveStep(run: PlanRun, step: KeptStep): Promise<StepMove> {
  if (step.status !== "ready" && step.status !== "waiting") return {};
  run.emit({ type: "step_started", step });
  return step.status === "waiting" ? continueWaiting(run, step) : beginStep(run, step);
}

async function beginStep(run: PlanRun, step: KeptStep): Promise<StepMove> {
  const { deps, turn, plan } = run;
  const bound = boundArguments(plan, step);
  if (!bound.ok) {
    await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step: step.id, fault: bound.error });
    return {};
  }
  const { arguments: args, from } = bound.value;
  const offered = await selectIntentForTool(run, step);
  if (!isOffer(offered)) return refuse(run, step, offered);
  const facts: Facts = { ...offered.facts, tainted: true };
  const offer = isTainted(plan, from) ? { ...offered, facts } : offered;
  const unreachable = preflight(turn, offer);
  if (unreachable) return refuse(run, step, unreachable);
  const call = { id: newId("call", deps.now()), name: step.tool, arguments: JSON.stringify(args), extra: undefined };
  const vetted = await vetStep(deps, turn, offer, [call], markCoveredCall(run, step, from));
  recordStep(turn.log);
  const [decided] = vetted.calls;
  if (!decided) throw new Error("the step's call was not decided");
  const { effect, reasons, approval } = decided;
  const note = { callId: call.id, tool: call.name, effect, reasons, handshake: false, approval: approval?.id };
  recordDecisions(turn.log, [note]);
  return actOnDecision(run, step, decided);
}

/** The turn would end here before a call is vetted: the client has a tool of the gateway's name, or the intent is out of reach. */
async function refuse({ deps, turn, plan }: PlanRun, { id: step }: KeptStep, ending: Ending): Promise<StepMove> {
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
 * @returns undefined where the client went away.
 */
async function whenRunEnded(run: PlanRun, step: KeptStep): Promise<KeptStep | undefined> {
  const { decision, status } = step;
  if (status !== "running" || decision === null) return step;
  const ended = await askUntil(
    run.gone,
    "runs",
    () => run.deps.guard.runs.wait([decision], WAIT_MS),
    (runs) => runs.every((one) => one.status !== "started"),
  );
  return ended && stepOf(await refresh(run), step.id);
}

/** The role or the rules may have changed since: who may not call the tool now does not see its call. */
async function releasedBefore(
  { deps, turn, plan }: PlanRun,
  { id, tool }: KeptStep,
): Promise<ReleasedCall | undefined> {
  const { offer } = momentOf(turn, deps.now());
  return offer.callable.has(tool) ? deps.guard.plans.releasedStep(plan.id, id) : undefined;
}
