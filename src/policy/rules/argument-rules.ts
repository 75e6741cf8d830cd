/** Rules about the arguments of a call. They have no objection to an offer. */
import { findAmbiguity } from "../../lib/json/find-ambiguity.ts";
import { compileSchema } from "../arguments/argument-schema.ts";
import { findInjection } from "../arguments/injection.ts";
import { confirm, deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

/**
 * Every reader takes the arguments for the same value. We judge what our reader reads, the client's tool runs what its own
 * reads: beside `path`, which was judged, a reader that ignores case would take `Path`.
 */
export const argumentsUnambiguous: Rule = {
  name: "arguments-unambiguous",
  judge({ traits, call, work }) {
    const issue = call && findAmbiguity(call.arguments, work);
    return issue ? deny({ code: "arguments_invalid", tool: traits.name, issues: [issue] }) : noObjection;
  },
};

/**
 * The arguments match the tool's JSON Schema, the policy's where it gives one.
 * A schema that cannot be checked denies the call: otherwise a broken schema would be a way around this rule.
 */
export const argumentsSchema: Rule = {
  name: "arguments-schema",
  judge({ traits, definition, call, work }) {
    const parameters = traits.parameters ?? definition?.parameters;
    if (call === undefined || parameters === undefined || parameters === null) return noObjection;
    const schema = compileSchema(parameters, work);
    const issues = schema.ok ? schema.value.validate(call.arguments, work) : [{ path: "", message: schema.error }];
    return issues.length === 0 ? noObjection : deny({ code: "arguments_invalid", tool: traits.name, issues });
  },
};

/** The arguments match no injection pattern of the tool's sets. Source: reference/human-centered-tool-calling.md. */
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
