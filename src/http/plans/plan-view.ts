/**
 * A plan as its user reads it. Pure. While it may be approved as a whole, the user sees what they would approve, without what the
 * policy hides from approvers; all other views leave out what the policy redacts, as records do. The steps' results are the user's
 * own, within bounds.
 */

import { describeApproval, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { parseExact } from "../../lib/json/exact-json.ts";
import { isObject, type JsonObject, pointerKeys, valueAt } from "../../lib/json/json-value.ts";
import { redactArguments } from "../../lib/redact.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import { type Placeholder, planDigest } from "../../plan/plan.ts";
import { isTemplate } from "../../plan/template.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import { awaitsApproval, type StoredPlan, type StoredStep } from "../../ports/plans-port.ts";
import type { StepPreview } from "../../turn/plan-run/preview-steps.ts";
import type { ReleasedCall } from "../../wire/call-parts.ts";
import { type OpenParts, waitsFor } from "./plan-context.ts";

/** UTF-16 units of a step's result in a view; only the length of a longer one is shown. */
const MAX_REPORTED = 32 * 1024;

export interface PlanViewContext {
  /** With the tools of MCP servers. */
  readonly policy: CompiledPolicy;
  /** Names of the tools that Toolgate runs itself. */
  readonly managed: ReadonlySet<string>;
  /** By step, for those that are still to come; absent in lists. */
  readonly previews?: ReadonlyMap<string, StepPreview> | undefined;
  /** As far as it is known. */
  readonly open?: OpenParts | undefined;
}

export function planView(plan: StoredPlan, seen: PlanViewContext): JsonObject {
  const { approved } = plan;
  return {
    object: "plan",
    id: plan.id,
    created_at: isoTime(plan.createdAt),
    updated_at: isoTime(plan.updatedAt),
    expires_at: isoTime(plan.expiresAt),
    status: plan.status,
    waits_for: waitsFor(plan, seen.open),
    input: plan.input,
    model: plan.model === "" ? null : plan.model,
    mode: plan.mode ?? null,
    steps: plan.steps.map((step, index) => stepView(step, plan, seen, index)),
    placeholders: plan.placeholders.map((one) => placeholderView(one, plan, seen)),
    digest: planDigest(plan, seen.policy.version),
    approved: approved && {
      at: isoTime(approved.at),
      by: approved.by,
      via: approved.via,
      digest: approved.digest,
      /** Void under another policy: each call then needs its own confirmation. */
      in_force: approved.policy === seen.policy.version,
    },
    error: plan.fault,
    model_calls: plan.modelCalls,
    usage: plan.usage,
    session_id: plan.session,
  };
}

/** @param index of the step in its plan. */
export function stepView(
  step: StoredStep,
  plan: StoredPlan,
  seen: PlanViewContext,
  index = plan.steps.findIndex(({ id }) => id === step.id),
): JsonObject {
  const traits = traitsOf(seen.policy, step.tool);
  return {
    id: step.id,
    step_number: index + 1,
    total_steps: plan.steps.length,
    intent: step.intent,
    tool: step.tool,
    /** As they were planned, with their templates. */
    arguments: { input: redactArguments(step.arguments.input, hiddenIn(plan, seen.policy, traits), isTemplate) },
    /** As they were called, or as the question has them: inserted, filled in, edited. */
    bound_arguments: isObject(step.recorded) ? { input: redactArguments(step.recorded, traits.redact) } : null,
    status: step.status,
    managed: seen.managed.has(step.tool),
    reversible: traits.reversible,
    ...question(step, seen),
    ...released(step, seen),
    approval_id: step.approval,
    decision_id: step.decision,
    ...resultOf(step),
    error: step.fault,
    started_at: isoTimeOrNull(step.startedAt),
    ended_at: isoTimeOrNull(step.endedAt),
    tries: step.tries,
  };
}

const hiddenIn = (
  plan: StoredPlan,
  policy: CompiledPolicy,
  { redact, hideFromApprover }: ToolTraits,
): readonly string[] => (awaitsApproval(plan, policy) ? hideFromApprover : redact);

/** The question about it, now or if it were run now. */
function question({ id, status }: StoredStep, { previews, open }: PlanViewContext): JsonObject {
  const waiting = status === "waiting" ? open?.approvals.get(id) : undefined;
  if (waiting) return { asks: waiting.asks, disclosure: disclosureText(describeApproval(waiting, "whole")) };
  const preview = previews?.get(id);
  if (!preview) return previews ? { asks: [], disclosure: null } : {};
  return { asks: preview.asks, disclosure: preview.disclosure ?? null };
}

/** The call that the client is to run, as it was decided: the client may have lost the reply that released it. */
function released({ id, status }: StoredStep, { open }: PlanViewContext): JsonObject {
  if (status !== "released") return { tool_call: null };
  const call = open?.calls.get(id);
  return open ? { tool_call: call ? callView(call) : null } : {};
}

export const callView = ({ id, tool, arguments: args }: ReleasedCall): JsonObject => ({
  id,
  type: "function",
  function: { name: tool, arguments: args },
});

function resultOf({ status, result }: StoredStep): JsonObject {
  if (status !== "succeeded" || result === null) return { result: null };
  if (result.length > MAX_REPORTED) return { result: null, result_characters: result.length };
  try {
    return { result: parseExact(result) };
  } catch {
    return { result };
  }
}

function placeholderView(one: Placeholder, plan: StoredPlan, { policy }: PlanViewContext): JsonObject {
  const { name, schema, optional, places } = one;
  return {
    name,
    schema,
    required: !optional,
    places,
    ...(Object.hasOwn(plan.values, name)
      ? { value: isRedacted(one, plan, policy) ? "[redacted]" : plan.values[name] }
      : {}),
  };
}

/** Whether the policy redacts the value at one of its places. */
function isRedacted({ places }: Placeholder, plan: StoredPlan, policy: CompiledPolicy): boolean {
  return places.some(({ step: id, path }) => {
    const step = plan.steps.find((one) => one.id === id);
    if (!step) return true;
    const { input } = step.arguments;
    const redacted = redactArguments(input, hiddenIn(plan, policy, traitsOf(policy, step.tool)));
    // Only texts are compared: if one is redacted, or something above it, the text differs or is missing.
    const keys = pointerKeys(path);
    return valueAt(redacted, keys) !== valueAt(input, keys);
  });
}
