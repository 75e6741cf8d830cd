/** A chat completion's body as the AI SDK's options. Pure; throws `UnsupportedRequest`. */
import type { LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import { nearestDouble } from "../../lib/json/exact-json.ts";
import { isObject, type JsonObject, valueAt } from "../../lib/json/json-value.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { StepRequest } from "../../ports/model-port.ts";
import { withPlainNumbers } from "../../wire/odd-numbers.ts";
import { carriedThoughts } from "./carried-thoughts.ts";
import { chatPrompt } from "./chat-prompt.ts";
import type { SdkKind } from "./provider-sdk.ts";
import { UnsupportedRequest } from "./unsupported-request.ts";

interface SdkRequest {
  readonly options: LanguageModelV4CallOptions;
  /** Applied as the offer: the tools of the step that may be called. */
  readonly tools: readonly ToolDefinition[];
}

export function sdkRequest({ body, messages, tools, toolChoice, signal }: StepRequest, kind: SdkKind): SdkRequest {
  const { n, modalities, audio } = body;
  if (n != null && nearestDouble(n) !== 1) throw unsupported("n", "above 1");
  if (audio != null || (Array.isArray(modalities) && modalities.includes("audio")))
    throw unsupported("audio", "output");
  const { choice, allowed } = readChoice(toolChoice);
  const reasoning = mayThink(messages, kind) ? reasoningOf(body) : undefined;
  const responseFormat = formatOf(body);
  const wantsJson = responseFormat?.type === "json" && responseFormat.schema === undefined && kind === "anthropic";
  return {
    tools: allowed ? tools.filter(({ name }) => allowed.has(name)) : tools,
    options: {
      prompt: chatPrompt(wantsJson ? [...messages, JSON_ALONE] : messages, kind),
      maxOutputTokens: numberIn(body, "max_completion_tokens") ?? numberIn(body, "max_tokens"),
      temperature: numberIn(body, "temperature"),
      topP: numberIn(body, "top_p"),
      topK: numberIn(body, "top_k"),
      presencePenalty: numberIn(body, "presence_penalty"),
      frequencyPenalty: numberIn(body, "frequency_penalty"),
      seed: numberIn(body, "seed"),
      stopSequences: stopsOf(body.stop),
      responseFormat,
      reasoning,
      toolChoice: choice,
      abortSignal: signal,
      providerOptions: {
        anthropic: {
          ...(body.parallel_tool_calls === false ? { disableParallelToolUse: true } : {}),
          ...(isObject(body.cache_control) ? { cacheControl: body.cache_control as never } : {}),
          ...(mayThink(messages, kind) ? thinkingOf(body.thinking) : {}),
        },
        openai: openAiOptions(body),
        google: reasoning !== undefined && reasoning !== "none" ? { thinkingConfig: { includeThoughts: true } } : {},
      },
    },
  };
}

/** For the Responses API. The gateway sends all items each time, so the provider need not store any. */
function openAiOptions(body: JsonObject) {
  const texts = {
    user: body.user,
    promptCacheKey: body.prompt_cache_key,
    safetyIdentifier: body.safety_identifier,
    serviceTier: body.service_tier,
    textVerbosity: body.verbosity,
  };
  const given = Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const parallel = body.parallel_tool_calls;
  return {
    store: false,
    // The client did not request a summary, and OpenAI refuses it to unverified organisations. A client's own setting is put back
    // (`withSettings`).
    reasoningSummary: null,
    ...Object.fromEntries(given),
    ...(typeof parallel === "boolean" ? { parallelToolCalls: parallel } : {}),
    strictJsonSchema: valueAt(body, ["response_format", "json_schema", "strict"]) === true,
  };
}

const unsupported = (param: string, what: string) =>
  new UnsupportedRequest(`\`${param}\`: ${what} is not supported for this provider: leave it out`, param);

/** Anthropic has no JSON mode without a schema. */
const JSON_ALONE = { role: "system", content: "Answer with one JSON object and nothing else, not even a code fence." };

function numberIn(body: JsonObject, name: string): number | undefined {
  const value = nearestDouble(body[name]);
  return typeof value === "number" ? value : undefined;
}

function stopsOf(stop: unknown): string[] | undefined {
  if (typeof stop === "string") return [stop];
  return Array.isArray(stop) ? stop.filter((one) => typeof one === "string") : undefined;
}

function formatOf({ response_format: format }: JsonObject): LanguageModelV4CallOptions["responseFormat"] {
  if (!isObject(format)) return undefined;
  if (format.type === "json_object") return { type: "json" };
  if (format.type !== "json_schema" || !isObject(format.json_schema)) return undefined;
  const { schema, name, description } = format.json_schema;
  return {
    type: "json",
    ...(isObject(schema) ? { schema: withPlainNumbers(schema) as JsonObject } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

type Reasoning = Exclude<LanguageModelV4CallOptions["reasoning"], "provider-default" | undefined>;
const EFFORTS: readonly Reasoning[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

const reasoningOf = ({ reasoning_effort: effort }: JsonObject): Reasoning | undefined =>
  EFFORTS.find((one) => one === effort);

/** Anthropic's own field. */
function thinkingOf(thinking: unknown) {
  if (!isObject(thinking)) return {};
  const { type, budget_tokens: budget, display } = thinking;
  const budgetTokens = nearestDouble(budget);
  if (type === "enabled") return { thinking: { type, ...(typeof budgetTokens === "number" ? { budgetTokens } : {}) } };
  if (type === "adaptive") return { thinking: { type, ...(typeof display === "string" ? { display } : {}) } };
  return type === "disabled" ? { thinking: { type } } : {};
}

/**
 * Anthropic refuses to think if calls of the task come back without the thoughts that they were made with: a client may have dropped them,
 * or another provider made the calls.
 */
function mayThink(messages: readonly unknown[], kind: SdkKind): boolean {
  if (kind !== "anthropic") return true;
  const from = messages.findLastIndex((message) => isObject(message) && message.role === "user");
  const calling = messages
    .slice(from + 1)
    .findLast((message) => isObject(message) && Array.isArray(message.tool_calls) && message.tool_calls.length > 0);
  if (!isObject(calling)) return true;
  return (calling.tool_calls as unknown[]).some((call) => carriedThoughts(call).length > 0);
}

interface SdkChoice {
  readonly choice: LanguageModelV4ToolChoice | undefined;
  /** Absent: all tools. */
  readonly allowed?: ReadonlySet<string>;
}

/** @param choice as `wireToolChoice` writes it. */
function readChoice(choice: unknown): SdkChoice {
  if (choice === "auto" || choice === "none" || choice === "required") return { choice: { type: choice } };
  if (!isObject(choice)) return { choice: undefined };
  if (isObject(choice.function)) return { choice: { type: "tool", toolName: String(choice.function.name) } };
  const { mode, tools } = isObject(choice.allowed_tools) ? choice.allowed_tools : {};
  if (!Array.isArray(tools)) return { choice: undefined };
  const names = tools.map((tool: { readonly function: { readonly name: string } }) => tool.function.name);
  return { choice: { type: mode === "required" ? "required" : "auto" }, allowed: new Set(names) };
}
