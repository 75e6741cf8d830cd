/**
 * Reads a request's place in a conversation from its messages. Pure; reads only.
 */

import { summaryRequest } from "../intent/user-message/client-marks.ts";
import { isSummary, withoutClientText } from "../intent/user-message/without-client-text.ts";
import { sha256Hex } from "../lib/digest.ts";
import { isObject, type JsonObject } from "../lib/json/json-value.ts";
import {
  type ConversationFingerprint,
  collapseWhitespace,
  conversationKeyOf,
  MAX_REPLIES,
  promptSketch,
  replyMarks,
} from "../session/conversation-fingerprint.ts";

export interface ToolResult {
  /** The id of the call that it answers. */
  readonly callId: string;
  readonly succeeded: boolean;
  /** Absent unless it may be kept. */
  readonly text?: string;
}

export interface Conversation {
  /**
   * The user's own words in a new message; undefined on a continuation: tool results, or a message of the client's own that
   * holds nothing of the user's.
   */
  readonly newMessage: string | undefined;
  /** The text of the assistant message that a new message follows, if that is short enough to be an answer to it. */
  readonly previousReply: string | undefined;
  /** Results that follow the last assistant message with calls. */
  readonly results: readonly ToolResult[];
  /**
   * Finds a session of a client that names none: digest of the first user message that holds words of the user's, and of these alone.
   * Text that clients write before it changes: older qwen-code begins with a list of the folder's files.
   */
  readonly firstMessageDigest: string;
  /** Digest of the first message with the first reply; undefined before there is one. */
  readonly conversationKey: string | undefined;
  /** Tells whether the request continues a conversation. Absent: it belongs to the session that it names. */
  readonly fingerprint?: ConversationFingerprint | undefined;
}

/** UTF-16 units of the longest message that is taken for an answer. */
export const MAX_ANSWER = 4 * 1024;

export function readConversation(messages: readonly JsonObject[]): Conversation {
  const first = firstWords(messages);
  const at = messages.findIndex(({ role }, index) => index > first && role === "assistant");
  const firstReply = at === -1 ? undefined : replyAt(messages, at);
  const firstMessageDigest = sha256Hex(normalise(ownContent(messages[first]?.content)));
  const newMessage = lastWords(messages);
  return {
    newMessage,
    previousReply: newMessage !== undefined && newMessage.length <= MAX_ANSWER ? lastReply(messages) : undefined,
    results: readResults(messages),
    firstMessageDigest,
    conversationKey: firstReply && conversationKeyOf(firstMessageDigest, firstReply.callIds, firstReply.text),
    fingerprint: fingerprintOf(messages),
  };
}

/** Codex keeps some of the user's messages before its summary. */
const SUMMARY_AMONG = 20;

function fingerprintOf(messages: readonly JsonObject[]): ConversationFingerprint {
  const replies: string[][] = [];
  for (let index = messages.length - 1; index >= 0 && replies.length < MAX_REPLIES; index -= 1) {
    if (messages[index]?.role !== "assistant") continue;
    const { callIds, text, length, last } = replyEndingAt(messages, index);
    const marks = new Set([...replyMarks(callIds, text), ...replyMarks(callIdsOf(last), textOf(last.content))]);
    if (marks.size > 0) replies.push([...marks]);
    index -= length - 1;
  }
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  // A summary comes first: messages after it are the conversation's own.
  const begins = messages.filter(({ role }) => role === "user").slice(0, SUMMARY_AMONG);
  const isCompacted = begins.some(({ content }, index) =>
    textParts(content).some((text) => isSummary(text) || (index === 0 && text.trim() === summaryRequest)),
  );
  return {
    replies,
    prompt: promptSketch(system.map(({ content }) => textOf(content)).join("\n")),
    ...(isCompacted ? { isCompacted } : {}),
  };
}

/** The index of the user's first message with words of their own; of the first user message if none has any; -1 if there is none. */
function firstWords(messages: readonly JsonObject[]): number {
  const own = messages.findIndex(({ role, content }) => role === "user" && withoutClientText(content) !== undefined);
  return own >= 0 ? own : messages.findIndex(({ role }) => role === "user");
}

/** Some clients put their own words into a message behind the user's. */
function lastWords(messages: readonly JsonObject[]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const { role, content } = messages[at] as JsonObject;
    if (role === "system" || role === "developer") continue;
    const words = role === "user" ? withoutClientText(content) : undefined;
    if (role !== "user" || words !== undefined) return words;
  }
  return undefined;
}

