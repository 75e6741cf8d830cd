/** All pure rules. Source of each: the document of `reference/` that its comment names. */

import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { findAmbiguity } from "../../lib/json/find-ambiguity.ts";
import { compileSchema, faultText, schemaFaults } from "../arguments/argument-schema.ts";
import { findInjection } from "../arguments/injection.ts";
import { confirm, deny, noObjection, vouch } from "../decision.ts";
import { forbiddenBy, permittedBy } from "../traits.ts";
import { argumentOrigins, instructionsFound, intentOrigin } from "./argument-origins.ts";
import { argumentConditions } from "./conditions.ts";
import { intentFamilies, intentTools, state } from "./intent-rules.ts";
import type { Rule } from "./rule.ts";
import { calledAfter, calledNeverAfter } from "./sequence.ts";

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
const listed: Rule = {
  name: "listed",
  judge({ policy, traits }) {
    return policy.deniesUnlisted && !traits.listed ? deny({ code: "unlisted_tool", tool: traits.name }) : noObjection;
  },
};

/**
 * The definition is the accepted one: the policy's if it gives `parameters`, else the one pinned for the session.
 * A definition that changes under its name turns a harmless tool into another after the user agreed to it.
 */
const definition: Rule = {
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
 * (`argumentsSchema`), so such a tool is not offered, and the reason names the fault.
 */
const validSchema: Rule = {
  name: "valid-schema",
  judge({ traits, definition, work }) {
    const parameters = traits.parameters ?? definition?.parameters;
    if (parameters === undefined || parameters === null) return noObjection;
    const faults = schemaFaults(parameters, work);
    if (faults.length === 0) return noObjection;
    return deny({ code: "schema_invalid", tool: traits.name, message: faultText(faults) });
  },
};

/** The mode permits the tool: in `allow`, not in `deny`, for this role. Source: reference/proactive-tool-filtering.md. */
const mode: Rule = {
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
const role: Rule = {
  name: "role",
  judge({ facts, traits }) {
    const { roles } = traits;
    const { role } = facts.principal;
    if (roles === undefined || roles.includes(role)) return noObjection;
    return deny({ code: "role_forbids", tool: traits.name, role, roles });
  },
};

/** The user is signed in if the tool needs it. Source: reference/intent-detection-and-safe-tools.md (requires_auth). */
const authentication: Rule = {
  name: "authentication",
  judge({ facts, traits }) {
    if (!traits.requiresAuth || facts.principal.authenticated) return noObjection;
    return deny({ code: "auth_required", tool: traits.name });
  },
};

/** The user has linked the providers that the tool works with. Source: reference/intent-analysis-planner.md. */
const connection: Rule = {
  name: "connection",
  judge({ facts, traits }) {
    const missing = traits.connections.find((provider) => !facts.principal.connections.includes(provider));
    if (missing === undefined) return noObjection;
    return deny({ code: "connection_missing", tool: traits.name, connection: missing });
  },
};

/**
 * Every reader reads the same arguments. We judge what our reader reads, and the client's tool runs what its own reader
 * reads: a reader that ignores case would take `Path` instead of `path`, which was judged.
 */
const argumentsUnambiguous: Rule = {
  name: "arguments-unambiguous",
  judge({ traits, call, work }) {
    const issue = call && findAmbiguity(call.arguments, work);
    return issue ? deny({ code: "arguments_invalid", tool: traits.name, issues: [issue] }) : noObjection;
  },
};

/**
 * The arguments match the tool's JSON Schema, the policy's if it gives one.
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
const argumentsInjection: Rule = {
  name: "arguments-injection",
  judge({ policy, traits, call, work }) {
    if (call === undefined) return noObjection;
    const hit = findInjection(call.arguments, traits.injection, policy.injection.custom, work);
    if (hit === undefined) return noObjection;
    const reason = { code: "arguments_suspicious", tool: traits.name, set: hit.set, path: hit.path } as const;
    return traits.injection.action === "deny" ? deny(reason) : confirm(reason);
  },
};

/** In the order in which a decision lists their reasons. The offer and the vetting of a call use this one list. */
export const rules: readonly Rule[] = [
  knownAndOffered,
  listed,
  definition,
  validSchema,
  mode,
  state,
  intentTools,
  intentFamilies,
  role,
  authentication,
  connection,
  calledAfter,
  calledNeverAfter,
  argumentsUnambiguous,
  argumentsSchema,
  argumentsInjection,
  argumentConditions,
  argumentOrigins,
  intentOrigin,
  instructionsFound,
];
