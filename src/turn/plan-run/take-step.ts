/** One step of a plan, from where it is to where it can go by itself. Changes the run. */
import { newId } from "../../lib/ids.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { ReleasedCall } from "../../ports/turns-port.ts";
import { askUntil, WAIT_MS } from "../confirm/ask-until.ts";
import { momentOf } from "../confirm/settle-approvals.ts";
import type { Ending } from "../ending.ts";
import { isOffer } from "../offer/offer-step.ts";
import { preflight } from "../offer/preflight.ts";
import { vetStep } from "../step/vet-step.ts";
import { recordDecisions, recordStep } from "../turn-log.ts";
import { actOn } from "./act-on.ts";
import { advised } from "./advised.ts";
import { boundArguments } from "./bound-arguments.ts";
import { isDoubted } from "./is-doubted.ts";
import { coveredAs } from "./marked-as.ts";
import { type Moved, type PlanRun, type RunEnd, refresh, stepOf } from "./plan-run.ts";
import { reachTool } from "./reach-tool.ts";
import { settleStep } from "./settle-step.ts";

/** @returns how the run ends with it, or undefined where the next one may follow. */
export async function takeStep(run: PlanRun, step: KeptStep): Promise<RunEnd | undefined> {
  const moved = await move(run, step);
  if (moved.end) return moved.end;
  const after = await ranElsewhere(run, stepOf(await refresh(run), step.id));
  if (!after) return { kind: "gone" };
  switch (after.status) {
    case "succeeded":
      run.tell({ type: "step_finished", step: after });
      return undefined;
    case "failed":
    case "unknown":
      run.tell({ type: "step_failed", step: after, reasons: moved.reasons ?? [] });
      return { kind: "failed", refused: moved.reasons !== undefined };
    case "waiting":
      return { kind: "paused", waitsFor: "approval" };
    case "released": {
      const released = moved.released ?? (moved.elsewhere ? undefined : await toldAgain(run, step));
      if (released) run.tell({ type: "call_released", step: after, call: released });
      return { kind: "paused", waitsFor: "client", released };
    }
    default:
      throw new Error(`the step is still ${after.status}`);
  }
}

/**
 * Until the ledger has the outcome of what another turn runs: at its deadline it is `unknown`. What this turn runs itself has one.
 * @returns undefined where the client went away.
 */
async function ranElsewhere(run: PlanRun, step: KeptStep): Promise<KeptStep | undefined> {
  const { decision, status } = step;
  if (status !== "running" || decision === null) return step;
  const ended = await askUntil(
    run.gone,
    "runs",
    () => run.deps.guard.runs.wait([decision], WAIT_MS),
    (told) => told.every((one) => one.status !== "started"),
  );
  return ended && stepOf(await refresh(run), step.id);
}

/** To nobody who could not call it now: another key of the same user may have another role, and rules change. */
async function toldAgain({ deps, turn, plan }: PlanRun, { id, tool }: KeptStep): Promise<ReleasedCall | undefined> {
  const { offer } = momentOf(turn, deps.now());
  return offer.callable.has(tool) ? deps.guard.plans.releasedStep(plan.id, id) : undefined;
}

async function move(run: PlanRun, step: KeptStep): Promise<Moved> {
  switch (step.status) {
    case "ready":
      return begin(run, step);
    case "waiting":
      run.tell({ type: "step_started", step });
      return settleStep(run, step);
    default:
      return {};
  }
}

async function begin(run: PlanRun, step: KeptStep): Promise<Moved> {
  const { deps, turn, plan } = run;
  run.tell({ type: "step_started", step });
  const bound = boundArguments(plan, step);
  if (!bound.ok) {
    const fault = await advised(run, step, bound.error);
    await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step: step.id, fault });
    return {};
  }
  const reached = await reachTool(run, step);
  if (!isOffer(reached)) return refuse(run, step, reached);
  const doubted = isDoubted(plan, bound.value.from);
  const offer = doubted ? { ...reached, facts: { ...reached.facts, doubted } } : reached;
  const unreachable = preflight(turn, offer);
  if (unreachable) return refuse(run, step, unreachable);
  const input = JSON.stringify(bound.value.arguments);
  const call = { id: newId("call", deps.now()), name: step.tool, arguments: input, extra: undefined };
  const vetted = await vetStep(deps, turn, offer, [call], coveredAs(run, step, bound.value.from));
  recordStep(turn.log);
  const [decided] = vetted.calls;
  if (!decided) throw new Error("the step's call was left undecided");
  const { effect, reasons, approval } = decided;
  const note = { callId: call.id, tool: call.name, effect, reasons, handshake: false, approval: approval?.id };
  recordDecisions(turn.log, [note]);
  return actOn(run, step, decided);
}

/** No call is judged: the client brings a tool of the gateway's own name, or the intent cannot be carried out. */
async function refuse({ deps, turn, plan }: PlanRun, step: KeptStep, ending: Ending): Promise<Moved> {
  const told = ending.kind === "error" ? (ending.error as { readonly message?: unknown }).message : textOf(ending);
  const fault = { code: "refused" as const, message: String(told), step: step.id };
  await deps.guard.plans.endStep({ id: plan.id, turn: turn.input.id, step: step.id, fault });
  return { reasons: [] };
}

const textOf = (ending: Exclude<Ending, { kind: "error" }>): string =>
  ending.kind === "stop" ? ending.text : ending.stopReason;
