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
import { textOf } from "../../wire/conversation.ts";
import {
  chatCallsOf,
  failureText,
  isUnchanged,
  type Origin,
  originOf,
  readArgs,
  wireCallOf,
  withOrigin,
} from "../kernel/chat-origin.ts";

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

interface Source {
  readonly message: LanguageModelV4Message;
  /** For a result: the one part of its message that the chat message is made from. */
  readonly part?: LanguageModelV4ToolResultPart;
}

export const chatMessages = (prompt: LanguageModelV4Prompt): readonly JsonObject[] => prompt.flatMap(toChat);

function toChat(message: LanguageModelV4Message): JsonObject[] {
  switch (message.role) {
    case "system":
      return [withOrigin<Source>({ role: "system", content: message.content }, { message })];
    case "user":
      return [withOrigin<Source>({ role: "user", content: message.content.map(userPart) }, { message })];
    case "assistant":
      return assistantMessages(message);
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [resultMessage(message, part)] : []));
  }
}

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

const userPart = (part: UserPart): JsonObject =>
  part.type === "text" ? { type: "text", text: part.text } : filePart(part);

/** A file is no text of the user, whatever it holds. */
function filePart({ mediaType, filename = "", data }: LanguageModelV4FilePart): JsonObject {
  return { type: "file", file: { media_type: mediaType, filename, digest: digestOf(data) } };
}

function digestOf(data: LanguageModelV4FilePart["data"]): string {
  if (data.type === "data" && data.data instanceof Uint8Array) return sha256HexOf([], data.data);
  return sha256Hex(JSON.stringify(data, (_, value) => (value instanceof URL ? value.href : value)));
}

/** A tool that a provider ran itself is a call with a result, like any other. */
function assistantMessages(message: Extract<LanguageModelV4Message, { role: "assistant" }>): JsonObject[] {
  const { content } = message;
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [chatCall(part)] : []));
  const own = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const results = content.flatMap((part) => (part.type === "tool-result" ? [resultMessage(message, part)] : []));
  return [withOrigin<Source>(own, { message }), ...results];
}

const chatCall = ({ toolCallId, toolName, input }: Extract<AssistantPart, { type: "tool-call" }>): JsonObject =>
  wireCallOf({ id: toolCallId, name: toolName, arguments: JSON.stringify(input ?? {}) });

const resultMessage = (message: LanguageModelV4Message, part: LanguageModelV4ToolResultPart): JsonObject =>
  withOrigin<Source>(
    { role: "tool", tool_call_id: part.toolCallId, content: outputContent(part.output) },
    { message, part },
  );

function outputContent(output: LanguageModelV4ToolResultOutput): string | JsonObject[] {
  switch (output.type) {
    case "text":
      return output.value;
    case "json":
      return JSON.stringify(output.value);
    case "error-text":
      return failureText(output.value);
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

/** The model's parts beside calls that the client never saw, by the id of the first call: signed thoughts must go back as they came. */
export type StepMemory = ReadonlyMap<string, readonly AssistantPart[]>;

/** @param messages as the turn sends them to the model. */
export function promptOf(messages: readonly unknown[], memory: StepMemory): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  const names = new Map<string, string>();
  for (const chat of messages.filter(isObject)) {
    for (const { id, name } of chatCallsOf(chat)) names.set(id, name);
    if (chat.role !== "tool") {
      prompt.push(...otherMessage(chat, memory));
      continue;
    }
    const origin = originOf<Source>(chat);
    // It is in the assistant's own message already.
    if (origin?.source.message.role === "assistant") continue;
    const part = resultPart(chat, origin, names);
    const last = prompt.at(-1);
    if (last?.role === "tool") last.content.push(part);
    else prompt.push({ ...settingsOf(origin), role: "tool", content: [part] });
  }
  return prompt;
}

const settingsOf = (origin: Origin<Source> | undefined): Pick<LanguageModelV4Message, "providerOptions"> => {
  const { providerOptions } = origin?.source.message ?? {};
  return providerOptions ? { providerOptions } : {};
};

function otherMessage(chat: JsonObject, memory: StepMemory): LanguageModelV4Message[] {
  const origin = originOf<Source>(chat);
  if (origin && isUnchanged(chat, origin)) return [origin.source.message];
  const text = textOf(chat.content);
  if (chat.role === "assistant") {
    const content = origin ? changedParts(chat, origin) : hiddenParts(chat, memory);
    return content.length === 0 ? [] : [{ ...settingsOf(origin), role: "assistant", content }];
  }
  if (chat.role === "user") {
    const files =
      origin?.source.message.role === "user" ? origin.source.message.content.filter(({ type }) => type === "file") : [];
    return [{ ...settingsOf(origin), role: "user", content: [{ type: "text", text }, ...files] }];
  }
  return [{ ...settingsOf(origin), role: "system", content: text }];
}

/** Parts of a message whose text or calls the turn has changed: all others stay. */
function changedParts(chat: JsonObject, { source: { message }, content, calls }: Origin<Source>): AssistantPart[] {
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

/** Parts of a message that the client never saw. */
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

const callParts = (chat: JsonObject): Extract<AssistantPart, { type: "tool-call" }>[] =>
  chatCallsOf(chat).map(({ id, name, arguments: args }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input: readArgs(args),
  }));

function resultPart(
  chat: JsonObject,
  origin: Origin<Source> | undefined,
  names: ReadonlyMap<string, string>,
): LanguageModelV4ToolResultPart {
  const id = String(chat.tool_call_id);
  const part = origin?.source.part;
  if (!origin || !part)
    return {
      type: "tool-result",
      toolCallId: id,
      toolName: names.get(id) ?? "unknown",
      output: { type: "text", value: textOf(chat.content) },
    };
  if (chat.content === origin.content) return part;
  return { ...part, output: changedOutput(chat.content, origin) };
}

function changedOutput(
  content: unknown,
  { source: { part }, content: before }: Origin<Source>,
): LanguageModelV4ToolResultOutput {
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
