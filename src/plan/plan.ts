/**
 * A plan: what a planning model made of a user's wish, as steps that call tools one after the other. Pure data.
 * Source: reference/intent-analysis-planner.md.
 */

/** JSON, as it was read: no `__proto__` keys, numbers that survive a round trip. */
export type PlanArguments = Readonly<Record<string, unknown>>;

/** A step as it was planned. What it does is the tool's; `intent` says it in the planner's words, for people. */
export interface PlanStep {
  /** Letters, digits, `_` and `-`, at most 64; once in a plan. References name it. */
  readonly id: string;
  readonly intent: string;
  readonly tool: string;
  /**
   * The tool's own arguments are under `input`. Strings in them may hold `{{PLACEHOLDER_name}}`, which the user fills in, and
   * `{{step.result.path[0].field}}`, which an earlier step's result does.
   */
  readonly arguments: { readonly input: PlanArguments };
}

/** Something that the user must tell before a step can run. */
export interface Placeholder {
  readonly name: string;
  /** What the tool's JSON Schema says of its place; `{ "type": "string" }` where it stands within a longer text, or nothing does. */
  readonly schema: unknown;
  /** Whether all its places would do without: their properties are not required. */
  readonly optional: boolean;
  /** Where it stands: step and JSON pointer into its input. */
  readonly places: readonly { readonly step: string; readonly path: string }[];
}

/** Why there is no plan, or why a step cannot be run as it stands. Stable codes. */
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

export interface PlanFault {
  readonly code: PlanFaultCode;
  /** For a person: what is wrong, where, and what to do. Holds no argument values. */
  readonly message: string;
  /** The step that it is about. */
  readonly step?: string | undefined;
  /** JSON pointer into the step's input. */
  readonly path?: string | undefined;
}
