/** A request of the Responses API as a chat completion request: members that differ are translated, the rest goes on as it came. Pure. */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type ChatRequest, readChatRequest } from "../chat-request.ts";
import type { RequestFault } from "../request-fault.ts";
import { approvalResponses } from "./approval-items.ts";
import { COMPUTER } from "./computer.ts";
import { hostedItemTool } from "./hosted-tools.ts";
import { itemFault } from "./input-content.ts";
import { messagesOf } from "./input-items.ts";
import { wantsSealed } from "./reasoning-seal.ts";
import { chatToolChoice, type ResponsesTools, readResponsesTools } from "./responses-tools.ts";
import { responsesSettings } from "./upstream-form.ts";

interface ResponsesRequest {
  readonly chat: ChatRequest;
  /** The request's own items, as they came. */
  readonly input: readonly JsonObject[];
  readonly forms: ResponsesTools["forms"];
  /** Reasoning that the upstream wants back goes out sealed. */
  readonly sealsReasoning: boolean;
  /** Whether the response is to be kept. */
  readonly store: boolean;
}

/** The response or conversation that a request continues. */
export interface Continuation {
  readonly previous: string | undefined;
  readonly conversation: string | undefined;
  /** Ids of items that represent the stored ones. */
  readonly references: readonly string[];
}

/** Stored items that come before a request's own. */
export interface EarlierItems {
  readonly items: readonly JsonObject[];
  /** The session that they belong to. */
  readonly session: string | undefined;
  /** By their ids. */
  readonly referenced: ReadonlyMap<string, JsonObject>;
}

const NOTHING_EARLIER: EarlierItems = { items: [], session: undefined, referenced: new Map() };

/** More than any conversation that fits a body has; each is looked up. */
const MAX_REFERENCES = 2_000;

export function readContinuation(body: JsonObject): Result<Continuation, RequestFault> {
  const { previous_response_id: previous, conversation, input, store } = body;
  const id = isObject(conversation) ? conversation.id : conversation;
  if (previous != null && !isId(previous))
    return itemFault("previous_response_id", "`previous_response_id` must be an id");
  if (id != null && !isId(id)) return itemFault("conversation", '`conversation` must be an id, or `{ "id": … }`');
  if (previous != null && id != null)
    return itemFault("conversation", "`conversation` and `previous_response_id` exclude each other: send one of them");
  if (id != null && store === false)
    return itemFault("store", "`store` must not be false with `conversation`, which keeps what is said in it");
  if (store != null && typeof store !== "boolean") return itemFault("store", "`store` must be true or false");
  const references = (Array.isArray(input) ? input : []).flatMap((item: unknown) =>
    isReference(item) ? [item.id] : [],
  );
  if (references.length > MAX_REFERENCES)
    return itemFault("input", `\`input\` must refer to at most ${MAX_REFERENCES} items`);
  const given = (value: unknown) => (typeof value === "string" ? value : undefined);
  return ok({ previous: given(previous), conversation: given(id), references });
}

const MAX_ID = 128;
const isId = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= MAX_ID && value.isWellFormed();

/** Some clients leave out the type. */
const isReference = (item: unknown): item is JsonObject & { readonly id: string } =>
  isObject(item) && isId(item.id) && (item.type === "item_reference" || (item.type == null && item.role === undefined));

/** Fields of chat completions that would repeat what this format says in another way. */
const CHAT_FIELDS: Readonly<Record<string, string>> = {
  messages: "input",
  response_format: "text.format",
  functions: "tools",
  function_call: "tool_choice",
  n: "several requests",
  reasoning_effort: "reasoning.effort",
  max_tokens: "max_output_tokens",
  max_completion_tokens: "max_output_tokens",
  logprobs: "top_logprobs",
};

/** Members that the gateway answers itself or reads under another name; none of them goes on unchanged. */
const TRANSLATED: ReadonlySet<string> = new Set([
  ...["input", "instructions", "tools", "tool_choice", "text", "reasoning", "max_output_tokens", "metadata", "store"],
  ...["previous_response_id", "conversation", "include", "truncation", "background", "prompt", "max_tool_calls"],
  ...["top_logprobs", "stream_options", "context_management", "toolgate", "client_metadata"],
]);

