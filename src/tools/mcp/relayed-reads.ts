/** Presents reads of MCP servers (resources, prompts) as tools, so that every rule applies to them. Pure. */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";
import type { CompiledPolicy, DiscoveredTool } from "../../policy/compile.ts";
import type { McpServer } from "../../policy/document/run-parts.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { mcpToolName, serverDestination } from "../../policy/mcp-tools.ts";
import type { McpTarget } from "../tool-runner.ts";
import { resultText } from "./result-text.ts";

export type RelayedKind = Extract<McpServer["relay"][number], "resources" | "prompts">;

export const isRead = (kind: McpServer["relay"][number]): kind is RelayedKind =>
  kind === "resources" || kind === "prompts";

interface RelayedRead {
  readonly definition: ToolDefinition;
  readonly target: McpTarget;
  readonly traits: DiscoveredTool;
}

const KINDS = {
  resources: {
    tool: "resources_read",
    method: "resources/read",
    // Not an address on the network: only the server says what it identifies.
    properties: { resource: { type: "string" } },
    required: ["resource"],
  },
  prompts: {
    tool: "prompts_get",
    method: "prompts/get",
    properties: { prompt: { type: "string" }, values: { type: "object", additionalProperties: { type: "string" } } },
    required: ["prompt"],
  },
} as const;

/** The tool under whose name a server's resources or prompts are read. */
export const readName = (server: string, kind: RelayedKind): string => mcpToolName(server, KINDS[kind].tool);

/** No tool of the server may have one of them: the policy's settings for the name are meant for reading. */
export const readNames = (server: string): readonly string[] => [
  readName(server, "resources"),
  readName(server, "prompts"),
];

export function relayedReads({ mcpServers }: CompiledPolicy): readonly RelayedRead[] {
  return [...mcpServers].flatMap(([server, { relay, connection, url }]) =>
    [...new Set(relay.filter(isRead))].map((kind): RelayedRead => {
      const { method, properties, required } = KINDS[kind];
      const name = readName(server, kind);
      const parameters = { type: "object", properties, required, additionalProperties: false };
      return {
        definition: { name, parameters, wire: { type: "function", function: { name, parameters } } },
        target: { server, tool: "", method },
        traits: {
          category: "read_only",
          class: "safe",
          sensitive: false,
          connection,
          ...serverDestination(server, url),
        },
      };
    }),
  );
}

/** The request to the server. @param args as they were vetted. */
export function paramsOfRead(method: NonNullable<McpTarget["method"]>, args: JsonObject): JsonObject {
  if (method === "resources/read") return { uri: args.resource };
  return { name: args.prompt, arguments: args.values ?? {} };
}

/** Text of what was read, for the record, and for the rules that look for values in it. */
export function textOfRead(result: JsonObject): string {
  const contents = listIn(result.contents).map((resource) => ({ type: "resource", resource }));
  const messages = listIn(result.messages).map((message) => (isObject(message) ? message.content : message));
  return resultText({ content: [...contents, ...messages] });
}
