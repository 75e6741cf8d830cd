/**
 * What the hints of an MCP tool come to. Pure.
 *
 * Whoever wrote the server wrote the hints, so they loosen only where the policy trusts them (`trustAnnotations`); without
 * that every tool is what it would be with none: external, sensitive, destructive, the strictest there is. A hint counts
 * where it is `true` or `false`, and of two that disagree the stricter one.
 */
import type { DiscoveredTool } from "./compile.ts";
import type { McpServer } from "./document/run-parts.ts";

type Nature = Pick<DiscoveredTool, "category" | "class" | "sensitive">;

const strictest: Nature = { category: "external", class: "destructive", sensitive: true };

/**
 * @param annotations as the server sent them.
 * @param name of the server in the policy.
 */
export function discoveredTool(
  annotations: unknown,
  name: string,
  server: Pick<McpServer, "trustAnnotations" | "connection" | "url">,
): DiscoveredTool {
  const { category, class: cls, sensitive } = server.trustAnnotations ? hinted(annotations) : strictest;
  return {
    category,
    class: cls,
    sensitive,
    connection: server.connection,
    destination: `the MCP server ${name} (${hostOf(server.url)})`,
  };
}

function hinted(annotations: unknown): Nature {
  const hint = (name: string): unknown => hintOf(annotations, name);
  const destructive = hint("destructiveHint");
  const readOnly = hint("readOnlyHint") === true && destructive !== true;
  if (hint("openWorldHint") !== false) return readOnly ? { ...strictest, sensitive: false } : strictest;
  if (readOnly) return { category: "read_only", class: "safe", sensitive: false };
  return { category: destructive === false ? "note_taking" : "modification", class: "destructive", sensitive: false };
}

function hintOf(annotations: unknown, name: string): unknown {
  if (typeof annotations !== "object" || annotations === null || !Object.hasOwn(annotations, name)) return undefined;
  return (annotations as Record<string, unknown>)[name];
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");
