/** The user has linked the provider that the tool works with. Source: reference/intent-analysis-planner.md. */
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const connection: Rule = {
  name: "connection",
  judge({ facts, traits }) {
    const missing = traits.connections.find((provider) => !facts.principal.connections.includes(provider));
    if (missing === undefined) return noObjection;
    return deny({ code: "connection_missing", tool: traits.name, connection: missing });
  },
};
