/**
 * A plan: steps that call tools one after the other, made by a planning model from a user's wish. Pure data.
 * Source: reference/intent-analysis-planner.md.
 */
import { sha256Hex } from "../lib/digest.ts";
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { UsableTool } from "../policy/usable-tools.ts";
import { templatePlaces } from "./template.ts";

/** JSON without `__proto__` keys, whose numbers survive a round trip. */
export type PlanArguments = Readonly<Record<string, unknown>>;

export interface PlanStep {
  /** Letters, digits, `_` and `-`, at most 64; unique in the plan. References name it. */
  readonly id: string;
  /** What the step does, in the planner's words. Display only. */
  readonly intent: string;
  readonly tool: string;
  /**
   * The tool's own arguments are under `input`. Strings in them may hold `{{PLACEHOLDER_name}}`, which the user fills in, and
   * `{{step.result.path[0].field}}`, which an earlier step's result fills in.
   */
  readonly arguments: { readonly input: PlanArguments };
}

/** A value that the user must give before a step can run. */
export interface Placeholder {
  readonly name: string;
  /** The tool's JSON Schema for its position; `{ "type": "string" }` within a longer text, or if the schema does not describe it. */
  readonly schema: unknown;
  /** Whether every step with it would be valid without it. */
  readonly optional: boolean;
  /** Its positions: step and JSON pointer into the step's input. */
  readonly places: readonly { readonly step: string; readonly path: string }[];
}

/** Stable codes. */
export type PlanFaultCode =
  /** Planning failed: the plan is empty. */
  | "no_tools"
  | "model_failed"
  | "not_understood"
  | "tool_unknown"
  | "arguments_invalid"
  | "reference_invalid"
  | "plan_too_large"
  | "nothing_to_do"
  /** A step failed or cannot run. */
  | "reference_unresolved"
  | "refused"
  | "tool_failed"
  | "outcome_unknown"
  | "approval_denied"
  | "approval_expired"
  | "client_failed"
  | "abandoned";

/** Why there is no plan, or why a step cannot run or failed. */
export interface PlanFault {
  readonly code: PlanFaultCode;
  /** For a person: what is wrong, where, and what to do. Holds no argument values. */
  readonly message: string;
  readonly step?: string | undefined;
  /** JSON pointer into the step's input. */
  readonly path?: string | undefined;
}

interface ShownPlan {
  readonly id: string;
  readonly steps: readonly PlanStep[];
  /** By placeholder. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Digest of the plan as the user sees it: its steps in order with their intents, and the values.
 * @param policy digest of the document in force: it decides what is shown of a step (where data goes, a schema's defaults).
 */
export function planDigest({ id, steps, values }: ShownPlan, policy: string): string {
  const shown = steps.map((step) => ({ id: step.id, intent: step.intent, tool: step.tool, arguments: step.arguments }));
  return sha256Hex(canonicalJson({ digest: "toolgate-plan-1", id, policy, steps: shown, values }));
}

/** Digest of a step before its results are known: the tool, the planned arguments, and the values for them. */
export function templateDigest(step: Pick<PlanStep, "tool" | "arguments">, values: ShownPlan["values"]): string {
  const names = templatePlaces(step.arguments.input).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "placeholder" && Object.hasOwn(values, part.name) ? [part.name] : [])),
  );
  const filled = Object.fromEntries(names.map((name) => [name, values[name]]));
  return sha256Hex(
    canonicalJson({ digest: "toolgate-step-1", tool: step.tool, arguments: step.arguments, values: filled }),
  );
}

export interface PlanTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly category: string;
  /** JSON Schema of its arguments, as offered; absent: any object. */
  readonly parameters?: unknown;
  /** The host that its arguments are sent to. */
  readonly destination?: string | undefined;
  /** The providers that the user must have linked. */
  readonly connections: readonly string[];
}

/** By name. A map, because clients choose the names. */
export type PlanTools = ReadonlyMap<string, PlanTool>;

function planToolOf({ definition, traits }: Pick<UsableTool, "definition" | "traits">): PlanTool {
  return {
    name: definition.name,
    description: traits.description ?? definition.description,
    category: traits.category,
    parameters: traits.parameters ?? definition.parameters ?? undefined,
    destination: traits.destination,
    connections: traits.connections,
  };
}

/** The tools whose providers the user has linked. */
export function planToolsOf(usable: readonly UsableTool[]): PlanTools {
  const ready = usable.filter(({ missing }) => missing.length === 0);
  return new Map(ready.map((tool) => [tool.definition.name, planToolOf(tool)]));
}
