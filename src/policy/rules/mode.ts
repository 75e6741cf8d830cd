/** The mode permits the tool: in `allow`, not in `deny`, for this role. Source: reference/proactive-tool-filtering.md. */
import { deny, noObjection } from "../decision.ts";
import { forbiddenBy, permittedBy } from "../traits.ts";
import type { Rule } from "./subject.ts";

export const mode: Rule = {
  name: "mode",
  judge({ policy, facts, traits }) {
    const held = policy.modes.get(facts.mode);
    const permits =
      held !== undefined &&
      (held.roles === undefined || held.roles.has(facts.principal.role)) &&
      permittedBy(held.allow, traits) &&
      !forbiddenBy(held.deny, traits);
    return permits ? noObjection : deny({ code: "mode_forbids", tool: traits.name, mode: facts.mode });
  },
};
