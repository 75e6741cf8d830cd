/**
 * Reads a stream of the Responses API once, before the SDK does. To a client of the same API, text events go as they came, and so do the
 * items of the hosted tools that were offered; the SDK gets the others. The stream is disorderly if it holds anything but text, calls of
 * functions and calls of offered tools, or anything after its end.
 */
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { hasOddKeys } from "../../lib/json/strict-json.ts";
import { twinsOf } from "../../lib/names.ts";
import { findCallName } from "../../wire/call-names.ts";
import { notComplete } from "../../wire/finish-reasons.ts";
import { COMPUTER, computerArguments } from "../../wire/responses/computer.ts";
import { customArguments } from "../../wire/responses/custom-tools.ts";
import { statedMembers } from "../../wire/responses/upstream-form.ts";
import { type SseEvent, splitSse } from "../../wire/sse-split.ts";
import { eventJson } from "../../wire/write-event.ts";
import { MAX_KEPT_TEXT } from "../relay/relay-stream.ts";
import { DisorderlyStream } from "./stream-fault.ts";

/** What the client got without the SDK. */
interface TappedWords {
  text: string;
  reasoning: string;
  begun: boolean;
  /** Complete items, if they are kept. */
  readonly items: JsonObject[];
  /** The provider's statements about its response, at its end. */
  stated: JsonObject;
}

interface TapOptions {
  /** Whether text goes to the client as it came; otherwise to the SDK. */
  readonly relaysWords: boolean;
  /** Whether the client gets the answer whole: then items are kept, and nothing is written. */
  readonly keepsItems: boolean;
  /** Whether the client brought the computer tool: its calls become function calls for the SDK. */
  readonly takesComputer: boolean;
  /** Whether the client brought tools that take free text, likewise. */
  readonly takesCustom: boolean;
  /** The name of the offered tool that an item belongs to; undefined for any other item. */
  readonly hostedTool: (item: JsonObject) => string | undefined;
  readonly onHosted: (item: JsonObject, tool: string) => void;
  /** Called before the first text, or item, goes out. */
  readonly onBegun: () => void;
  readonly write: (events: string) => void;
}

export interface ResponsesTap {
  readonly words: TappedWords;
  /** @returns the part of a piece of the body that the SDK gets. Throws if the stream is not orderly. */
  read(bytes: Uint8Array): Uint8Array;
}

const ENDS = new Set(["response.completed", "response.incomplete", "response.failed"]);
/** Reasons for which an answer may be incomplete, with all its calls dropped. */
const CUTS: ReadonlySet<unknown> = new Set(["max_output_tokens", "content_filter"]);
const ADDED = "response.output_item.added";
const DONE = "response.output_item.done";
const WORD_ITEMS = new Set(["message", "reasoning"]);
const WORD_EVENTS =
  /^response\.(content_part\.(added|done)|output_text\.(delta|done|annotation\.added)|refusal\.(delta|done)|reasoning_text\.(delta|done)|reasoning_summary_(part\.(added|done)|text\.(delta|done)))$/;
const CUSTOM_EVENTS = /^response\.custom_tool_call_input\.(delta|done)$/;
/** Progress events of a hosted tool's item. */
const HOSTED_EVENTS =
  /^response\.(web_search_call|file_search_call|code_interpreter_call(_code)?|image_generation_call|mcp_call(_arguments)?|mcp_list_tools)\./;

const eventTwin = twinsOf([
  "type",
  "item",
  "item_id",
  "output_index",
  "sequence_number",
  "part",
  "delta",
  "response",
  "error",
]);
const itemTwin = twinsOf([
  "type",
  "id",
  "role",
  "status",
  "content",
  "call_id",
  "name",
  "arguments",
  "input",
  "summary",
]);

/** UTF-16 units of the items of an answer that is sent whole: images come as text. */
const MAX_ITEM_UNITS = 16 * 1024 * 1024;

/** How many items may be open at once. */
const MAX_OPEN = 64;

