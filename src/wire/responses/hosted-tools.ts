/**
 * Tools of the Responses API that the provider runs itself, by the names that policies know them by, and the items that they leave in a
 * response. A remote MCP server is a tool by its host: labels are the client's to choose. Pure.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { twinsOf } from "../../lib/names.ts";
import { ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { HOSTED_PREFIX } from "../../policy/hosted.ts";
import type { ModelCall } from "../call-parts.ts";
import type { RequestFault } from "../request-fault.ts";
import { itemFault } from "./input-content.ts";

interface HostedKind {
  readonly type: RegExp;
  readonly name: string;
  /** Types of its items. */
  readonly items: readonly string[];
}

/** Later versions have a date behind their name. */
const KINDS: readonly HostedKind[] = [
  { type: /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/, name: "web_search", items: ["web_search_call"] },
  { type: /^file_search$/, name: "file_search", items: ["file_search_call"] },
  { type: /^code_interpreter$/, name: "code_interpreter", items: ["code_interpreter_call"] },
  { type: /^image_generation$/, name: "image_generation", items: ["image_generation_call"] },
  { type: /^mcp$/, name: "mcp", items: ["mcp_call", "mcp_list_tools"] },
];

const kindOf = (type: unknown): HostedKind | undefined =>
  typeof type === "string" ? KINDS.find((kind) => kind.type.test(type)) : undefined;

const toolTwin = twinsOf([
  "type",
  "name",
  "server_label",
  "server_url",
  "connector_id",
  "require_approval",
  "tunnel_id",
]);

/** @returns undefined for a tool of another type. */
export function readHostedTool(tool: JsonObject, at: string): Result<ToolDefinition, RequestFault> | undefined {
  const kind = kindOf(tool.type);
  if (!kind) return undefined;
  const strange = Object.keys(tool).find((key) => toolTwin(key) !== undefined);
  if (strange !== undefined) {
    const message = `\`${at}.${strange.slice(0, 64).toWellFormed()}\` is another spelling of a field that the gateway reads`;
    return itemFault(at, message, "ambiguous_parameter");
  }
  if (kind.name !== "mcp") return ok({ name: HOSTED_PREFIX + kind.name, wire: tool });
  const server = serverOf(tool);
  if (server === undefined || typeof tool.server_label !== "string") {
    const message = `\`${at}\` must have a \`server_label\`, and either an https \`server_url\` or a \`connector_id\``;
    return itemFault(at, message);
  }
  if (tool.require_approval !== "never") {
    const message = `\`${at}.require_approval\` must be \`never\`: the policy decides which servers may be called, not the client`;
    return itemFault(`${at}.require_approval`, message);
  }
  return ok({ name: `${HOSTED_PREFIX}mcp:${server}`, wire: tool });
}

function serverOf({ server_url: url, connector_id: connector }: JsonObject): string | undefined {
  if (connector != null) return url == null && isPlainName(connector) ? connector : undefined;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === "https:" && isPlainName(host) ? host : undefined;
}

const isPlainName = (name: unknown): name is string => typeof name === "string" && /^[\w.:-]{1,100}$/.test(name);

/** The name of a hosted tool that `tool_choice` demands by its type. */
export function hostedChoice({ type }: JsonObject): string | undefined {
  const kind = kindOf(type);
  return kind && kind.name !== "mcp" ? HOSTED_PREFIX + kind.name : undefined;
}

/** The tool that such an item is of; undefined for an item that no hosted tool leaves. */
export function hostedItemTool(
  { type, server_label: label }: JsonObject,
  tools: readonly ToolDefinition[] = [],
): string | undefined {
  const kind = typeof type === "string" ? KINDS.find(({ items }) => items.includes(type)) : undefined;
  if (!kind) return undefined;
  if (kind.name !== "mcp") return HOSTED_PREFIX + kind.name;
  return (
    tools.find(({ wire }) => isObject(wire) && wire.type === "mcp" && wire.server_label === label)?.name ??
    `${HOSTED_PREFIX}mcp`
  );
}

/** The call in an item, for the record: it has run. */
export function hostedCall(item: JsonObject, name: string): ModelCall {
  return {
    id: typeof item.id === "string" ? item.id : "",
    name,
    arguments: JSON.stringify(argumentsOf(item)),
    extra: undefined,
  };
}

function argumentsOf(item: JsonObject): JsonObject {
  switch (item.type) {
    case "web_search_call":
      return isObject(item.action) ? item.action : {};
    case "file_search_call":
      return { queries: item.queries ?? [] };
    case "code_interpreter_call":
      return { code: item.code ?? "" };
    case "image_generation_call":
      return { prompt: item.revised_prompt ?? "" };
    case "mcp_list_tools":
      return { server: item.server_label ?? "", lists: "tools" };
    default:
      return { server: item.server_label ?? "", tool: item.name ?? "", arguments: item.arguments ?? "" };
  }
}
