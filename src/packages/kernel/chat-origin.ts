/**
 * Chat messages that are made from a framework's messages, and remember them. The framework's hold more than chat messages have a place
 * for: those that the turn did not change go to the model as they came.
 */
import { sha256Hex } from "../../lib/digest.ts";
import { isObject, type JsonObject, parseObject } from "../../lib/json/json-value.ts";

/** A member with a symbol: copies of the message keep it, and it is never written as JSON. */
const ORIGIN: unique symbol = Symbol("origin");

export interface Origin<Source> {
  readonly source: Source;
  readonly content: unknown;
  readonly calls: unknown;
}

export function withOrigin<Source>(chat: JsonObject, source: Source): JsonObject {
  const origin: Origin<Source> = { source, content: chat.content, calls: chat.tool_calls };
  return Object.assign(chat, { [ORIGIN]: origin });
}

/** Undefined for messages that the turn made. */
export const originOf = <Source>(chat: JsonObject): Origin<Source> | undefined =>
  (chat as { readonly [ORIGIN]?: Origin<Source> })[ORIGIN];

/** Whether the turn left it as it was. */
export const isUnchanged = (chat: JsonObject, { content, calls }: Origin<unknown>): boolean =>
  content === chat.content && calls === chat.tool_calls;

interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export function chatCallsOf({ tool_calls: calls }: JsonObject): readonly ChatCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map(({ id, function: { name, arguments: args } }: WireCall) => ({ id, name, arguments: args }));
}

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export const wireCallOf = ({ id, name, arguments: args }: ChatCall): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

/** @param textType how the framework marks a part of text. Any other part is represented by its digest. */
export const chatPart = (part: unknown, textType: string): JsonObject =>
  isObject(part) && part.type === textType && typeof part.text === "string"
    ? { type: "text", text: part.text }
    : { type: "file", digest: sha256Hex(JSON.stringify(part)) };

/** A failed result as text. The turn recognises failures by this form. */
export const failureText = (text: string): string =>
  /^\s*(error|exception)\b\s*:/i.test(text) ? text : `Error: ${text}`;

/** A refused call may have arguments that are no JSON. */
export const readArgs = (text: string): Record<string, unknown> => parseObject(text) ?? {};
