/** Tools of MCP servers that are offered, or never offered, without the policy's author having named them. Pure. */

import { once } from "../../../lib/once.ts";
import { workBudget } from "../../../lib/work-budget.ts";
import { type CompiledPolicy, compilePolicy } from "../../compile.ts";
import { effectiveIntents } from "../../intent-guard/effective-intents.ts";
import { discoveredTool } from "../../mcp-annotations.ts";
import { foldRules } from "../../rules/rule.ts";
import { rules } from "../../rules/rules.ts";
import { matchesGlob, parseSelector } from "../../selectors.ts";
import { traitsOf } from "../../traits.ts";
import type { PolicyDocument } from "../document-schema.ts";
import type { Warn } from "../policy-issue.ts";
import { offeredName } from "./mcp-names.ts";

/** Intents that one warning names; the others are counted. */
const MAX_NAMED = 3;

export function warnServers(document: PolicyDocument, warn: Warn): void {
  const policy = once(() => compilePolicy(document, ""));
  for (const name of Object.keys(document.mcpServers)) {
    const path = ["mcpServers", name, "tools"];
    if (document.unlistedTools === "deny") {
      if (!isListed(document, name)) warn("mcp_tools_unreachable", path, unreachable(name));
      continue;
    }
    if (!document.mcpServers[name]?.tools.includes("*") || isGrouped(document, name)) continue;
    const compiled = policy();
    const places = compiled.ok ? reachedUnder(document, compiled.value, name) : [];
    if (places.length === 0) continue;
    const shown = places.slice(0, MAX_NAMED).join(", ");
    const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more` : "";
    warn(
      "mcp_tools_reachable",
      path,
      `every tool that this server has is offered ${shown}${more}: name those that you mean here, or narrow the intents by \`tools\``,
    );
  }
}

const unreachable = (server: string): string =>
  `no tool of this server is ever offered, since \`unlistedTools\` denies what \`tools\` does not name: list them there as \`${offeredName(server, "…")}\``;

const isListed = ({ tools }: PolicyDocument, server: string): boolean =>
  Object.entries(tools).some(([key, { run }]) => {
    const selector = parseSelector(key);
    const isName = selector.ok && selector.value.kind === "name";
    return isName && (key.startsWith(offeredName(server, "")) || (run?.kind === "mcp" && run.server === server));
  });

/** Whoever sets something for all tools of the server has thought of them. */
const isGrouped = ({ tools }: PolicyDocument, server: string): boolean =>
  Object.keys(tools).some((key) => {
    const selector = parseSelector(key);
    return selector.ok && selector.value.kind === "glob" && matchesGlob(selector.value.pieces, unnamedTool(server));
  });

/** No author names it, and every glob that means all tools of the server matches it. */
const unnamedTool = (server: string): string => offeredName(server, "\u0000");

/** Where the very rules that make the offer let a tool through that only the server knows. */
function reachedUnder(document: PolicyDocument, compiled: CompiledPolicy, server: string): readonly string[] {
  const settings = document.mcpServers[server];
  if (!settings) return [];
  const tool = unnamedTool(server);
  const policy = { ...compiled, discovered: new Map([[tool, discoveredTool(undefined, server, settings)]]) };
  const traits = traitsOf(policy, tool);
  const isOffered = (intents: readonly string[]) =>
    policy.roles.some((role) => {
      const principal = { tenant: "", user: "", role, authenticated: true, connections: traits.connections };
      const facts = {
        now: 0,
        principal,
        mode: "default",
        state: "action" as const,
        intents,
        changedDefinitions: new Set<string>(),
      };
      const definition = { name: tool, wire: null };
      return foldRules(rules, { policy, traits, definition, facts, work: workBudget() }).effect !== "deny";
    });
  if (document.handshake.select === "off") return isOffered([]) ? ["at any time"] : [];
  const intents = effectiveIntents(document);
  const open = [...policy.intents.keys()].filter((name) => !intents[name]?.tools || intents[name].tools.includes("*"));
  return open.filter((name) => isOffered([name])).map((name) => `under \`${name}\``);
}
