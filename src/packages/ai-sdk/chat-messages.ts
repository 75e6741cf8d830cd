/**
 * Prompts of the AI SDK in the form of chat messages, and back. Each chat message knows the message that it was made of: what the turn
 * did not change goes to the model as it came, with all that chat messages have no place for.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { sha256Hex, sha256HexOf } from "../../lib/digest.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** What a chat message was made of. Copies of the message have it too: members with symbols are copied, and never written as JSON. */
export const ORIGIN: unique symbol = Symbol("origin");

export interface Origin {
  readonly message: LanguageModelV4Message;
  /** Of a result: the only part of its message that is meant. */
  readonly part?: LanguageModelV4ToolResultPart;
  readonly content: unknown;
  readonly calls: unknown;
}

export const originOf = (message: JsonObject): Origin | undefined =>
  (message as { readonly [ORIGIN]?: Origin })[ORIGIN];

export const chatMessages = (prompt: LanguageModelV4Prompt): readonly JsonObject[] => prompt.flatMap(toChat);

function toChat(message: LanguageModelV4Message): JsonObject[] {
  switch (message.role) {
    case "system":
      return [withOrigin({ role: "system", content: message.content }, message)];
    case "user":
      return [withOrigin({ role: "user", content: message.content.map(userPart) }, message)];
    case "assistant":
      return assistantMessages(message);
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [resultMessage(message, part)] : []));
  }
}

function withOrigin(chat: JsonObject, message: LanguageModelV4Message, part?: LanguageModelV4ToolResultPart) {
  const origin: Origin = { message, content: chat.content, calls: chat.tool_calls, ...(part ? { part } : {}) };
  return Object.assign(chat, { [ORIGIN]: origin });
}

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

const userPart = (part: UserPart): JsonObject =>
  part.type === "text" ? { type: "text", text: part.text } : filePart(part);

/** No text of the user's, whatever it holds. */
function filePart({ mediaType, filename = "", data }: LanguageModelV4FilePart): JsonObject {
  return { type: "file", file: { media_type: mediaType, filename, digest: digestOf(data) } };
}

function digestOf(data: LanguageModelV4FilePart["data"]): string {
  if (data.type === "data" && data.data instanceof Uint8Array) return sha256HexOf([], data.data);
  return sha256Hex(JSON.stringify(data, (_, value) => (value instanceof URL ? value.href : value)));
}

/** What a provider ran itself is a call with a result, like any other. */
function assistantMessages(message: Extract<LanguageModelV4Message, { role: "assistant" }>): JsonObject[] {
  const { content } = message;
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [chatCall(part)] : []));
  const own = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const results = content.flatMap((part) => (part.type === "tool-result" ? [resultMessage(message, part)] : []));
  return [withOrigin(own, message), ...results];
}

const chatCall = ({ toolCallId, toolName, input }: Extract<AssistantPart, { type: "tool-call" }>): JsonObject => ({
  id: toolCallId,
  type: "function",
  function: { name: toolName, arguments: JSON.stringify(input ?? {}) },
});

const resultMessage = (message: LanguageModelV4Message, part: LanguageModelV4ToolResultPart): JsonObject =>
  withOrigin({ role: "tool", tool_call_id: part.toolCallId, content: outputContent(part.output) }, message, part);

/** The turn tells failures by their shape. */
function outputContent(output: LanguageModelV4ToolResultOutput): string | JsonObject[] {
  switch (output.type) {
    case "text":
      return output.value;
    case "json":
      return JSON.stringify(output.value);
    case "error-text":
      return /^\s*(error|exception)\b\s*:/i.test(output.value) ? output.value : `Error: ${output.value}`;
    case "error-json":
      return JSON.stringify({ error: output.value });
    case "execution-denied":
      return `Error: ${output.reason ?? "the person did not allow it"}`;
    case "content":
      return output.value.map((part) => {
        if (part.type === "text") return { type: "text", text: part.text };
        return part.type === "file" ? filePart(part) : { type: "custom" };
      });
  }
}

/** What the model said beside calls that the client never saw, by the id of the first: signed thoughts must go back as they came. */
export type StepMemory = ReadonlyMap<string, readonly AssistantPart[]>;

/** @param messages as the turn sends them to the model. */
export function promptOf(messages: readonly unknown[], memory: StepMemory): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  const names = new Map<string, string>();
  for (const chat of messages.filter(isObject)) {
    for (const [id, name] of namedCalls(chat)) names.set(id, name);
    if (chat.role !== "tool") {
      prompt.push(...otherMessage(chat, memory));
      continue;
    }
    const origin = originOf(chat);
    // It stands in the assistant's own message.
    if (origin?.message.role === "assistant") continue;
    const part = resultPart(chat, origin, names);
    const last = prompt.at(-1);
    if (last?.role === "tool") last.content.push(part);
    else prompt.push({ ...settingsOf(origin), role: "tool", content: [part] });
  }
  return prompt;
}

