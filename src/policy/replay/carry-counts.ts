/**
 * Carries the recorded counts over to a decision under another policy. Nothing can be counted anew: a rate limit that was met then is met under
 * another policy with the same limit, a consent or a grant that was valid then is valid, and only the other policy's new questions are asked. Pure.
 */
import { addVerdicts, confirm, type Decision, deny, type Verdict } from "../decision.ts";
import type { CountedChecks } from "../facts.ts";
import type { Reason } from "../reasons.ts";
import type { PureDecision } from "../vet.ts";

export interface KnownCounts extends Decision {
  /** The counts for the decision; undefined if the pure rules denied. */
  readonly counted: CountedChecks | undefined;
}

/** @param known the decision that was made. */
export function applyRecordedCounts(tool: string, next: PureDecision, known: KnownCounts): Decision {
  if (next.effect === "deny") return next;
  const { gate, confirmation } = next.counted;
  const has = (code: Reason["code"]) => known.reasons.some((reason) => reason.code === code);
  // If a limit denied, nothing else was counted.
  const passed = known.effect !== "deny" && known.counted !== undefined;
  const verdicts: Verdict[] = known.reasons.filter((reason) => isSameLimit(next.counted, reason)).map(deny);
  const consented = passed && known.counted?.gate !== undefined && !has("first_use");
  if (gate && !consented) {
    const object = known.effect === "deny" && has("first_use") ? deny : confirm;
    verdicts.push(object({ code: "first_use", tool }));
  }
  const granted = passed && known.counted?.confirmation !== undefined && !has("confirmation_required");
  if (confirmation && !granted) verdicts.push(confirm({ code: "confirmation_required", tool }));
  return addVerdicts(next, verdicts);
}

function isSameLimit({ windows, limits = [], soft }: CountedChecks, reason: Reason): boolean {
  switch (reason.code) {
    case "rate_limited":
      return windows.some(({ max, windowMs }) => max === reason.max && windowMs === reason.windowMs);
    case "at_most_reached":
      return limits.some(({ per, max }) => per === reason.per && max === reason.max);
    case "soft_limit_reached":
      return soft?.max === reason.max;
    default:
      return false;
  }
}
