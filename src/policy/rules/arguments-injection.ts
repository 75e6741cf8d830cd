/** The arguments carry no pattern of the sets that are on for this tool. Source: reference/human-centered-tool-calling.md. */

import { findInjection } from "../arguments/injection.ts";
import { confirm, deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const argumentsInjection: Rule = {
  name: "arguments-injection",
  judge({ policy, traits, call, work }) {
    if (call === undefined) return noObjection;
    const hit = findInjection(call.arguments, traits.injection, policy.injection.custom, work);
    if (hit === undefined) return noObjection;
    const reason = { code: "arguments_suspicious", tool: traits.name, set: hit.set, path: hit.path } as const;
    return traits.injection.action === "deny" ? deny(reason) : confirm(reason);
  },
};
