/** The tool is for known people only. Source: reference/intent-detection-and-safe-tools.md (requires_auth). */
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const authentication: Rule = {
  name: "authentication",
  judge({ facts, traits }) {
    if (!traits.requiresAuth || facts.principal.authenticated) return noObjection;
    return deny({ code: "auth_required", tool: traits.name });
  },
};
