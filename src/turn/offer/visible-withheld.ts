/**
 * The withheld tools that are named to the client. It knows those that it brings. Of those that the gateway runs, it hears only of tools
 * that the principal could use at all, as at `/v1/tools`: other names would show what other users may do. The record has them all. Pure.
 */
import type { WithheldTool } from "../../policy/offer.ts";
import type { Reason } from "../../policy/reasons.ts";
import { couldUse } from "../../policy/usable-tools.ts";
import type { Turn } from "../turn.ts";
import type { DecisionNote } from "../turn-log.ts";

/** Reasons that do not end with the task. */
const lasting: ReadonlySet<Reason["code"]> = new Set([
  "unlisted_tool",
  "role_forbids",
  "auth_required",
  "mode_forbids",
]);

export function visibleWithheld<T extends WithheldTool>(
  { input, principal }: Turn,
  withheld: readonly T[],
): readonly T[] {
  const { managed, policy, request, work } = input;
  if (!managed) return withheld;
  const modes = [...policy.modes.keys()];
  // The rules that are used here do not read the time.
  const asking = { principal, modes, now: 0, changedDefinitions: new Set<string>(), work };
  const isBrought = (tool: string) => request.tools.some(({ name }) => name === tool);
  return withheld.filter(
    ({ name, reasons }) =>
      !managed.names.has(name) ||
      !reasons.some(({ code }) => lasting.has(code)) ||
      isBrought(name) ||
      couldUse(policy, asking, name),
  );
}

/**
 * A model can only name tools that it was shown, or has made up; a tool that the system may not call can have a name that is not for this
 * principal.
 */
export const isVisible = (
  turn: Turn,
  { tool, effect, reasons, madeBy }: Pick<DecisionNote, "tool" | "effect" | "reasons" | "madeBy">,
): boolean => madeBy !== "system" || effect !== "deny" || visibleWithheld(turn, [{ name: tool, reasons }]).length > 0;
