/**
 * The rules that need counts: rate limit, first-time gate, confirmation, soft limit. Pure. The caller reads the counts and
 * reserves the use in one transaction, so that two parallel turns cannot both spend the last use.
 */
import { addVerdicts, confirm, type Decision, deny, type Verdict } from "../decision.ts";
import type { CountedChecks } from "../facts.ts";

export interface CountedFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** As `checks.windows`, one for one. */
  readonly windows: readonly {
    readonly used: number;
    /** When the window has room again, ms since the epoch. */
    readonly freesAt: number;
  }[];
  /** Uses so far, as `checks.limits`, one for one. */
  readonly limits: readonly number[];
  /** The user has consented to this tool. */
  readonly gateOpen: boolean;
  /** Soft uses in the task so far. */
  readonly softUses: number;
  /** The user can be asked about this call, and it waits for the answer. */
  readonly askable: boolean;
  /** A grant of the user covers the call. */
  readonly granted: boolean;
}

/** @returns the objections only; none means that the use may be reserved. */
export function countedVerdicts(tool: string, checks: CountedChecks, facts: CountedFacts): Verdict[] {
  const verdicts: Verdict[] = [];
  checks.windows.forEach(({ key, max, windowMs }, index) => {
    const window = facts.windows[index];
    // A window that was not read counts as full.
    if (window !== undefined && window.used < max) return;
    const wait = max > 0 && window !== undefined ? window.freesAt - facts.now : windowMs;
    const retryAfterMs = Math.max(1, Math.ceil(wait));
    const shared = key === `tool:${tool}` ? {} : { shared: key };
    verdicts.push(deny({ code: "rate_limited", tool, max, windowMs, retryAfterMs, ...shared }));
  });
  checks.limits?.forEach(({ per, max }, index) => {
    // A limit that was not read counts as met.
    if ((facts.limits[index] ?? max) >= max) verdicts.push(deny({ code: "at_most_reached", tool, per, max }));
  });
  const { gate, soft, confirmation } = checks;
  if (soft && facts.softUses >= soft.max) verdicts.push(deny({ code: "soft_limit_reached", tool, ...soft }));
  if (gate && !facts.gateOpen) {
    // If the user cannot be asked, the consent is given elsewhere for the tool, and the model calls again.
    const object = facts.askable ? confirm : deny;
    verdicts.push(object({ code: "first_use", tool }));
  }
  if (confirmation && !facts.granted) verdicts.push(confirm({ code: "confirmation_required", tool }));
  return verdicts;
}

/**
 * The decision with the counts, and whether to ask the user. If the user cannot be asked, the gate denies instead.
 * @param mayAsk called only if the call needs a question.
 */
export function decideCounted(
  pure: Decision,
  verdicts: (askable: boolean) => readonly Verdict[],
  mayAsk: () => boolean,
): { readonly decision: Decision; readonly ask: boolean } {
  const asking = addVerdicts(pure, verdicts(true));
  if (asking.effect === "confirm" && mayAsk()) return { decision: asking, ask: true };
  return { decision: addVerdicts(pure, verdicts(false)), ask: false };
}