/** A message's content with the user's text in place of its texts, if those hold anything else. */
function ownContent(content: unknown): unknown {
  const words = withoutClientText(content);
  if (!words || words === userTextIn(content)) return content;
  const others = Array.isArray(content)
    ? content.filter((part) => !isObject(part) || typeof part.text !== "string")
    : [];
  return [{ text: words }, ...others];
}

function lastReply(messages: readonly JsonObject[]): string | undefined {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  return at === -1 ? undefined : replyEndingAt(messages, at).text;
}

interface ReplyRun {
  readonly callIds: readonly string[];
  readonly text: string;
  /** How many messages it is. */
  readonly length: number;
  readonly last: JsonObject;
}

/** One reply may be several messages of the assistant: a client of the Responses API gets, and sends, its words item by item. */
function replyAt(messages: readonly JsonObject[], first: number): ReplyRun {
  let end = first;
  while (messages[end + 1]?.role === "assistant") end += 1;
  return replyOf(messages.slice(first, end + 1));
}

function replyEndingAt(messages: readonly JsonObject[], end: number): ReplyRun {
  let first = end;
  while (messages[first - 1]?.role === "assistant") first -= 1;
  return replyOf(messages.slice(first, end + 1));
}

const replyOf = (run: readonly JsonObject[]): ReplyRun => ({
  callIds: run.flatMap(callIdsOf),
  text: run.map(({ content }) => textOf(content)).join("\n"),
  length: run.length,
  last: run.at(-1) as JsonObject,
});

export function callIdsOf(message: JsonObject): string[] {
  if (!Array.isArray(message.tool_calls)) return [];
  return message.tool_calls.flatMap((call: unknown) =>
    isObject(call) && typeof call.id === "string" ? [call.id] : [],
  );
}

export function callsIn({ tool_calls: calls }: JsonObject): (readonly [id: string, tool: string])[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) =>
    isObject(call) && typeof call.id === "string" && isObject(call.function) && typeof call.function.name === "string"
      ? [[call.id, call.function.name] as const]
      : [],
  );
}

/** The arguments of the call with this id; undefined if there is none, or they are no JSON. */
export function argumentsOf({ tool_calls: calls }: JsonObject, id: string): unknown {
  const call: unknown = Array.isArray(calls) ? calls.find((one) => isObject(one) && one.id === id) : undefined;
  const text = isObject(call) && isObject(call.function) ? call.function.arguments : undefined;
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a message's content, its parts joined; other parts have none. */
export const textOf = (content: unknown): string => textParts(content).join("\n");

/** A provider's words: some send a list of parts in place of a text. */
export const joinedText = (content: unknown): string => textParts(content).join("");

/** The text of each part, "" for a part without one. */
export function textParts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.map((part: unknown) => (isObject(part) && typeof part.text === "string" ? part.text : ""));
}

/** The text that a user wrote: a text that comes with parts of other types (a file, a search result) is not the user's words. */
export function userTextIn(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  const isText = (part: unknown) => isObject(part) && (part.type === "text" || part.type === undefined);
  return textOf(content.map((part: unknown) => (isText(part) ? part : undefined)));
}

function readResults(messages: readonly JsonObject[]): ToolResult[] {
  const from = messages.findLastIndex((message) => message.role === "assistant" && callIdsOf(message).length > 0);
  return messages.slice(from + 1).flatMap((message) => {
    if (from === -1 || message.role !== "tool" || typeof message.tool_call_id !== "string") return [];
    return [{ callId: message.tool_call_id, succeeded: succeeded(textOf(message.content)) }];
  });
}

/** Told apart by shape: an object with an error, `isError`, or a success flag that says no. */
function succeeded(text: string): boolean {
  if (/^\s*(error|exception)\b\s*:/i.test(text)) return false;
  if (!/^\s*\{/.test(text)) return true;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return true;
    const failed = value.isError === true || value.is_error === true || value.success === false || value.ok === false;
    return !failed && (value.error == null || value.error === false || value.error === "");
  } catch {
    return true;
  }
}

/** Text is compared without its white space; images and other parts by their whole form. */
function normalise(content: unknown): string {
  if (typeof content === "string" || content == null) return collapseWhitespace(content ?? "");
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part: unknown) =>
      isObject(part) && typeof part.text === "string" ? collapseWhitespace(part.text) : JSON.stringify(part),
    )
    .join("\n");
}
