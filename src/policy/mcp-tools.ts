/**
 * The tools of MCP servers: their names, and what their hints (`annotations`) amount to. Pure.
 *
 * The author of the server wrote the hints, so they loosen only if the policy trusts them (`trustAnnotations`). Without
 * that every tool is treated as the strictest: external, sensitive, destructive. A hint counts if it is `true` or
 * `false`; if two disagree, the stricter one counts.
 */
import { hostOf } from "../lib/host.ts";
import { memberOf } from "../lib/json/json-value.ts";
import { type LocalText, languages } from "../lib/text/languages.ts";
import type { DiscoveredTool } from "./compile.ts";
import type { McpServer } from "./document/run-parts.ts";

/** The name of a server's tool that no tool of the policy runs. Providers accept no dots. */
export const mcpToolName = (server: string, tool: string): string => `mcp__${server}__${tool.replaceAll(".", "_")}`;

type Risk = Pick<DiscoveredTool, "category" | "class" | "sensitive">;

const strictest: Risk = { category: "external", class: "destructive", sensitive: true };

/**
 * @param annotations as the server sent them.
 * @param name of the server in the policy.
 */
export const discoveredTool = (
  annotations: unknown,
  name: string,
  { trustAnnotations, connection, url }: Pick<McpServer, "trustAnnotations" | "connection" | "url">,
): DiscoveredTool => ({
  ...(trustAnnotations ? hintedRisk(annotations) : strictest),
  connection,
  ...serverDestination(name, url),
});

/** The destination of calls of the server's tools. */
export function serverDestination(
  name: string,
  url: string,
): Required<Pick<DiscoveredTool, "destination" | "destinationText">> {
  const place = `${name} (${hostOf(url) ?? ""})`;
  const destination = `the MCP server ${place}`;
  const others = languages.map((language) => [language, language === "en" ? destination : `MCP ${place}`] as const);
  return { destination, destinationText: Object.fromEntries(others) as LocalText };
}

function hintedRisk(annotations: unknown): Risk {
  const destructive = memberOf(annotations, "destructiveHint");
  const readOnly = memberOf(annotations, "readOnlyHint") === true && destructive !== true;
  if (memberOf(annotations, "openWorldHint") !== false) return { ...strictest, sensitive: !readOnly };
  if (readOnly) return { category: "read_only", class: "safe", sensitive: false };
  return { category: destructive === false ? "note_taking" : "modification", class: "destructive", sensitive: false };
}
