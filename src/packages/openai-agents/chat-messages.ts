/**
 * Items of the OpenAI Agents SDK in the form of chat messages, and back. All items of one answer of the model (thoughts, words, calls) are
 * one chat message.
 */
import type { AgentInputItem, AgentOutputItem } from "@openai/agents";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { textOf } from "../../wire/conversation.ts";
import {
  chatCallsOf,
  chatPart,
  failureText,
  isUnchanged,
  originOf,
  wireCallOf,
  withOrigin,
} from "../kernel/chat-origin.ts";

type Source = readonly AgentInputItem[];

type CallItem = Extract<AgentInputItem, { type: "function_call" }>;
export type ResultItem = Extract<AgentInputItem, { type: "function_call_result" }>;

export function chatMessages(instructions: string | undefined, input: string | Source): readonly JsonObject[] {
  const items: Source = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const messages: JsonObject[] = [];
  if (instructions) messages.push(withOrigin<Source>({ role: "system", content: instructions }, []));
  let answer: AgentInputItem[] = [];
  const flush = (): void => {
    if (answer.length > 0) messages.push(answerMessage(answer));
    answer = [];
  };
  for (const item of items) {
    if (isOfAnswer(item)) {
      // An answer's words come before its calls: words after a call are another answer.
      if (!("type" in item && item.type === "function_call") && answer.some(isCall)) flush();
      answer.push(item);
      continue;
    }
    flush();
    messages.push(withOrigin<Source>(otherMessage(item), [item]));
  }
  flush();
  return messages;
}

const isCall = (item: AgentInputItem): item is CallItem => "type" in item && item.type === "function_call";
const isResult = (item: AgentInputItem): item is ResultItem => "type" in item && item.type === "function_call_result";
const isAssistant = (item: AgentInputItem) => "role" in item && item.role === "assistant";

const isOfAnswer = (item: AgentInputItem): boolean =>
  isAssistant(item) || ("type" in item && item.type !== undefined && !isResult(item) && item.type !== "message");

function answerMessage(items: Source): JsonObject {
  const text = items.map((item) => (isAssistant(item) ? wordsOf(item) : "")).join("");
  const calls = items
    .filter(isCall)
    .map(({ callId: id, name, arguments: args }) => wireCallOf({ id, name, arguments: args }));
  const chat = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return withOrigin<Source>(chat, items);
}

export function wordsOf({ content }: { readonly content?: unknown }): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function otherMessage(item: AgentInputItem): JsonObject {
  if (isResult(item)) return { role: "tool", tool_call_id: item.callId, content: outputOf(item) };
  const { role, content } = item as { readonly role?: unknown; readonly content?: unknown };
  if (role === "system") return { role, content: typeof content === "string" ? content : wordsOf(item as never) };
  if (typeof content === "string") return { role: "user", content };
  return { role: "user", content: Array.isArray(content) ? content.map((part) => chatPart(part, "input_text")) : "" };
}

function outputOf({ output, status }: ResultItem): unknown {
  if (Array.isArray(output)) return output.map((part) => chatPart(part, "input_text"));
  const text = typeof output === "string" ? output : output.type === "text" ? output.text : JSON.stringify(output);
  return status === "incomplete" ? failureText(text) : text;
}

interface ModelInput {
  readonly instructions: string | undefined;
  readonly items: AgentInputItem[];
}

/** @param thoughts of answers whose calls the client never saw, by the ids of the calls. */
export function modelInput(
  messages: readonly unknown[],
  thoughts: ReadonlyMap<string, readonly AgentOutputItem[]>,
): ModelInput {
  const chats = messages.filter(isObject);
  const [first] = chats;
  // The turn's own note takes the place of the program's instructions.
  const isFirst = first?.role === "system" && (originOf<Source>(first)?.source ?? []).length === 0;
  const names = new Map(chats.flatMap((chat) => chatCallsOf(chat).map(({ id, name }) => [id, name] as const)));
  const items = (isFirst ? chats.slice(1) : chats).flatMap((chat) => itemsOf(chat, names, thoughts));
  return { instructions: isFirst ? textOf(first.content) : undefined, items };
}

function itemsOf(
  chat: JsonObject,
  names: ReadonlyMap<string, string>,
  thoughts: ReadonlyMap<string, readonly AgentOutputItem[]>,
): AgentInputItem[] {
  const origin = originOf<Source>(chat);
  if (origin && isUnchanged(chat, origin)) return [...origin.source];
  const [own] = origin?.source ?? [];
  const text = textOf(chat.content);
  if (chat.role === "system") return [{ role: "system", content: text }];
  if (chat.role === "user") return [{ ...(own as object), role: "user", content: text }];
  if (chat.role === "tool") {
    const callId = String(chat.tool_call_id);
    const item: ResultItem = {
      type: "function_call_result",
      name: names.get(callId) ?? "unknown",
      callId,
      status: "completed",
      output: text,
      ...(own && isResult(own) ? { id: own.id, status: own.status, name: own.name } : {}),
    };
    return [item];
  }
  const calls = chatCallsOf(chat);
  const made = origin?.source ?? thoughts.get(calls[0]?.id ?? "") ?? [];
  const kept = made.filter((item) => !isAssistant(item) && !isCall(item));
  return [...kept, ...(text === "" ? [] : [assistantItem(text)]), ...calls.map(callItem)];
}

export const assistantItem = (text: string): Extract<AgentOutputItem, { role: "assistant" }> => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});

export const callItem = ({ id, name, arguments: args }: { id: string; name: string; arguments: string }): CallItem => ({
  type: "function_call",
  callId: id,
  name,
  arguments: args,
  status: "completed",
});
