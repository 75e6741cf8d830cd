/**
 * Arguments can be checked against the tool's JSON Schema. A call of a tool with a broken schema would be denied whatever it
 * holds (`arguments-schema.ts`), so such a tool is not offered, and its author hears why.
 */
import { faultText, schemaFaults } from "../arguments/argument-schema.ts";
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const validSchema: Rule = {
  name: "valid-schema",
  judge({ traits, definition, work }) {
    const parameters = traits.parameters ?? definition?.parameters;
    if (parameters === undefined || parameters === null) return noObjection;
    const faults = schemaFaults(parameters, work);
    if (faults.length === 0) return noObjection;
    return deny({ code: "schema_invalid", tool: traits.name, message: faultText(faults) });
  },
};
