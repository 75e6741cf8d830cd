/** The type of a rule, and the subject that it judges. Pure. */
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import { combine, type Decision, deny, type Verdict } from "../decision.ts";
import type { Call, Facts, ToolDefinition } from "../facts.ts";
import type { Reason } from "../reasons.ts";
import { selectsAny } from "../selectors.ts";
import type { ToolTraits } from "../traits.ts";

export interface Subject {
  readonly policy: CompiledPolicy;
  readonly facts: Facts;
  readonly traits: ToolTraits;
  /** The request's (or the policy's) definition; absent if there is none of that name. */
  readonly definition?: ToolDefinition;
  /** Present when a call is vetted, absent when an offer is made. */
  readonly call?: Call;
  /** Pays for reading schemas and arguments. */
  readonly work: WorkBudget;
  /** The offer as it was sent to the model; present with `call`. */
  readonly offer?: {
    readonly callable: ReadonlySet<string>;
    readonly withheld: readonly { readonly name: string }[];
  };
}

export interface Rule {
  readonly name: string;
  /** The verdict depends on the state or the intents of the task, which the handshake can change. */
  readonly dependsOnTask?: boolean;
  readonly judge: (subject: Subject) => Verdict;
}

/**
 * The application's own `tool_choice` is not the model's choice: unless the policy says `refuse`, it needs neither the
 * handshake nor an intent. All other rules apply.
 */
function isForced({ policy, facts, traits }: Subject): boolean {
  return facts.forcedTool === traits.name && policy.handshake.forced === "allow";
}

/**
 * Structured output: libraries demand it as a call of a tool of their own. The policy does not list the tool, and no MCP
 * server has it, so only the application reads the arguments.
 */
export const isOutput = (subject: Subject): boolean =>
  isForced(subject) && subject.facts.undo === undefined && isClientsOwn(subject);

/**
 * A hand-off to another agent of the same application. The policy names such tools with a glob, and the client chooses names:
 * so only a tool without arguments counts.
 */
export const isHandoff = (subject: Subject): boolean =>
  isClientsOwn(subject) &&
  selectsAny(subject.policy.handoffs, subject.traits) &&
  takesNothing(subject.definition?.parameters);

/** Calls that need neither the handshake nor an intent. */
export const needsNoIntent = (subject: Subject): boolean => isForced(subject) || isHandoff(subject);

const isClientsOwn = ({ policy, traits }: Subject): boolean =>
  !traits.listed && policy.discovered?.has(traits.name) !== true;

const harmless: ReadonlySet<string> = new Set(["$schema", "title", "description", "type", "properties", "required"]);

function takesNothing(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { additionalProperties, properties = {}, ...others } = schema as Record<string, unknown>;
  const isEmpty = typeof properties === "object" && properties !== null && Object.keys(properties).length === 0;
  return additionalProperties === false && isEmpty && Object.keys(others).every((key) => harmless.has(key));
}

/** Every rule judges, so that a decision names every reason, not only the first. */
export function judgeAll(rules: readonly Rule[], subject: Subject): readonly Verdict[] {
  return rules.map((rule) => judge(rule, subject));
}

export function foldRules(rules: readonly Rule[], subject: Subject): Decision {
  return decide(judgeAll(rules, subject), subject);
}

export function decide(verdicts: readonly Verdict[], subject: Subject): Decision {
  return combine(verdicts, { code: "not_offered", tool: subject.traits.name });
}

/** Fails closed: a rule that throws denies. Skipping it (as some policy engines do) would let an error allow. */
function judge(rule: Rule, subject: Subject): Verdict {
  try {
    return rule.judge(subject);
  } catch (error) {
    if (error instanceof WorkSpent) return deny(tooCostly(subject.traits.name, error));
    return deny({ code: "rule_failed", rule: rule.name });
  }
}

export const tooCostly = (tool: string, { message }: WorkSpent): Reason => ({
  code: "arguments_invalid",
  tool,
  issues: [{ path: "", message }],
});
