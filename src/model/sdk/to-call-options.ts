/** A chat request's settings as `LanguageModelV4CallOptions`, for models that the relay does not serve. Pure. */

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
} from "@ai-sdk/provider";
import { nearestDouble } from "../../lib/json/exact-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { RequestProblem } from "./to-prompt.ts";

type Json = Readonly<Record<string, unknown>>;

interface CallContext {
  readonly prompt: LanguageModelV4Prompt;
  /** The tools offered in this step, which need not be those of the request. */
  readonly tools: readonly ToolDefinition[];
  readonly abortSignal?: AbortSignal;
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/**
 * Settings that the interface has no word for (`logit_bias`, `logprobs`, `n`) are left out; `null` counts as absent.
 * A `tool_choice` that names a tool which is not among `tools` is an error.
 */
export function toCallOptions(body: Json, context: CallContext): Result<LanguageModelV4CallOptions, RequestProblem> {
  const settings = toSettings(body);
  if (!settings.ok) return settings;
  const format = toResponseFormat(body.response_format);
  if (!format.ok) return format;
  const chosen = toToolChoice(body.tool_choice, context.tools);
  if (!chosen.ok) return chosen;
  const options: LanguageModelV4CallOptions = { prompt: context.prompt, ...settings.value, ...format.value };
  const tools = chosen.value.tools.map(toFunctionTool);
  if (tools.length > 0) Object.assign(options, { tools, toolChoice: chosen.value.toolChoice });
  if (context.abortSignal) options.abortSignal = context.abortSignal;
  const effort = EFFORTS.find((known) => known === body.reasoning_effort);
  if (effort) options.reasoning = effort;
  if (body.parallel_tool_calls === false) {
    // Each provider has its own name for it and reads only its own key.
    options.providerOptions = { openai: { parallelToolCalls: false }, anthropic: { disableParallelToolUse: true } };
  }
  return ok(options);
}

function toSettings(body: Json): Result<Partial<LanguageModelV4CallOptions>, RequestProblem> {
  const limit = body.max_completion_tokens == null ? "max_tokens" : "max_completion_tokens";
  const numbers = {
    temperature: "temperature",
    top_p: "topP",
    top_k: "topK",
    seed: "seed",
    presence_penalty: "presencePenalty",
    frequency_penalty: "frequencyPenalty",
    [limit]: "maxOutputTokens",
  };
  const settings: Record<string, unknown> = {};
  for (const [from, to] of Object.entries(numbers)) {
    const value = nearestDouble(body[from]);
    if (value == null) continue;
    if (typeof value !== "number") return problem(from, "must be a number");
    settings[to] = value;
  }
  if (body.stop != null) {
    const stop = Array.isArray(body.stop) ? body.stop : [body.stop];
    if (!stop.every((text) => typeof text === "string"))
      return problem("stop", "must be a string or a list of strings");
    settings.stopSequences = stop;
  }
  return ok(settings);
}

function toResponseFormat(format: unknown): Result<Pick<LanguageModelV4CallOptions, "responseFormat">, RequestProblem> {
  if (format == null) return ok({});
  const { type, json_schema } = object(format);
  if (type === "text") return ok({ responseFormat: { type: "text" } });
  if (type === "json_object") return ok({ responseFormat: { type: "json" } });
  if (type !== "json_schema") return problem("response_format.type", `unknown type \`${String(type)}\``);
  const { schema, name, description } = object(json_schema);
  return ok({
    responseFormat: {
      type: "json",
      ...(schema == null ? {} : { schema: object(schema) }),
      ...(typeof name === "string" ? { name } : {}),
      ...(typeof description === "string" ? { description } : {}),
    },
  });
}

interface ChosenTools {
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: LanguageModelV4ToolChoice;
}

function toToolChoice(choice: unknown, tools: readonly ToolDefinition[]): Result<ChosenTools, RequestProblem> {
  if (choice == null || choice === "auto") return ok({ tools, toolChoice: { type: "auto" } });
  if (choice === "none") return ok({ tools, toolChoice: { type: "none" } });
  if (choice === "required") return atLeastOne(tools);
  const { type, function: named, name = object(named).name, allowed_tools } = object(choice);
  if (type === "function" && typeof name === "string") {
    if (!tools.some((tool) => tool.name === name)) return problem("tool_choice", `no tool \`${name}\` is offered`);
    return ok({ tools, toolChoice: { type: "tool", toolName: name } });
  }
  if (type !== "allowed_tools")
    return problem("tool_choice", "must be auto, none, required, a function or allowed_tools");
  // Chat Completions nests what Responses has at the top.
  const allowed = allowed_tools == null ? object(choice) : object(allowed_tools);
  if (!Array.isArray(allowed.tools)) return problem("tool_choice.allowed_tools.tools", "must be an array");
  const names = new Set(allowed.tools.map((tool) => object(tool).name ?? object(object(tool).function).name));
  const kept = tools.filter((tool) => names.has(tool.name));
  return allowed.mode === "required" ? atLeastOne(kept) : ok({ tools: kept, toolChoice: { type: "auto" } });
}

function atLeastOne(tools: readonly ToolDefinition[]): Result<ChosenTools, RequestProblem> {
  if (tools.length === 0) return problem("tool_choice", "a call is required and no tool is offered");
  return ok({ tools, toolChoice: { type: "required" } });
}

function toFunctionTool({ name, description, parameters, wire }: ToolDefinition): LanguageModelV4FunctionTool {
  const { strict } = object(object(wire).function);
  return {
    type: "function",
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: object(parameters ?? { type: "object", properties: {} }),
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
}

const problem = (path: string, message: string) => err({ path, message });

/** An object to read from, whatever it was. */
function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
