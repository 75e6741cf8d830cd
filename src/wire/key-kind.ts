/** What the key of an upstream's object says about its member, whatever way it is spelled. Pure. */
import { foldKey } from "../lib/names.ts";

export interface KeyKind {
  /** It names calls: `tool_calls`, `toolCalls`, `function_call`, `tool_use`, … */
  readonly call: boolean;
  /** Only the gateway says it, or it is the protocol's in another spelling. */
  readonly foreign: boolean;
  /** A whole message: where the deltas are the words, it is no place for any. */
  readonly message: boolean;
  readonly type: boolean;
}

const CALL = /tool[_-]?calls?|function[_-]?calls?|tool[_-]?use|tool[_-]?invocation/;

const PROTOCOL: ReadonlySet<string> = new Set([
  ...["id", "object", "created", "model", "choices", "usage", "error", "system_fingerprint", "service_tier"],
  ...["index", "delta", "message", "messages", "finish_reason", "logprobs"],
  ...["role", "content", "refusal", "tool_calls", "function_call", "reasoning_content", "reasoning", "audio"],
]);

/** A stream has the same keys in each event; keeping their kinds saves 0.5 µs of 3.5 µs an event. An upstream chooses them. */
const known = new Map<string, KeyKind>();
const MAX_KNOWN = 1000;
const MAX_KEY_UNITS = 64;

export function keyKind(key: string): KeyKind {
  const found = known.get(key);
  if (found) return found;
  const kind = tellKind(key);
  if (known.size < MAX_KNOWN && key.length <= MAX_KEY_UNITS) known.set(key, kind);
  return kind;
}

function tellKind(key: string): KeyKind {
  const folded = foldKey(key);
  return {
    call: isCallName(folded),
    foreign: folded === "toolgate" || (folded !== key && PROTOCOL.has(folded)),
    message: folded === "message" || folded === "messages",
    type: folded === "type",
  };
}

/** @param folded a key or a type. */
export const isCallName = (folded: string): boolean => CALL.test(folded);