type EventKind = "words" | "hosted" | "computer" | "custom" | "other";
/** Calls that become function calls. */
const CALL_KINDS: ReadonlySet<EventKind> = new Set(["computer", "custom"]);

export function tapResponses(options: TapOptions): ResponsesTap {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const splitter = splitSse();
  const words: TappedWords = { text: "", reasoning: "", begun: false, items: [], stated: {} };
  let ended = false;
  let called = false;
  /** Open items, by their index. Some providers close one after the next has begun. */
  const open = new Map<unknown, EventKind>();
  const slots = new Map<unknown, number>();
  /** Text of calls that are text, by their index. */
  const texts = new Map<unknown, string>();
  let kept = 0;

  /** Every event belongs to an item that the client was shown, and is of the same kind. */
  const place = ({ type, output_index: index }: JsonObject, kind: EventKind): void => {
    if (type === ADDED && !open.has(index) && open.size < MAX_OPEN) open.set(index, kind);
    else if (type === ADDED || open.get(index) !== kind)
      throw new DisorderlyStream("an event of the answer is of no open item");
    if (type === DONE) open.delete(index);
  };

  /** The pieces of a text must add up to the text. */
  const checkText = ({ type, output_index: index, delta, input, item }: JsonObject): void => {
    const soFar = texts.get(index);
    if (typeof delta === "string") texts.set(index, (soFar ?? "") + delta);
    const whole = type === DONE && isObject(item) ? item.input : input;
    if (whole !== undefined && soFar !== undefined && whole !== soFar)
      throw new DisorderlyStream("the pieces of a call do not add up to its text");
    if (type === DONE) texts.delete(index);
  };

  const relay = (event: JsonObject, data: string, kind: EventKind): void => {
    place(event, kind);
    checkKeys(event);
    if (kind === "words") checkWords(event);
    if (!words.begun) options.onBegun();
    words.begun = true;
    if (kind === "words") collect(words, event, options.keepsItems ? MAX_ITEM_UNITS : MAX_KEPT_TEXT);
    const { type, item } = event;
    if (!options.keepsItems) {
      const odd = /[\r\n\u0085\u2028\u2029]/.test(data) || hasOddKeys(data);
      options.write(`event: ${String(type)}\ndata: ${odd ? eventJson(event) : data}\n\n`);
    } else if (isObject(item)) {
      // In the order in which they began.
      if (type === ADDED) slots.set(event.output_index, words.items.push(item) - 1);
      else words.items[slots.get(event.output_index) as number] = item;
      kept += data.length;
      if (kept > MAX_ITEM_UNITS) throw new DisorderlyStream("the answer is too long: ask for a stream");
    }
  };

  /** @returns what the SDK gets. */
  const take = ({ raw, data = "" }: SseEvent): string => {
    if (data.trim() === "" || data.trim() === "[DONE]") return raw;
    if (ended) throw new DisorderlyStream("the stream went on after its end");
    const event = parsed(data);
    // The SDK reports what is not JSON.
    if (!isObject(event)) return raw;
    ended = ENDS.has(String(event.type));
    if (ended) checkEnd(event, [...open.values()], called);
    if (ended) words.stated = statedMembers(event.response);
    const kind = kindOf(event, options);
    called ||= CALL_KINDS.has(kind) || (kind === "other" && isObject(event.item));
    if (kind === "computer" || kind === "custom") {
      place(event, kind);
      if (kind === "custom") checkText(event);
      return event.type === DONE ? functionCall(event) : "";
    }
    if (kind === "other" || (kind === "words" && !options.relaysWords)) return raw;
    relay(event, data, kind);
    const { item, type } = event;
    if (!isObject(item)) return "";
    const tool = kind === "hosted" && type === DONE ? options.hostedTool(item) : undefined;
    if (tool !== undefined) options.onHosted(item, tool);
    // The SDK passes on what the provider encrypted.
    return item.type === "reasoning" ? raw : "";
  };

  return {
    words,
    read: (bytes) =>
      encoder.encode(
        splitter
          .push(decoder.decode(bytes, { stream: true }))
          .map(take)
          .join(""),
      ),
  };
}

