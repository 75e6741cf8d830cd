/**
 * Combines the verdicts of rules into a decision. Pure.
 * Deny trumps confirm trumps allow. If no rule vouches: deny. A rule that throws denies (see `rules/rule.ts`).
 */
import type { Reason } from "./reasons.ts";

export type Effect = "allow" | "confirm" | "deny";

/** The finding of one rule about one tool or call. Only the first rule (known and offered) vouches. */
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

const ALLOWED: Decision = { effect: "allow", reasons: [] };

/** @param unvouched the reason to give if no rule vouched and none denied. */
export function combine(verdicts: readonly Verdict[], unvouched: Reason): Decision {
  const decision = addVerdicts(ALLOWED, verdicts);
  if (decision.effect === "deny" || verdicts.some(({ kind }) => kind === "vouch")) return decision;
  return { effect: "deny", reasons: [unvouched] };
}

/** The decision after further rules. */
export function addVerdicts({ effect, reasons }: Decision, verdicts: readonly Verdict[]): Decision {
  const denials = reasonsOf("deny", verdicts);
  if (effect === "deny") return { effect, reasons: [...reasons, ...denials] };
  if (denials.length > 0) return { effect: "deny", reasons: denials };
  const confirms = [...reasons, ...reasonsOf("confirm", verdicts)];
  return confirms.length > 0 ? { effect: "confirm", reasons: confirms } : ALLOWED;
}

/**
 * The decision on a call that a user approved: the reasons that the user saw no longer object, all others still do.
 * @param decision not a denial. @param asks codes of the reasons that the user saw.
 */
export function afterApproval(
  tool: string,
  { reasons }: Decision,
  counted: readonly Verdict[],
  asks: ReadonlySet<string>,
): Decision {
  const isCovered = ({ code }: Reason) => asks.has(code);
  const isUncovered = ![...reasons, ...reasonsOf("confirm", counted)].every(isCovered);
  const denials = counted.filter(({ kind }) => kind === "deny");
  return addVerdicts(ALLOWED, isUncovered ? [...denials, deny({ code: "approval_mismatch", tool })] : denials);
}

/** A loop: this runs for each tool of each step, mostly to find nothing. */
function reasonsOf(kind: "deny" | "confirm", verdicts: readonly Verdict[]): Reason[] {
  const reasons: Reason[] = [];
  for (const verdict of verdicts) if (verdict.kind === kind) reasons.push(verdict.reason);
  return reasons;
}
