/**
 * A person's answer among the rules: what was asked and approved no longer objects, and what was never asked is not covered.
 * Pure.
 */
import { deny, type Verdict } from "../decision.ts";

/** @param asks codes of the reasons that the person was asked for. */
export function approvedVerdicts(tool: string, verdicts: readonly Verdict[], asks: ReadonlySet<string>): Verdict[] {
  const isUnasked = (verdict: Verdict) => verdict.kind === "confirm" && !asks.has(verdict.reason.code);
  const others = verdicts.filter(({ kind }) => kind !== "confirm");
  return verdicts.some(isUnasked) ? [...others, deny({ code: "approval_mismatch", tool })] : others;
}
