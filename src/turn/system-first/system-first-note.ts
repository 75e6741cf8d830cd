/** What system-first execution came to in a turn, for its record. */
import type { Turn } from "../turn.ts";
import type { DecisionNote } from "../turn-log.ts";

export interface SystemFirstNote {
  /**
   * `ran`: the call was made without the model. `asked_person`: it waits for a person. `refused`: the rules did not allow it.
   * `denied_by_person`: the person said no. `left`: the model decided after all.
   */
  readonly outcome: "ran" | "asked_person" | "refused" | "denied_by_person" | "left";
  readonly tool: string;
  /** Names of required arguments that the user's words did not give. */
  readonly missing: readonly string[];
}

/** For the record; undefined where no call of the turn was the system's to make. */
export function systemFirstNote({
  opened,
  log: { systemFirst, decisions, waiting },
}: Turn): SystemFirstNote | undefined {
  if (systemFirst) return systemFirst;
  const decided = decisions.findLast(({ madeBy }) => madeBy === "system");
  const made = decided ?? opened.runs?.find(({ madeBy }) => madeBy === "system");
  if (!made) return undefined;
  const asked = waiting.some(({ id }) => id === decided?.approval);
  const outcome = asked && decided?.effect !== "allow" ? "asked_person" : outcomeOf(decided);
  return { outcome, tool: made.tool, missing: [] };
}

/** Of a call that waits for nobody. A person's own no is no fault of what was called. */
function outcomeOf(decided: DecisionNote | undefined): "ran" | "refused" | "denied_by_person" {
  if (decided === undefined || decided.effect === "allow") return "ran";
  return decided.reasons.some(({ code }) => code === "approval_denied") ? "denied_by_person" : "refused";
}
