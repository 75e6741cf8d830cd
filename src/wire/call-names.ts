/**
 * Finds members that a lax reader could take for a call, outside the place where calls belong. Pure.
 *
 * A key counts in any spelling (case, `_` and `-`, Unicode forms, invisible characters). A `type` counts by its value.
 */
import { isObject, type JsonObject, listIn } from "../lib/json/json-value.ts";
import { foldKey } from "../lib/names.ts";

/** Kinds of items that are calls: `function`, `tool_use`, `local_shell_call`, and the `tool-NAME` of UI messages. */
const CALL_TYPE = /^(?:dynamic[_-]?)?tools?$|^functions?$|^custom$|^tool-|[_-]calls?$/;
/** Groq's list of the tools that it ran itself. Its items have types such as `function`, and no client runs them again. */
const RAN_BY_PROVIDER = "executed_tools";
const MAX_DEPTH = 32;
const NONE: ReadonlySet<string> = new Set();

/** The first key or type (at any depth) that names a call and is not empty. @param except members that are not looked at. */
export function findCallName(value: unknown, except: ReadonlySet<string> = NONE): string | undefined {
  return findIn(value, except, 0, false);
}

const NOT_IN_ANSWER: ReadonlySet<string> = new Set(["choices", "usage"]);
/** Writer repeats the delta, its calls among it, in `message`, which is removed. */
const NOT_IN_CHOICE = { delta: new Set(["delta", "message"]), message: new Set(["message"]) } as const;
const NOT_IN_MEMBER: ReadonlySet<string> = new Set(["tool_calls"]);

/**
 * Finds calls in an answer, or in an event of it, at places that the gateway does not read but a client might.
 * @param member of a choice: its `tool_calls` are read.
 */
export function findCallOutside(answer: JsonObject, member: "delta" | "message"): string | undefined {
  const around = findCallName(answer, NOT_IN_ANSWER) ?? findCallInUsage(answer.usage);
  if (around !== undefined) return around;
  for (const choice of listIn(answer.choices)) {
    const inside = isObject(choice) ? choice[member] : undefined;
    const found = findCallName(choice, NOT_IN_CHOICE[member]) ?? findCallName(inside, NOT_IN_MEMBER);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** As `findCallName`, in a provider's usage, whose items may have any type. */
const findCallInUsage = (usage: unknown): string | undefined => findIn(usage, NONE, 0, true);

function findIn(value: unknown, except: ReadonlySet<string>, depth: number, ran: boolean): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth > MAX_DEPTH) return "(nested too deeply)";
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = findIn(item, NONE, depth + 1, ran);
      if (found) return found;
    }
    return undefined;
  }
  for (const key in value) {
    if (except.has(key)) continue;
    const item = (value as JsonObject)[key];
    const { call, type } = keyKind(key);
    if (call && holdsText(item)) return key;
    if (type && !ran && typeof item === "string" && isCallType(item)) return item;
    const found = typeof item === "object" ? findIn(item, NONE, depth + 1, ran || key === RAN_BY_PROVIDER) : undefined;
    if (found) return found;
  }
  return undefined;
}

function isCallType(value: string): boolean {
  const type = foldKey(value);
  return isCallName(type) || CALL_TYPE.test(type);
}

/** A value without text names nothing: counts (`server_tool_use: { web_search_requests: 3 }`), switches, empty fields. */
function holdsText(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((item) => holdsText(item, depth + 1));
}

/** Whether there is nothing in a value, however deep it is. */
export function isBlank(value: unknown, depth = 0): boolean {
  if (value === null || value === undefined || value === "") return true;
  return (
    typeof value === "object" && depth < MAX_DEPTH && Object.values(value).every((item) => isBlank(item, depth + 1))
  );
}

interface KeyKind {
  /** It names calls: `tool_calls`, `toolCalls`, `function_call`, `tool_use`, … */
  readonly call: boolean;
  /** Only the gateway says it, or it is the protocol's in another spelling. */
  readonly foreign: boolean;
  /** A whole message: if the content is in the deltas, it does not belong there. */
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
  const kind = classifyKey(key);
  if (known.size < MAX_KNOWN && key.length <= MAX_KEY_UNITS) known.set(key, kind);
  return kind;
}

function classifyKey(key: string): KeyKind {
  const folded = foldKey(key);
  return {
    call: isCallName(folded),
    foreign: folded === "toolgate" || (folded !== key && PROTOCOL.has(folded)),
    message: folded === "message" || folded === "messages",
    type: folded === "type",
  };
}

/** @param folded a key or a type. */
const isCallName = (folded: string): boolean => CALL.test(folded);
