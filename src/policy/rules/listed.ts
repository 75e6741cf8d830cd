/**
 * With `unlistedTools: "deny"` only tools that the policy lists by their own name may be used. A group does not list a tool:
 * its glob matches names that clients and MCP servers choose.
 */
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const listed: Rule = {
  name: "listed",
  judge({ policy, traits }) {
    return policy.deniesUnlisted && !traits.listed ? deny({ code: "unlisted_tool", tool: traits.name }) : noObjection;
  },
};