export function readResponsesRequest(
  body: JsonObject,
  keptNumbers: boolean,
  earlier: EarlierItems = NOTHING_EARLIER,
): Result<ResponsesRequest, RequestFault> {
  const refused = refusedField(body);
  if (refused) return err(refused);
  const given = inputItems(body.input, earlier.items.length > 0);
  if (!given.ok) return given;
  const input = given.value.map((item) => (isReference(item) ? (earlier.referenced.get(item.id) ?? item) : item));
  const conversation = messagesOf(input, earlier.items);
  if (!conversation.ok) return conversation;
  const { messages, phases } = conversation.value;
  const items = [...earlier.items, ...input];
  const tools = readResponsesTools(body.tools, keptNumbers, items, earlier.items.length);
  if (!tools.ok) return tools;
  const choice = chatToolChoice(body.tool_choice);
  if (!choice.ok) return choice;
  if (body.instructions != null && typeof body.instructions !== "string")
    return itemFault("instructions", "`instructions` must be text");
  const system =
    typeof body.instructions === "string" && body.instructions !== ""
      ? [{ role: "system", content: body.instructions }]
      : [];
  if (system.length + messages.length === 0) return itemFault("input", "`input` must be text or a non-empty list");
  const chatBody = chatBodyOf(body, [...system, ...messages], tools.value, choice.value, input);
  const read = readChatRequest(chatBody, keptNumbers);
  if (!read.ok) return err(inResponses(read.error));
  const { metadata: _kept, ...sent } = read.value.body;
  return ok({
    chat: {
      ...read.value,
      body: sent,
      tools: [...read.value.tools, ...tools.value.hosted],
      sessionId: read.value.sessionId ?? earlier.session,
      responses: {
        settings: responsesSettings(body),
        computer: tools.value.forms.get(COMPUTER)?.kind === "computer",
        custom: tools.value.custom,
        phases,
        hosted: items.flatMap((item) => hostedItemTool(item, tools.value.hosted) ?? []),
      },
    },
    input,
    forms: tools.value.forms,
    sealsReasoning: wantsSealed(body.include) || body.store !== false,
    store: body.store !== false,
  });
}

function refusedField(body: JsonObject): RequestFault | undefined {
  const chatField = Object.keys(CHAT_FIELDS).find((name) => body[name] != null);
  if (chatField !== undefined) {
    const message = `\`${chatField}\` is a field of chat completions: use ${meantField(chatField)}`;
    return { param: chatField, message, code: "unsupported_parameter" };
  }
  if (body.background === true)
    return unsupported("background", "send the request with `stream` and read it as it comes");
  if (body.prompt != null)
    return unsupported("prompt", "send `instructions` and `input`: a stored prompt may hold tools");
  if (body.context_management != null) return unsupported("context_management", "leave it out");
  return undefined;
}

const meantField = (name: string): string =>
  CHAT_FIELDS[name]?.includes(" ") ? CHAT_FIELDS[name] : `\`${CHAT_FIELDS[name]}\``;

const unsupported = (param: string, advice: string): RequestFault => ({
  param,
  message: `\`${param}\` is not supported: ${advice}`,
  code: "unsupported_parameter",
});

function inputItems(input: unknown, follows: boolean): Result<readonly JsonObject[], RequestFault> {
  if (typeof input === "string") return ok([{ type: "message", role: "user", content: input }]);
  if (input == null && follows) return ok([]);
  if (!Array.isArray(input)) return itemFault("input", "`input` must be text or a list of items");
  const strange = input.findIndex((item) => !isObject(item));
  return strange === -1 ? ok(input) : itemFault(`input[${strange}]`, `\`input[${strange}]\` must be an object`);
}

function chatBodyOf(
  body: JsonObject,
  messages: readonly unknown[],
  { tools }: ResponsesTools,
  choice: unknown,
  input: readonly JsonObject[],
): JsonObject {
  const passed = Object.fromEntries(Object.entries(body).filter(([name]) => !TRANSLATED.has(name)));
  const text = isObject(body.text) ? body.text : {};
  const effort = isObject(body.reasoning) ? body.reasoning.effort : undefined;
  const ours = toolgateField(body.toolgate, input);
  return {
    ...passed,
    messages,
    ...(tools === undefined ? {} : { tools }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(body.stream === true ? { stream_options: { include_usage: true } } : {}),
    ...(body.max_output_tokens == null ? {} : { max_completion_tokens: body.max_output_tokens }),
    ...(effort == null ? {} : { reasoning_effort: effort }),
    ...(text.verbosity == null ? {} : { verbosity: text.verbosity }),
    ...responseFormat(text.format),
    ...logprobs(body),
    ...(isObject(body.metadata) ? { metadata: body.metadata } : {}),
    ...(ours === undefined ? {} : { toolgate: ours }),
  };
}

/** Answers of the body's own field, and those that are items. */
function toolgateField(own: unknown, input: readonly JsonObject[]): unknown {
  const answers = approvalResponses(input);
  if (answers.length === 0) return own;
  if (own == null) return { approvals: answers };
  if (!isObject(own) || (own.approvals != null && !Array.isArray(own.approvals))) return own;
  return { ...own, approvals: [...(own.approvals ?? []), ...answers] };
}

function responseFormat(format: unknown): JsonObject {
  if (!isObject(format) || format.type === "text") return {};
  if (format.type !== "json_schema") return { response_format: format };
  const { type, ...schema } = format;
  return { response_format: { type, json_schema: schema } };
}

function logprobs({ top_logprobs: top, include }: JsonObject): JsonObject {
  const included = Array.isArray(include) && include.includes("message.output_text.logprobs");
  if (top == null && !included) return {};
  return { logprobs: true, ...(top == null ? {} : { top_logprobs: top }) };
}

/** A fault of the chat request, by the names of this format. */
function inResponses({ message, param, code }: RequestFault): RequestFault {
  const renamed = (text: string) =>
    text.replaceAll(/(tools\[\d+\])\.function\b/g, "$1").replaceAll("`messages`", "`input`");
  return { message: renamed(message), param: param === null ? null : renamed(param), code };
}
