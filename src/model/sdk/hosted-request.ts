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

/** @param sent the body that the SDK wrote. */
export function withHostedTools(
  sent: BodyInit | null | undefined,
  { toolChoice, responses }: StepRequest,
  hosted: readonly ToolDefinition[],
): string {
  const body = JSON.parse(String(sent)) as JsonObject;
  const tools = [...listIn(body.tools), ...hosted.map(({ wire }) => wire)];
  const include = [...new Set([...listIn(body.include), ...(responses?.include ?? [])])];
  const choice = choiceOf(toolChoice, hosted) ?? body.tool_choice;
  return JSON.stringify({
    ...body,
    tools,
    ...(include.length > 0 ? { include } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
  });
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