const settingsOf = (origin: Origin | undefined): Pick<LanguageModelV4Message, "providerOptions"> =>
  origin?.message.providerOptions ? { providerOptions: origin.message.providerOptions } : {};

function namedCalls({ tool_calls: calls }: JsonObject): (readonly [string, string])[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: { id: string; function: { name: string } }) => [call.id, call.function.name] as const);
}

function otherMessage(chat: JsonObject, memory: StepMemory): LanguageModelV4Message[] {
  const origin = originOf(chat);
  if (origin && origin.content === chat.content && origin.calls === chat.tool_calls) return [origin.message];
  const text = textOf(chat.content);
  if (chat.role === "assistant") {
    const content = origin ? changedParts(chat, origin) : hiddenParts(chat, memory);
    return content.length === 0 ? [] : [{ ...settingsOf(origin), role: "assistant", content }];
  }
  if (chat.role === "user") {
    const files = origin?.message.role === "user" ? origin.message.content.filter(({ type }) => type === "file") : [];
    return [{ ...settingsOf(origin), role: "user", content: [{ type: "text", text }, ...files] }];
  }
  return [{ ...settingsOf(origin), role: "system", content: text }];
}

/** Its text or its calls were changed: all else stays. */
function changedParts(chat: JsonObject, { message, content, calls }: Origin): AssistantPart[] {
  const own = message.role === "assistant" ? message.content : [];
  const others = chat.content === content ? own : own.filter(({ type }) => type !== "text");
  const text = chat.content === content ? "" : textOf(chat.content);
  const known = new Set(own.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
  const added = chat.tool_calls === calls ? [] : callParts(chat).filter(({ toolCallId }) => !known.has(toolCallId));
  const at = others.findIndex(({ type }) => type === "tool-call");
  const before = at === -1 ? others : others.slice(0, at);
  const words: AssistantPart[] = text === "" ? [] : [{ type: "text", text }];
  return [...before, ...words, ...(at === -1 ? [] : others.slice(at)), ...added];
}

/** A message that the client never saw. */
function hiddenParts(chat: JsonObject, memory: StepMemory): AssistantPart[] {
  const calls = callParts(chat);
  const text = textOf(chat.content);
  const thoughts = memory.get(calls[0]?.toolCallId ?? "")?.filter(({ type }) => type.startsWith("reasoning")) ?? [];
  const made = new Map(
    calls
      .flatMap(({ toolCallId }) => memory.get(toolCallId) ?? [])
      .flatMap((part) => (part.type === "tool-call" ? [[part.toolCallId, part.providerOptions] as const] : [])),
  );
  return [
    ...thoughts,
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => {
      const providerOptions = made.get(call.toolCallId);
      return providerOptions ? { ...call, providerOptions } : call;
    }),
  ];
}

function callParts({ tool_calls: calls }: JsonObject): Extract<AssistantPart, { type: "tool-call" }>[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: { id: string; function: { name: string; arguments: string } }) => ({
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.function.name,
    input: inputOf(call.function.arguments),
  }));
}

/** A refused call may have arguments that nobody can read. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

function resultPart(
  chat: JsonObject,
  origin: Origin | undefined,
  names: ReadonlyMap<string, string>,
): LanguageModelV4ToolResultPart {
  const id = String(chat.tool_call_id);
  if (!origin?.part)
    return {
      type: "tool-result",
      toolCallId: id,
      toolName: names.get(id) ?? "unknown",
      output: { type: "text", value: textOf(chat.content) },
    };
  if (chat.content === origin.content) return origin.part;
  return { ...origin.part, output: changedOutput(chat.content, origin) };
}

function changedOutput(content: unknown, { part, content: before }: Origin): LanguageModelV4ToolResultOutput {
  const output = part?.output;
  const failed = output?.type === "error-text" || output?.type === "error-json";
  if (!Array.isArray(content) || output?.type !== "content" || !Array.isArray(before))
    return { type: failed ? "error-text" : "text", value: textOf(content) };
  const value = content.map((one: JsonObject) => {
    const at = before.indexOf(one);
    return output.value[at] ?? { type: "text" as const, text: String(one.text ?? "") };
  });
  return { ...output, value };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("\n");
}
