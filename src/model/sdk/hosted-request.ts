/** Hosted tools in the request to a provider of the Responses API: as the client wrote them, beside what the SDK has written. Pure. */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import { isHosted } from "../../policy/hosted.ts";
import type { StepRequest } from "../../ports/model-port.ts";

/** Those of the step that may be called: the client may have named a few of its tools. */
export function hostedParts({ tools, toolChoice }: StepRequest): readonly ToolDefinition[] {
  const subset =
    isObject(toolChoice) && isObject(toolChoice.allowed_tools) ? toolChoice.allowed_tools.tools : undefined;
  const named = Array.isArray(subset) ? new Set(subset.map(functionName)) : undefined;
  return tools.filter(({ name }) => isHosted(name) && named?.has(name) !== false);
}

const functionName = (choice: unknown): unknown =>
  isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;

/** @param body as the SDK wrote it. */
export function withHostedTools(
  body: JsonObject,
  { toolChoice }: StepRequest,
  hosted: readonly ToolDefinition[],
): JsonObject {
  if (hosted.length === 0) return body;
  const tools = [...listIn(body.tools), ...hosted.map(({ wire }) => wire)];
  const choice = choiceOf(toolChoice, hosted) ?? body.tool_choice;
  return { ...body, tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

/** Undefined for one that the SDK has written, or that says nothing. */
function choiceOf(choice: unknown, hosted: readonly ToolDefinition[]): unknown {
  if (typeof choice === "string") return choice;
  if (!isObject(choice)) return undefined;
  if (isObject(choice.allowed_tools)) return choice.allowed_tools.mode === "required" ? "required" : "auto";
  const tool = hosted.find(({ name }) => name === functionName(choice));
  const { type, server_label: label } = isObject(tool?.wire) ? tool.wire : {};
  if (type === undefined) return undefined;
  return label === undefined ? { type } : { type, server_label: label };
}
