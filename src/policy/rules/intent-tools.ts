/** The tool is among those of an intent held. Source: reference/intent-detection-and-safe-tools.md (INTENT_TOOL_MAP). */
import { deny, noObjection } from "../decision.ts";
import { isNarrowed, permittingIntents } from "./held-intents.ts";
import type { Rule } from "./subject.ts";

export const intentTools: Rule = {
  name: "intent-tools",
  ofTask: true,
  judge(subject) {
    const { policy, facts, traits } = subject;
    if (!isNarrowed(subject) || permittingIntents(policy, facts, traits).length > 0) return noObjection;
    return deny({ code: "intent_forbids", tool: traits.name, intents: facts.intents });
  },
};
