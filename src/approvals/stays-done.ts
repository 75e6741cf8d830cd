/** Judges whether the effect of a call is permanent, so that a hasty approval cannot be taken back. Pure. */
import { authorityOf } from "../policy/origin/authority.ts";
import { toolEffects } from "../policy/origin/roles/tool-verbs.ts";
import { type Approval, holdsOrders } from "./approval.ts";

/**
 * True if the call deletes, pays, commits, gives access, runs something or sends data away; if its effect is unknown; or if a result
 * that gives orders to the model may have caused it.
 */
export function staysDone(approval: Pick<Approval, "disclosure">): boolean {
  const { disclosure } = approval;
  if (!("listed" in disclosure) || !disclosure.listed || holdsOrders(approval)) return true;
  const { category, reversible, destination } = disclosure;
  if (destination !== null) return true;
  const effects = toolEffects(disclosure.tool, disclosure.description ?? "");
  return (authorityOf({ category, class: "destructive", effects }).isGrave && !reversible) || effects.has("send");
}
