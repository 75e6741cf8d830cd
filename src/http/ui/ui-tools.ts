/** The tools of a UI request, as a chat request has them. What they are worth is read there. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** Of lists that come again as the same objects (`parseKnowingTools`): what else is known of their tools is kept by identity. */
const readBefore = new WeakMap<object, readonly unknown[]>();

/** @param tools OpenAI's list, a list of the AI SDK's definitions, or such definitions by name. */
export function chatTools(tools: unknown): unknown {
  if (tools == null) return undefined;
  const list = isObject(tools) ? Object.entries(tools).map(namedTool) : tools;
  if (!Array.isArray(list)) return list;
  if (list.length === 0) return undefined;
  const read = readBefore.get(list) ?? list.map(chatTool);
  readBefore.set(list, read);
  return read;
}

const namedTool = ([name, definition]: readonly [string, unknown]): unknown =>
  isObject(definition) ? { ...definition, type: definition.type ?? "function", name } : definition;

/** One that is no function of the client's goes on as it is, to be refused. */
function chatTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== "function" || "function" in tool) return tool;
  const { name, description, inputSchema, parameters = inputSchema, strict } = tool;
  const definition: JsonObject = { name };
  if (description != null) definition.description = description;
  if (parameters != null) definition.parameters = parameters;
  if (strict != null) definition.strict = strict;
  return { type: "function", function: definition };
}
