/** What a rule looks at, and what a rule is. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { Verdict } from "../decision.ts";
import type { Call, Facts, ToolDefinition } from "../facts.ts";
import type { ToolTraits } from "../traits.ts";

export interface Subject {
  readonly policy: CompiledPolicy;
  readonly facts: Facts;
  readonly traits: ToolTraits;
  /** The request's (or the policy's) definition; absent where there is none of that name. */
  readonly definition?: ToolDefinition;
  /** Present when a call is vetted, absent when an offer is made. */
  readonly call?: Call;
  /** What looking at the call's arguments is paid from; present with `call`. */
  readonly work?: WorkBudget;
  /** The offer as it was sent to the model; present with `call`. */
  readonly offer?: {
    readonly callable: ReadonlySet<string>;
    readonly withheld: readonly { readonly name: string }[];
  };
}

export interface Rule {
  readonly name: string;
  /** True where the verdict depends on the state or the intents held, which the handshake can change. */
  readonly ofTask?: boolean;
  readonly judge: (subject: Subject) => Verdict;
}

/**
 * The application's own `tool_choice` is not the model's doing: unless the policy says `refuse`, it needs neither the
 * handshake nor an intent. All other rules apply.
 */
export function isForced({ policy, facts, traits }: Subject): boolean {
  return facts.forcedTool === traits.name && policy.handshake.forced === "allow";
}
