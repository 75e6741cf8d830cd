/** What the tenant's candidate would have made of a turn, for its record. */
import { describeError, log } from "../../lib/log.ts";
import type { CandidateAccount } from "../../ports/turns/turn-account.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";

/** Differences that a turn's record holds, of calls and of tools each. */
const MAX_NOTED = 50;

/** Never throws: a candidate that fails costs no record. */
export function candidateAccount({ candidate }: TurnDeps, turn: Turn): CandidateAccount | undefined {
  try {
    const policy = candidate?.();
    if (!policy) return undefined;
    const steps = turn.log.judges.map((judge) => judge(policy));
    const sum = (count: (step: (typeof steps)[number]) => number) => steps.reduce((all, step) => all + count(step), 0);
    const unjudged = sum((step) => step.unjudged);
    // Later steps offer the same tools, or those of an intent that the first one led to.
    const [first] = steps;
    return {
      policy: policy.version,
      judged: sum((step) => step.judged),
      ...(unjudged > 0 ? { unjudged } : {}),
      calls: steps.flatMap(({ calls }) => calls).slice(0, MAX_NOTED),
      offered: (first?.offered ?? []).slice(0, MAX_NOTED),
      withheld: (first?.withheld ?? []).slice(0, MAX_NOTED),
    };
  } catch (error) {
    log("error", "candidate_not_asked", { turn: turn.input.id, ...describeError(error) });
    return undefined;
  }
}