/**
 * Throws at an end after which the answer does not count. The SDK takes an unknown end for an orderly one if there are calls.
 * @param open the items that have not ended.
 */
function checkEnd({ type, response }: JsonObject, open: readonly EventKind[], called: boolean): void {
  const { incomplete_details: details, error } = isObject(response) ? response : {};
  const reason = isObject(details) ? details.reason : undefined;
  const isCut = CUTS.has(reason);
  // No call of a cut-off answer counts: it needs no end.
  if (open.some((kind) => !isCut || !CALL_KINDS.has(kind)))
    throw new DisorderlyStream("an item of the answer has no end");
  if (type === "response.failed" && error == null) throw new DisorderlyStream("the provider reported that it failed");
  const isWhole = type === "response.completed" && reason == null;
  if (called && type !== "response.failed" && !isWhole && !isCut)
    throw new DisorderlyStream(
      notComplete(typeof reason === "string" ? reason.slice(0, 64).toWellFormed() : "incomplete"),
    );
}

/** Throws for what no client may get. */
function kindOf(event: JsonObject, { hostedTool, takesComputer, takesCustom }: TapOptions): EventKind {
  const type = String(event.type);
  if (type === ADDED || type === DONE) {
    const { item } = event;
    const of = isObject(item) ? String(item.type) : "";
    if (WORD_ITEMS.has(of)) return "words";
    if (of === "function_call") return "other";
    if (of === "computer_call" && takesComputer) return "computer";
    if (of === "custom_tool_call" && takesCustom) return "custom";
    if (isObject(item) && hostedTool(item) !== undefined) return "hosted";
    throw new DisorderlyStream(`the provider answered with an item of type \`${of.slice(0, 64).toWellFormed()}\``);
  }
  if (WORD_EVENTS.test(type)) return "words";
  if (takesCustom && CUSTOM_EVENTS.test(type)) return "custom";
  return HOSTED_EVENTS.test(type) ? "hosted" : "other";
}

/** A call of the computer, or of free text, as the events of a function call, made of only the members that are vetted. */
function functionCall({ output_index, item }: JsonObject): string {
  const { id, call_id, type } = isObject(item) ? item : {};
  if (!isObject(item) || typeof id !== "string" || typeof call_id !== "string")
    throw new DisorderlyStream("a call has no id");
  const isCustom = type === "custom_tool_call";
  const args = isCustom ? customArguments(item) : computerArguments(item);
  if (args === undefined || (isCustom && typeof item.name !== "string"))
    throw new DisorderlyStream("a call has no name, or no text");
  const call = { type: "function_call", id, call_id, name: isCustom ? item.name : COMPUTER, arguments: args };
  return [
    { type: ADDED, output_index, item: { ...call, arguments: "" } },
    { type: "response.function_call_arguments.delta", output_index, item_id: id, delta: call.arguments },
    { type: DONE, output_index, item: { ...call, status: "completed" } },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** A lax reader takes another spelling of a member for that member, and an item for one of another type. */
function checkKeys(event: JsonObject): void {
  const { item, part } = event;
  const inside = [item, part].filter(isObject).flatMap((one) => Object.keys(one));
  const strange =
    Object.keys(event).find((key) => eventTwin(key) !== undefined) ??
    inside.find((key) => itemTwin(key) !== undefined || key === "toolgate");
  if (strange !== undefined) throw strangeWords(strange);
}

/** No reader may find a call in text. */
function checkWords(event: JsonObject): void {
  const call = findCallName(event);
  if (call !== undefined) throw strangeWords(call);
}

const strangeWords = (name: string): Error =>
  new DisorderlyStream(`an event of the answer holds \`${name.slice(0, 64).toWellFormed()}\``);

function collect(words: TappedWords, { type, delta }: JsonObject, most: number): void {
  if (typeof delta !== "string") return;
  const member =
    type === "response.output_text.delta" ? "text" : type === "response.refusal.delta" ? undefined : "reasoning";
  if (member !== undefined && words[member].length < most) words[member] += delta;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
