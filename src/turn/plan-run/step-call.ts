/** Makes the call of a plan's step: its arguments, and what UserGuard must know to decide it. Pure. */
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import { textsIn } from "../../lib/json/json-value.ts";
import { once } from "../../lib/once.ts";
import type { Result } from "../../lib/result.ts";
import { WorkSpent } from "../../lib/work-budget.ts";
import { type BoundStep, bindStep, referencesOf } from "../../plan/bind.ts";
import { type PlanFault, type PlanStep, templateDigest } from "../../plan/plan.ts";
import type { Facts } from "../../policy/facts.ts";
import type { SourceText } from "../../policy/origin/sources/sources.ts";
import { digestsOfWrite } from "../../policy/origin/sources/tainted-values.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { ApprovedStep, StoredPlan, StoredStep } from "../../ports/plans-port.ts";
import type { CallToDecide } from "../../ports/turns/decide-request.ts";
import { schemaOf } from "../call/disclose-call.ts";
import { wishHoldsUntrusted } from "../offer/offer-step.ts";
import { taintedLookup } from "../open/tainted-results.ts";
import { conversationSources, planSources } from "../step/call-sources.ts";
import { canBeReadBack } from "../step/tainted-writes.ts";
import type { Turn } from "../turn.ts";
import type { PlanRun } from "./plan-run.ts";

/** With the results of the steps before it. */
export function boundArguments({ steps, ...plan }: StoredPlan, step: PlanStep): Result<BoundStep, PlanFault> {
  const succeeded = steps.filter(({ status }) => status === "succeeded");
  return bindStep(step, { ...plan, results: new Map(succeeded.map(({ id, result }) => [id, result])) });
}

/** The final arguments of a step that needs no result; undefined if it needs one, or a value is missing. */
export function knownArguments(plan: StoredPlan, step: PlanStep): BoundStep["arguments"] | undefined {
  const bound = bindStep(step, { ...plan, results: new Map() });
  return bound.ok ? bound.value.arguments : undefined;
}

/**
 * Whether one of the results comes from an untrusted tool, from a call whose arguments did, or holds what such a call has written. A web
 * page that chooses what a trusted tool looks up has chosen what it finds.
 * @param from ids of steps.
 */
export function isTainted(turn: Turn, plan: StoredPlan, from: readonly string[]): boolean {
  const tainted = taintedSteps(turn, plan);
  return from.some((id) => tainted.has(id));
}

function taintedSteps(turn: Turn, { steps }: StoredPlan): ReadonlySet<string> {
  const stored = taintedLookup(turn);
  const isTaintedResult = (result: string | null) =>
    stored.isFull || (result !== null && stored.writerIn(result) !== undefined);
  const tainted = new Set<string>();
  for (const step of steps) {
    const isFromTainted = referencesOf(step).some((reference) => tainted.has(reference.step));
    if (!step.trusted || isFromTainted || isTaintedResult(step.result)) tainted.add(step.id);
  }
  return tainted;
}

/**
 * The sources of a step's call in a plan that no person has approved: the user's wish and the values that the user filled in, as in a chat,
 * and results of trusted tools. The planning model's own texts ground nothing.
 */
export function wishFacts(turn: Turn, plan: StoredPlan, facts: Facts): Facts {
  if (turn.input.planApproved) return facts;
  const texts = once((): readonly SourceText[] => [
    ...textsIn(plan.values).map((text) => ({ kind: "user", text }) as const),
    ...resultsOf(plan, taintedSteps(turn, plan)),
  ]);
  return {
    ...facts,
    untrustedSources: once(() => (wishHoldsUntrusted(turn) ? planSources(turn, texts(), facts.now) : undefined)),
    allSources: once(() => conversationSources(turn, facts.now, texts())),
  };
}

