/**
 * The tool's family is allowed, or softly allowed, by an intent held. Source: reference/intent-guard.md, 6.2.
 * Soft uses pass here; they are counted for the task where the counts are (`counted.ts`).
 */
import { deny, noObjection } from "../decision.ts";
import { familyStanding, isNarrowed, permittingIntents } from "./held-intents.ts";
import type { Rule } from "./subject.ts";

export const intentFamilies: Rule = {
  name: "intent-families",
  ofTask: true,
  judge(subject) {
    const { policy, facts, traits } = subject;
    if (!isNarrowed(subject)) return noObjection;
    const intents = permittingIntents(policy, facts, traits);
    // Not among any intent's tools: that is `intent-tools`' to say.
    if (intents.length === 0) return noObjection;
    const standing = familyStanding(intents, traits);
    if (standing.verdict !== "blocked") return noObjection;
    return deny({
      code: "family_blocked",
      tool: traits.name,
      families: [...traits.families],
      intents: standing.intents,
    });
  },
};
