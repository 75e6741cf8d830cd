/** The response object, with the settings that it repeats from its request. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

/** The current state of a response. */
export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly model: string;
  readonly output: readonly JsonObject[];
  readonly usage: JsonObject | null;
  readonly incomplete?: string | undefined;
  readonly error?: JsonObject | undefined;
  /** Milliseconds since the epoch. */
  readonly completedAt?: number | undefined;
  /** Values that an upstream of the same API reports for settings that the request left open (`statedMembers`). */
  readonly stated?: JsonObject | undefined;
}

export interface ResponseHead {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The request's body. */
  readonly request: JsonObject;
  /** Whether it is to be kept. */
  readonly store: boolean;
}

/** Clients require these members, whatever the request left out. */
export function responseObject({ id, createdAt, request, store }: ResponseHead, state: ResponseState): JsonObject {
  const { status, model, output, usage, incomplete, error, completedAt, stated = {} } = state;
  const { reasoning: _reasoning, text: _text, ...others } = stated;
  return {
    id,
    object: "response",
    created_at: seconds(createdAt),
    completed_at: completedAt === undefined ? null : seconds(completedAt),
    status,
    background: false,
    error: error ?? null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    ...(request.conversation == null ? {} : { conversation: conversationOf(request.conversation) }),
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...membersOf(request.reasoning), ...membersOf(stated.reasoning) },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: request.service_tier ?? "default",
    store,
    temperature: request.temperature ?? 1,
    text: { format: { type: "text" }, ...membersOf(request.text), ...membersOf(stated.text) },
    tool_choice: request.tool_choice ?? "auto",
    tools: Array.isArray(request.tools) ? request.tools.map(wholeTool) : [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    // Nothing of the input is ever left out.
    truncation: "disabled",
    usage,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
    ...others,
  };
}

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Clients require these members of a function, too. */
const wholeTool = (tool: unknown): unknown =>
  isObject(tool) && tool.type === "function" ? { description: null, parameters: null, strict: null, ...tool } : tool;

const seconds = (ms: number): number => Math.floor(ms / 1000);

const conversationOf = (conversation: unknown): unknown =>
  typeof conversation === "string" ? { id: conversation } : conversation;

/** A chat's token usage in the form of the Responses API; null if the upstream gave none. */
export function responsesUsage(usage: JsonObject | undefined): JsonObject | null {
  if (!usage) return null;
  const input = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  const written = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details.cache_write_tokens : undefined;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: detailOf(usage.prompt_tokens_details, "cached_tokens"),
      ...(written === undefined ? {} : { cache_write_tokens: written }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: detailOf(usage.completion_tokens_details, "reasoning_tokens") },
    total_tokens: typeof usage.total_tokens === "number" ? usage.total_tokens : input + output,
  };
}

const countOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const detailOf = (details: unknown, name: string): number => (isObject(details) ? countOf(details[name]) : 0);
