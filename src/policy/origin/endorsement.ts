/**
 * Endorsement: a user lets the rest of the task use the values of one result. Pure.
 *
 * It is bound to the digest of the result's text, so another text under the same call id is not endorsed. It never covers a call
 * whose effect cannot simply be undone, nor an amount: there each value needs a question. A text that gives orders to the model is
 * not offered: the user could let an attacker's values pass unseen.
 */
import type { Authority } from "./authority.ts";
import type { EndorsableSource } from "./origin-types.ts";
import type { ArgumentRole } from "./roles/roles.ts";
import type { UntrustedPlace } from "./sources/sources.ts";

/** Whether an endorsement counts for such an argument of such a call. */
export const coversArgument = ({ isGrave }: Pick<Authority, "isGrave">, role: ArgumentRole): boolean =>
  !isGrave && role !== "amount";

export interface UngroundedValue {
  readonly role: ArgumentRole;
  /** Undefined if no result holds it. */
  readonly place: UntrustedPlace | undefined;
}

/**
 * Undefined unless all ungrounded values are whole values of one result of a known tool: users must see what they endorse, and the
 * endorsement must ground the very call in question.
 */
export function endorsableSource(
  authority: Pick<Authority, "isGrave">,
  values: readonly UngroundedValue[],
): EndorsableSource | undefined {
  const place = values[0]?.place;
  if (place === undefined || place.tool === "") return undefined;
  if (place.instruction?.() !== undefined) return undefined;
  const { tool, callId, digest } = place;
  const isOfIt = (one: UngroundedValue) =>
    one.place?.isWhole === true && one.place.digest === digest && one.place.callId === callId;
  if (!values.every((one) => isOfIt(one) && coversArgument(authority, one.role))) return undefined;
  return { tool, callId, digest };
}
