/** Rules about who acts: the mode of the session, the role, the sign-in and the linked providers. */
import { deny, noObjection } from "../decision.ts";
import { forbiddenBy, permittedBy } from "../traits.ts";
import type { Rule } from "./subject.ts";

/** The mode permits the tool: in `allow`, not in `deny`, for this role. Source: reference/proactive-tool-filtering.md. */
export const mode: Rule = {
  name: "mode",
  judge({ policy, facts, traits }) {
    const mode = policy.modes.get(facts.mode);
    const permits =
      mode !== undefined &&
      (mode.roles === undefined || mode.roles.has(facts.principal.role)) &&
      permittedBy(mode.allow, traits) &&
      !forbiddenBy(mode.deny, traits);
    return permits ? noObjection : deny({ code: "mode_forbids", tool: traits.name, mode: facts.mode });
  },
};

/** The role may use the tool. Source: reference/intent-detection-and-safe-tools.md (allowed_roles). */
export const role: Rule = {
  name: "role",
  judge({ policy, facts, traits }) {
    const { roles } = traits;
    const { role } = facts.principal;
    if (roles === undefined || (roles.includes(role) && policy.roles.includes(role))) return noObjection;
    return deny({ code: "role_forbids", tool: traits.name, role, roles });
  },
};

/** The user is signed in where the tool needs it. Source: reference/intent-detection-and-safe-tools.md (requires_auth). */
export const authentication: Rule = {
  name: "authentication",
  judge({ facts, traits }) {
    if (!traits.requiresAuth || facts.principal.authenticated) return noObjection;
    return deny({ code: "auth_required", tool: traits.name });
  },
};

/** The user has linked the providers that the tool works with. Source: reference/intent-analysis-planner.md. */
export const connection: Rule = {
  name: "connection",
  judge({ facts, traits }) {
    const missing = traits.connections.find((provider) => !facts.principal.connections.includes(provider));
    if (missing === undefined) return noObjection;
    return deny({ code: "connection_missing", tool: traits.name, connection: missing });
  },
};
