/**
 * A plan: steps that call tools one after the other, made by a planning model from a user's wish. Pure data.
 * Source: reference/intent-analysis-planner.md.
 */

/** JSON without `__proto__` keys, whose numbers survive a round trip. */
export type PlanArguments = Readonly<Record<string, unknown>>;

export interface PlanStep {
  /** Letters, digits, `_` and `-`, at most 64; unique in the plan. References name it. */
  readonly id: string;
  /** What the step does, in the planner's words. For people only. */
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
  /** What the tool's JSON Schema says of its place; `{ "type": "string" }` within a longer text, or where the schema is silent. */
  readonly schema: unknown;
  /** Whether every step with it would be valid without it. */
  readonly optional: boolean;
  /** Where it stands: step and JSON pointer into the step's input. */
  readonly places: readonly { readonly step: string; readonly path: string }[];
}

/** Stable codes. */
export type PlanFaultCode =
  /** Of planning: the plan is empty. */
  | "no_tools"
  | "model_failed"
  | "not_understood"
  | "tool_unknown"
  | "arguments_invalid"
  | "reference_invalid"
  | "plan_too_large"
  | "nothing_to_do"
  /** Of a step. */
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
