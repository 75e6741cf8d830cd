/** What became of one case. */
import type { Failure } from "./failure-text.ts";

export interface CaseOutcome {
  readonly name: string;
  readonly failures: readonly Failure[];
}
