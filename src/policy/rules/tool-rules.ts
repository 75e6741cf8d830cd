/** Rules about the tool itself: whether it is known, offered, listed and the one that was accepted. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { faultText, schemaFaults } from "../arguments/argument-schema.ts";
import { deny, noObjection, vouch } from "../decision.ts";
import type { Rule } from "./subject.ts";

/**
 * The tool is known and was offered. This is the only rule that vouches.
 * It looks at the offer as it was sent: a call of a tool that the model was not shown (made up, remembered from an earlier
 * turn, or read in a web page) finds no voucher.
 */
export const knownAndOffered: Rule = {
  name: "known-and-offered",
  judge({ policy, traits: { name }, definition, call, offer }) {
    // A client tool with the handshake's name would get the handshake's calls, or the other way round.
    if (policy.handshake.select !== "off" && name === policy.handshake.tool)
      return deny({ code: "not_offered", tool: name });
    if (call === undefined) return definition ? vouch : deny({ code: "unknown_tool", tool: name });
    if (offer?.callable.has(name) && definition) return vouch;
    // Defined and not callable: the client's own `tool_choice` excluded it, or a rule withheld it.
    const defined = definition !== undefined || offer?.withheld.some((tool) => tool.name === name);
    return deny({ code: defined ? "not_offered" : "unknown_tool", tool: name });
  },
};

/**
 * With `unlistedTools: "deny"` a tool needs an entry under its own name. A group does not list a tool: clients and MCP
 * servers choose the names that its glob matches.
 */
export const listed: Rule = {
  name: "listed",
  judge({ policy, traits }) {
    return policy.deniesUnlisted && !traits.listed ? deny({ code: "unlisted_tool", tool: traits.name }) : noObjection;
  },
};

/**
 * The definition is the accepted one: the policy's where it gives `parameters`, else the one pinned for the session.
 * A definition that changes under its name turns a harmless tool into another after a person agreed to it.
 */
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

/**
 * The tool has a JSON Schema that arguments can be checked against. Every call of a tool with a broken schema is denied
 * (`argumentsSchema`), so such a tool is not offered, and the reason tells its author.
 */
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
