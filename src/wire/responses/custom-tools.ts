/**
 * Tools of the Responses API that take free text. Inside, such a tool is a function with that text as its one argument, so that its calls
 * are vetted as any other's; an upstream of the same API gets it, its calls and their outputs as they are. Pure.
 */
import { isObject, type JsonObject, listIn, parseObject } from "../../lib/json/json-value.ts";

/** UTF-16 units of a grammar that the model is shown if the upstream has no such tools. */
const MAX_GRAMMAR = 32 * 1024;

/** In the chat's form. */
export function customTool(name: unknown, { description, format }: JsonObject): JsonObject {
  const grammar = isObject(format) && typeof format.definition === "string" ? format.definition : undefined;
  const shown = grammar === undefined ? "" : ` that follows this grammar:\n${grammar.slice(0, MAX_GRAMMAR)}`;
  const parameters = {
    type: "object",
    properties: { input: { type: "string", description: `The tool's input: text${shown}` } },
    required: ["input"],
    additionalProperties: false,
  };
  return {
    type: "function",
    function: { name, ...(typeof description === "string" ? { description } : {}), parameters },
  };
}

/** @param item a `custom_tool_call`. @returns undefined if it has no text. */
export const customArguments = ({ input }: JsonObject): string | undefined =>
  typeof input === "string" ? JSON.stringify({ input }) : undefined;

/**
 * The body for a Responses upstream, with these tools, their calls and outputs as that API has them.
 * @param custom as the client wrote them, by the names that they have inside.
 */
export function withCustomTools(body: JsonObject, custom: ReadonlyMap<string, JsonObject>): JsonObject {
  if (custom.size === 0) return body;
  const { tool_choice: choice } = body;
  const known = (one: unknown): JsonObject | undefined =>
    isObject(one) && one.type === "function" ? custom.get(String(one.name)) : undefined;
  const called = new Set<unknown>();
  return {
    ...body,
    input: listIn(body.input).map((item) => inForm(item, custom, called)),
    ...(Array.isArray(body.tools) ? { tools: body.tools.map((tool) => asCustom(tool, known(tool))) } : {}),
    ...(known(choice) ? { tool_choice: { type: "custom", name: (choice as JsonObject).name } } : {}),
  };
}

/** With the policy's own description, if it has one. */
function asCustom(tool: unknown, own: JsonObject | undefined): unknown {
  if (!own || !isObject(tool)) return tool;
  const { name, description } = tool;
  return {
    type: "custom",
    name,
    ...(description == null ? {} : { description }),
    ...(own.format == null ? {} : { format: own.format }),
  };
}

/** @param called the ids of the calls so far. One whose arguments are no text stays a function's, and so does its output. */
function inForm(item: unknown, custom: ReadonlyMap<string, JsonObject>, called: Set<unknown>): unknown {
  if (!isObject(item)) return item;
  const { type, call_id: id, name, arguments: args } = item;
  if (type === "function_call_output") return called.has(id) ? { ...item, type: "custom_tool_call_output" } : item;
  if (type !== "function_call" || !custom.has(String(name))) return item;
  const input = parseObject(String(args))?.input;
  if (typeof input !== "string") return item;
  called.add(id);
  return { type: "custom_tool_call", call_id: id, name, input };
}
