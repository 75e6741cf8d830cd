/** The principal's role may use the tool. Source: reference/intent-detection-and-safe-tools.md (allowed_roles). */
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const role: Rule = {
  name: "role",
  judge({ policy, facts, traits }) {
    const { roles } = traits;
    const held = facts.principal.role;
    if (roles === undefined || (roles.includes(held) && policy.roles.includes(held))) return noObjection;
    return deny({ code: "role_forbids", tool: traits.name, role: held, roles });
  },
};
