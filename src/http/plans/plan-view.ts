/**
 * A plan as its user reads it. Pure. Arguments and what is filled in are told without what the policy redacts, as everywhere;
 * what steps brought is the user's own, within bounds.
 */
import { disclosureText } from "../../approvals/disclosure-text.ts";
import { redactArguments } from "../../lib/redact.ts";
import type { Placeholder } from "../../plan/plan.ts";
import { planDigest } from "../../plan/plan-digest.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { Foreseen } from "../../turn/plan-run/foresee.ts";
import type { KeptPlan, KeptStep } from "../../turn/plans-port.ts";
import type { JsonObject } from "../../wire/read-chunk.ts";

/** UTF-16 units of a step's result that are told; of a longer one it is told that there is one. */
const MAX_TOLD = 32 * 1024;

export interface PlanSeen {
  /** With the tools of MCP servers. */
  readonly policy: CompiledPolicy;
  /** Names of the tools that Toolgate runs itself. */
  readonly managed: ReadonlySet<string>;
  /** By step, of those that are still to come; absent in lists. */
  readonly foreseen?: ReadonlyMap<string, Foreseen> | undefined;
}

export function planView(plan: KeptPlan, seen: PlanSeen): JsonObject {
  const { approved } = plan;
  return {
    object: "plan",
    id: plan.id,
    created_at: iso(plan.createdAt),
    updated_at: iso(plan.updatedAt),
    expires_at: iso(plan.expiresAt),
    status: plan.status,
    input: plan.input,
    model: plan.model === "" ? null : plan.model,
    mode: plan.mode ?? null,
    steps: plan.steps.map((step, index) => stepView(step, plan, seen, index)),
    placeholders: plan.placeholders.map((one) => placeholderView(one, plan, seen)),
    digest: planDigest(plan, seen.policy.version),
    approved: approved && {
      at: iso(approved.at),
      by: approved.by,
      via: approved.via,
      digest: approved.digest,
      /** Under another policy it holds no more: each call is asked about again. */
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
  step: KeptStep,
  plan: KeptPlan,
  { policy, managed, foreseen }: PlanSeen,
  index = plan.steps.findIndex(({ id }) => id === step.id),
): JsonObject {
  const traits = traitsOf(policy, step.tool);
  const coming = foreseen?.get(step.id);
  return {
    id: step.id,
    step_number: index + 1,
    total_steps: plan.steps.length,
    intent: step.intent,
    tool: step.tool,
    arguments: { input: redactArguments(step.arguments.input, traits.redact) },
    status: step.status,
    managed: managed.has(step.tool),
    reversible: traits.reversible,
    ...(foreseen ? { asks: coming?.asks ?? [], disclosure: told(coming) } : {}),
    approval_id: step.approval,
    decision_id: step.decision,
    ...resultOf(step),
    error: step.fault,
    started_at: step.startedAt === null ? null : iso(step.startedAt),
    ended_at: step.endedAt === null ? null : iso(step.endedAt),
    tries: step.tries,
  };
}

const told = (coming: Foreseen | undefined): string | null =>
  coming?.disclosure ? disclosureText(coming.disclosure) : null;

function resultOf({ status, result }: KeptStep): JsonObject {
  if (status !== "succeeded" || result === null) return { result: null };
  if (result.length > MAX_TOLD) return { result: null, result_characters: result.length };
  try {
    return { result: JSON.parse(result) as unknown };
  } catch {
    return { result };
  }
}

function placeholderView(one: Placeholder, plan: KeptPlan, { policy }: PlanSeen): JsonObject {
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

/** Whether a place of it is one whose value the policy does not tell. */
function isRedacted({ places }: Placeholder, { steps }: KeptPlan, policy: CompiledPolicy): boolean {
  return places.some(({ step: id, path }) => {
    const step = steps.find((one) => one.id === id);
    if (!step) return true;
    const { input } = step.arguments;
    const told = redactArguments(input, traitsOf(policy, step.tool).redact);
    return valueAt(told, path) !== valueAt(input, path);
  });
}

/** Texts alone are compared: where one is redacted, or something above it, there is another or none. */
function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const part of path.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as JsonObject)[key];
  }
  return at;
}

const iso = (ms: number): string => new Date(ms).toISOString();
