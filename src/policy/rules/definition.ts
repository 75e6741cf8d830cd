/**
 * The definition is the one that was accepted: the policy's where it gives `parameters`, else the one pinned for the
 * session. A definition that changes under a name is how a harmless tool becomes another after a person said yes to it.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const definition: Rule = {
  name: "definition",
  judge({ facts, traits, definition }) {
    const sent = definition?.parameters;
    const differs =
      traits.parameters !== undefined &&
      sent !== undefined &&
      sent !== null &&
      sent !== traits.parameters &&
      canonicalJson(sent) !== canonicalJson(traits.parameters);
    if (!differs && !facts.changedDefinitions.has(traits.name)) return noObjection;
    return deny({ code: "definition_changed", tool: traits.name });
  },
};
