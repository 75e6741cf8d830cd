/** Before an intent stands only safe tools may be used. Source: reference/proactive-tool-filtering.md, FR-002. */
import { deny, noObjection } from "../decision.ts";
import { needsNoIntent, type Rule } from "./subject.ts";

export const state: Rule = {
  name: "state",
  ofTask: true,
  judge(subject) {
    const { facts, traits } = subject;
    if (facts.state === "action" || traits.class === "safe" || needsNoIntent(subject)) return noObjection;
    return deny({ code: "state_forbids", tool: traits.name, state: facts.state });
  },
};
