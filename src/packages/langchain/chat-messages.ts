/** Messages of LangChain in the form of chat messages, and back. */
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import {
  chatCallsOf,
  chatPart,
  failureText,
  isUnchanged,
  type Origin,
  originOf,
  readArgs,
  wireCallOf,
  withOrigin,
} from "../kernel/chat-origin.ts";

export const chatMessages = (messages: readonly BaseMessage[]): readonly JsonObject[] =>
  messages.map((message) => withOrigin(toChat(message), message));

function toChat(message: BaseMessage): JsonObject {
  const { content } = message;
  if (ToolMessage.isInstance(message))
    return { role: "tool", tool_call_id: message.tool_call_id, content: resultContent(message) };
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map(({ id = "", name, args }) =>
      wireCallOf({ id, name, arguments: JSON.stringify(args) }),
    );
    return { role: "assistant", content: message.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  }
  const role = SystemMessage.isInstance(message) ? "system" : "user";
  // Messages of other roles (a named participant's, a program's) are not the user's words.
  const isOther = role === "user" && !HumanMessage.isInstance(message);
  if (isOther) return { role: "system", content: message.text };
  return { role, content: typeof content === "string" ? content : content.map((part) => chatPart(part, "text")) };
}

function resultContent({ content, status }: ToolMessage): unknown {
  if (typeof content !== "string") return content.map((part) => chatPart(part, "text"));
  return status === "error" ? failureText(content) : content;
}

/** @param thoughts of answers whose calls the client never saw, by the ids of the calls. */
export function langchainMessages(
  messages: readonly unknown[],
  thoughts: ReadonlyMap<string, AIMessage>,
): readonly BaseMessage[] {
  const names = new Map<string, string>();
  return messages.filter(isObject).map((chat) => {
    for (const { id, name } of chatCallsOf(chat)) names.set(id, name);
    const origin = originOf<BaseMessage>(chat);
    if (origin && isUnchanged(chat, origin)) return origin.source;
    return newMessage(chat, origin, names, thoughts);
  });
}

function newMessage(
  chat: JsonObject,
  origin: Origin<BaseMessage> | undefined,
  names: ReadonlyMap<string, string>,
  thoughts: ReadonlyMap<string, AIMessage>,
): BaseMessage {
  const content = contentOf(chat.content, origin);
  switch (chat.role) {
    case "system":
      return new SystemMessage({ content } as { content: string });
    case "user":
      return new HumanMessage({ content } as { content: string });
    case "tool": {
      const id = String(chat.tool_call_id);
      const before = origin?.source;
      const status = before && ToolMessage.isInstance(before) ? before.status : undefined;
      const name = names.get(id) ?? "unknown";
      return new ToolMessage({ tool_call_id: id, name, content: content as string, ...(status ? { status } : {}) });
    }
    default:
      return assistantMessage(chat, origin, thoughts);
  }
}

/** Parts that are no text stay as they were. */
function contentOf(content: unknown, origin: Origin<BaseMessage> | undefined): unknown {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  const before = Array.isArray(origin?.content) ? origin.content : [];
  const own = Array.isArray(origin?.source.content) ? origin.source.content : [];
  return content.map((part: unknown) => {
    const at = before.indexOf(part);
    return at === -1 ? { type: "text", text: isObject(part) ? String(part.text ?? "") : "" } : own[at];
  });
}

function assistantMessage(
  chat: JsonObject,
  origin: Origin<BaseMessage> | undefined,
  thoughts: ReadonlyMap<string, AIMessage>,
): AIMessage {
  const calls = chatCallsOf(chat);
  const made = thoughts.get(calls[0]?.id ?? "");
  const text = typeof chat.content === "string" ? chat.content : "";
  const before = origin && AIMessage.isInstance(origin.source) ? origin.source : made;
  return rebuiltAnswer(before, text, calls);
}

interface RebuiltCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Members that hold calls as the provider sent them, before they were vetted. */
const RAW_CALLS: ReadonlySet<string> = new Set([
  "tool_calls",
  "function_call",
  "tool_outputs",
  "output",
  "parsed",
  "logprobs",
]);

/** @param answer its thoughts are kept, its calls are replaced by `calls`. */
export function rebuiltAnswer(answer: AIMessage | undefined, text: string, calls: readonly RebuiltCall[]): AIMessage {
  const blocks = Array.isArray(answer?.content) ? answer.content.filter(isThought) : [];
  const words = text === "" ? [] : [{ type: "text", text }];
  const uses = calls.map(({ id, name, arguments: args }) => ({ type: "tool_use", id, name, input: readArgs(args) }));
  // A provider that speaks in blocks wants its calls back as blocks.
  const hasUses =
    Array.isArray(answer?.content) && answer.content.some((part) => isObject(part) && part.type === "tool_use");
  const content = blocks.length === 0 && !hasUses ? text : [...blocks, ...words, ...(hasUses ? uses : [])];
  return new AIMessage({
    ...(answer?.id ? { id: answer.id } : {}),
    content: content as string,
    tool_calls: calls.map(({ id, name, arguments: args }) => ({ id, name, args: readArgs(args), type: "tool_call" })),
    additional_kwargs: without(answer?.additional_kwargs),
    response_metadata: without(answer?.response_metadata),
    ...(answer?.usage_metadata ? { usage_metadata: answer.usage_metadata } : {}),
  });
}

const isThought = (part: unknown): boolean =>
  isObject(part) && /^(thinking|redacted_thinking|reasoning)$/.test(String(part.type));

const without = (members: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => !RAW_CALLS.has(name)));
