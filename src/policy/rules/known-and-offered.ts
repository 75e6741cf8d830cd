/**
 * The tool is known and was offered: the only rule that vouches.
 * The offer is looked at as it was sent, so that a call for a tool that the model was not shown (made up, remembered
 * from an earlier turn, or read in a web page) finds no voucher.
 */
import { deny, vouch } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const knownAndOffered: Rule = {
  name: "known-and-offered",
  judge({ policy, traits: { name }, definition, call, offer }) {
    // A client's tool of that name would have its calls taken for the handshake's, or the other way round.
    if (policy.handshake.select !== "off" && name === policy.handshake.tool)
      return deny({ code: "not_offered", tool: name });
    if (call === undefined) return definition ? vouch : deny({ code: "unknown_tool", tool: name });
    if (offer?.callable.has(name) && definition) return vouch;
    // Defined and not callable: the client's own `tool_choice` ruled it out, or a rule withheld it.
    const defined = definition !== undefined || offer?.withheld.some((tool) => tool.name === name);
    return deny({ code: defined ? "not_offered" : "unknown_tool", tool: name });
  },
};
