/** Whether a write's condition holds of the version in force. Pure. */
import type { PolicyCondition } from "../../ports/policy-ledger-port.ts";

/** @param inForce digest of the tenant's own policy; null where the embedded one serves, which no tag names. */
export function meetsCondition({ match, noneMatch }: PolicyCondition, inForce: string | null): boolean {
  const among = (tags: readonly string[] | "any") => inForce !== null && (tags === "any" || tags.includes(inForce));
  return (match === undefined || among(match)) && (noneMatch === undefined || !among(noneMatch));
}
