/**
 * How verdicts combine. Pure.
 * Deny trumps confirm trumps allow; without a voucher: deny; a rule that throws denies (see `rules/fold.ts`).
 */
import type { Reason } from "./reasons.ts";

export type Effect = "allow" | "confirm" | "deny";

/** What one rule says of one tool or call. Only the first rule (known and offered) vouches. */
export type Verdict =
  | { readonly kind: "vouch" }
  | { readonly kind: "no_objection" }
  | { readonly kind: "confirm"; readonly reason: Reason }
  | { readonly kind: "deny"; readonly reason: Reason };

/** The effect with every reason that determined it, in the order of the rules. */
export interface Decision {
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
}

export const vouch: Verdict = { kind: "vouch" };
export const noObjection: Verdict = { kind: "no_objection" };
export const deny = (reason: Reason): Verdict => ({ kind: "deny", reason });
export const confirm = (reason: Reason): Verdict => ({ kind: "confirm", reason });

/** @param unvouched the reason to give where no rule vouched and none denied. */
export function combine(verdicts: readonly Verdict[], unvouched: Reason): Decision {
  const denials = reasonsOf("deny", verdicts);
  if (denials.length > 0) return { effect: "deny", reasons: denials };
  if (!verdicts.some((verdict) => verdict.kind === "vouch")) return { effect: "deny", reasons: [unvouched] };
  const confirms = reasonsOf("confirm", verdicts);
  return confirms.length > 0 ? { effect: "confirm", reasons: confirms } : { effect: "allow", reasons: [] };
}

/** A loop: this runs for each tool of each step, mostly to find nothing. */
function reasonsOf(kind: "deny" | "confirm", verdicts: readonly Verdict[]): Reason[] {
  const reasons: Reason[] = [];
  for (const verdict of verdicts) if (verdict.kind === kind) reasons.push(verdict.reason);
  return reasons;
}
