/** Warns of tools of MCP servers that are offered, or never offered, although the policy's author has not named them. Pure. */
import { once } from "../../../lib/once.ts";
import { type CompiledPolicy, compilePolicy } from "../../compile.ts";
import { effectiveIntents } from "../../intent-guard/effective-intents.ts";
import { discoveredTool, mcpToolName } from "../../mcp-tools.ts";
import { matchesGlob, parseSelector, selectorKind } from "../../selectors.ts";
import { traitsOf } from "../../traits.ts";
import { decideFor } from "../../usable-tools.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warnings } from "../policy-issue.ts";

/** Intents in one warning; the others are counted. */
const MAX_NAMED = 3;

export function* warnServers(document: PolicyDocument): Warnings {
  const policy = once(() => compilePolicy(document, ""));
  for (const [name, server] of Object.entries(document.mcpServers)) {
    const path = ["mcpServers", name, "tools"];
    if (document.unlistedTools === "deny") {
      const text = `no tool of this server is ever offered, since \`unlistedTools\` denies what \`tools\` does not name: list them there as \`${mcpToolName(name, "…")}\``;
      yield ["mcp_tools_unreachable", path, !isListed(document, name) && text];
      continue;
    }
    const compiled = !server.tools.includes("*") || isGrouped(document, name) ? undefined : policy();
    const reached = compiled?.ok ? reachedUnder(document, compiled.value, name) : [];
    const more = reached.length > MAX_NAMED ? ` and ${reached.length - MAX_NAMED} more` : "";
    const text = `every tool that this server has is offered ${reached.slice(0, MAX_NAMED).join(", ")}${more}: name the tools here, or narrow the intents by \`tools\``;
    yield ["mcp_tools_reachable", path, reached.length > 0 && text];
  }
}

const isListed = ({ tools }: PolicyDocument, server: string): boolean =>
  Object.entries(tools).some(([key, { run }]) => {
    const isOfServer = key.startsWith(mcpToolName(server, "")) || (run?.kind === "mcp" && run.server === server);
    return selectorKind(key) === "name" && isOfServer;
  });

/** An author who sets something for all tools of the server has thought of them. */
const isGrouped = ({ tools }: PolicyDocument, server: string): boolean =>
  Object.keys(tools).some((key) => {
    const selector = parseSelector(key);
    return selector.ok && selector.value.kind === "glob" && matchesGlob(selector.value.pieces, unnamedTool(server));
  });

/** A name that no author uses, and that every glob for all tools of the server matches. */
const unnamedTool = (server: string): string => mcpToolName(server, "\u0000");

/** The intents under which the rules offer a tool that only the server knows. */
function reachedUnder(document: PolicyDocument, compiled: CompiledPolicy, server: string): readonly string[] {
  const settings = document.mcpServers[server];
  if (!settings) return [];
  const tool = unnamedTool(server);
  const policy = { ...compiled, discovered: new Map([[tool, discoveredTool(undefined, server, settings)]]) };
  const { connections } = traitsOf(policy, tool);
  const isOffered = (...intents: string[]) =>
    policy.roles.some(
      (role) => decideFor(policy, tool, { role, mode: "default", intents, connections }).effect !== "deny",
    );
  if (document.handshake.select === "off") return isOffered() ? ["at any time"] : [];
  const intents = effectiveIntents(document);
  const open = [...policy.intents.keys()].filter((name) => !intents[name]?.tools || intents[name].tools.includes("*"));
  return open.filter((name) => isOffered(name)).map((name) => `under \`${name}\``);
}
