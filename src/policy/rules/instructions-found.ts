/** The rule about results that give orders to the model. Pure. */
import { confirm, noObjection } from "../decision.ts";
import { isHandoff, isOutput, type Rule } from "./rule.ts";

/**
 * Once a result of the task holds instructions to the model, a call with effects needs a person, wherever its arguments come
 * from: the text may have chosen which of the user's own values the model takes. Not what a person has answered: they saw it.
 */
export const instructionsFound: Rule = {
  name: "instructions-found",
  judge(subject) {
    const { policy, facts, traits, call } = subject;
    if (call === undefined || policy.results.instructions !== "ask" || facts.undo || facts.answered) return noObjection;
    if (traits.class === "safe" && traits.category === "read_only") return noObjection;
    if (isOutput(subject) || isHandoff(subject)) return noObjection;
    const found = facts.instructions?.();
    if (found === undefined) return noObjection;
    return confirm({ code: "instructions_found", tool: traits.name, from: found.tool, kind: found.kind });
  },
};
