/** What became of one case. */
import type { TurnExplanation } from "./explain-turn.ts";
import type { Failure } from "./failure-text.ts";

export interface CaseOutcome {
  readonly name: string;
  readonly failures: readonly Failure[];
  /** Of each turn that something failed in: what it did, and why. */
  readonly explained: readonly TurnExplanation[];
}