const resultsOf = ({ steps }: StoredPlan, tainted: ReadonlySet<string>): readonly SourceText[] =>
  steps.flatMap(({ id, tool, result }): readonly SourceText[] => {
    const trust = { whole: !tainted.has(id), fields: [] };
    return result === null ? [] : [{ kind: "result", tool, callId: id, text: result, trust }];
  });

/**
 * The sources of a tainted step's call: a value from a result that is not trusted is named in the question, as in a chat. The plan's own
 * texts, made before anything was read, and the values that the user filled in count as the user's, and so does the wish for the call.
 */
export function taintedFacts(turn: Turn, plan: StoredPlan, step: StoredStep, facts: Facts): Facts {
  const sources = once(() => {
    const tainted = taintedSteps(turn, plan);
    const own = [...textsIn(step.arguments.input).filter((text) => !text.includes("{{")), ...textsIn(plan.values)];
    const texts = [...own.map((text) => ({ kind: "user", text }) as const), ...resultsOf(plan, tainted)];
    return planSources(turn, texts, facts.now);
  });
  return { ...facts, tainted: true, selectedAfterUntrusted: new Set(), untrustedSources: sources };
}

/** The step with its schema's defaults: a person who approves the template approves these too. */
export function filledTemplate(turn: Turn, step: PlanStep): PlanStep {
  const schema = schemaOf(turn, step.tool);
  if (schema === null) return step;
  try {
    return { ...step, arguments: { input: fillDefaults(schema, step.arguments.input, turn.input.work) } };
  } catch (error) {
    // Vetting has the same budget, and refuses the step.
    if (error instanceof WorkSpent) return step;
    throw error;
  }
}

type AnnotateCall = (call: CallToDecide) => CallToDecide;

/** Adds the plan's step to a call, with what the call writes of tainted results. An approval of the whole plan does not cover it. */
export const annotateStepCall =
  ({ turn, plan }: PlanRun, step: StoredStep): AnnotateCall =>
  (call) => ({
    ...call,
    madeBy: "plan",
    plan: { id: plan.id, step: step.id, trusted: traitsOf(turn.input.policy, call.tool).trusted },
    ...writesOfStep(turn, plan, step, call),
  });

/** The plan's own texts and the values that the user filled in are the user's; every other text of the call came from a result. */
function writesOfStep(
  turn: Turn,
  plan: StoredPlan,
  step: StoredStep,
  call: CallToDecide,
): Pick<CallToDecide, "writes"> {
  const { policy } = turn.input;
  if (call.effect === "deny" || call.handshake || !canBeReadBack(policy, call.tool)) return {};
  const from = referencesOf(step).map((reference) => reference.step);
  if (!isTainted(turn, plan, from)) return {};
  const own = new Set([...textsIn(step.arguments.input), ...textsIn(plan.values)]);
  const writes = digestsOfWrite(textsIn(JSON.parse(call.arguments)).filter((text) => !own.has(text)));
  return writes.length > 0 ? { writes } : {};
}

/** As `annotateStepCall`, and also what an approval of the whole plan must have named. @param from steps whose results the call holds. */
export function annotateCoveredCall(run: PlanRun, step: StoredStep, from: readonly string[]): AnnotateCall {
  const annotate = annotateStepCall(run, step);
  return (call) => {
    const { plan, ...annotated } = annotate(call);
    const covered = coverOf(run, step, from, call);
    return { ...annotated, plan: plan && covered ? { ...plan, covered } : plan };
  };
}

/**
 * The approved step that covers the call. If the step uses results, the person saw only the template: it covers the call if no result is
 * tainted.
 */
function coverOf(
  { turn, plan }: PlanRun,
  step: StoredStep,
  from: readonly string[],
  { digest }: CallToDecide,
): ApprovedStep | undefined {
  if (digest === null) return undefined;
  if (from.length === 0) return { call: digest };
  if (isTainted(turn, plan, from)) return undefined;
  return { template: templateDigest(filledTemplate(turn, step), plan.values) };
}
