/**
 * The arguments are what the tool's JSON Schema says, the policy's where it gives one.
 * A schema that cannot be checked refuses the call: running it unchecked would make a broken schema a way around this.
 */
import { compileSchema } from "../arguments/argument-schema.ts";
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

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
