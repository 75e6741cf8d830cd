/**
 * Writes a response item by item: its events for a stream, and its output for the whole. Mutable, one a reply.
 *
 * One item is open at a time. A call is written whole, after it was vetted; nothing of it is known to the writer before.
 */
import type { JsonObject } from "../../lib/json/json-value.ts";
import type { ReleasedCall } from "../call-parts.ts";
import { eventJson, serverEvent } from "../write-event.ts";
import { sealReasoning } from "./reasoning-seal.ts";
import { idIn, type RelayedPlace, relayedData } from "./relayed-event.ts";
import { type ResponseHead, type ResponseState, responseObject } from "./response-object.ts";
import type { ToolForm } from "./responses-tools.ts";
import { writtenCall } from "./written-call.ts";

export type WordKind = "text" | "refusal" | "reasoning" | "summary";

export interface WriterOptions {
  readonly head: ResponseHead;
  /** Absent: no events are written. */
  readonly streams: boolean;
  readonly forms: ReadonlyMap<string, ToolForm>;
  readonly newItemId: (prefix: "msg" | "rs" | "fc" | "ctc" | "cu" | "ts" | "ig") => string;
}

type FinalState = Omit<ResponseState, "output" | "status" | "model"> & { readonly status: "completed" | "incomplete" };

/** Each returns the text of the events that it causes. */
export interface ResponseWriter {
  /** The model that answers, as far as it is known. */
  model: string;
  /** The first events; none if they were written before. */
  begin(): string;
  /**
   * @param sealed reasoning that the upstream wants back.
   * @param part of a summary: another number begins another part.
   */
  words(
    kind: WordKind,
    text: string,
    more?: { readonly logprobs?: readonly unknown[]; readonly sealed?: boolean; readonly part?: number },
  ): string;
  /** Adds to the text that is being written; does nothing if there is none. */
  annotate(annotations: readonly JsonObject[]): string;
  call(call: ReleasedCall): string;
  /** An item that needs no events of its own. */
  item(item: JsonObject): string;
  /** An event of an upstream's item, which goes out as it came if it has the same place. @param data its JSON. */
  relay(data: string, event: JsonObject): string;
  /** The end of the last item. The response may still be changed, until `ended`. */
  end(state: FinalState, more: JsonObject): string;
  /** The last event. */
  ended(stored: boolean): string;
  fail(error: JsonObject): string;
  /** The response at its end. */
  readonly response: JsonObject;
}

interface OpenPart {
  readonly type: (typeof PART_OF)[WordKind];
  readonly number: number;
  text: string;
  readonly logprobs: unknown[];
  readonly annotations: JsonObject[];
}

interface OpenItem {
  readonly id: string;
  readonly type: "message" | "reasoning";
  readonly parts: OpenPart[];
  sealed: boolean;
}

const PART_OF = {
  text: "output_text",
  refusal: "refusal",
  reasoning: "reasoning_text",
  summary: "summary_text",
} as const;

const isSummary = ({ type }: OpenPart): boolean => type === "summary_text";
/** The names of a part's events in the API. */
const partEvents = (part: OpenPart): string =>
  isSummary(part) ? "response.reasoning_summary_part" : "response.content_part";
const textEvents = (part: OpenPart): string =>
  isSummary(part) ? "response.reasoning_summary_text" : `response.${part.type}`;

export function responseWriter({ head, streams, forms, newItemId }: WriterOptions): ResponseWriter {
  const output: JsonObject[] = [];
  let open: OpenItem | undefined;
  let sequence = 0;
  let hasBegun = false;
  let model = "";
  let response: JsonObject = {};
  /** Items that are being relayed, by their index at the upstream. */
  const relayed = new Map<unknown, RelayedPlace>();
  const freeId = (item: unknown): string => {
    const id = idIn(item);
    return id === "" || output.some((one) => one.id === id) ? newItemId("msg") : id;
  };

  const event = (type: string, fields: JsonObject): string =>
    streams ? serverEvent(type, { type, ...fields, sequence_number: sequence++ }) : "";
  const begin = (): string => {
    if (hasBegun || !streams) return "";
    hasBegun = true;
    // It repeats all tools of the request: written once for both events.
    const begun = eventJson(responseObject(head, { status: "in_progress", model, output: [], usage: null }));
    return (["response.created", "response.in_progress"] as const)
      .map((type) => `event: ${type}\ndata: {"type":"${type}","response":${begun},"sequence_number":${sequence++}}\n\n`)
      .join("");
  };
  const itemEvent = (name: string, item: JsonObject): string =>
    event(`response.output_item.${name}`, { output_index: output.length, item });
  const placeOf = ({ id, parts }: OpenItem): JsonObject => {
    const inSummary = parts.filter(isSummary).length;
    const place = parts.at(-1)?.type === "summary_text" ? { summary_index: inSummary - 1 } : undefined;
    return { item_id: id, output_index: output.length, ...(place ?? { content_index: parts.length - inSummary - 1 }) };
  };

  const closePart = (): string => {
    const part = open?.parts.at(-1);
    if (!open || !part) return "";
    const place = placeOf(open);
    const whole = partObject(part);
    const { type, text, logprobs } = part;
    const done =
      type === "refusal"
        ? event("response.refusal.done", { ...place, refusal: text })
        : event(`${textEvents(part)}.done`, { ...place, text, ...(type === "output_text" ? { logprobs } : {}) });
    return done + event(`${partEvents(part)}.done`, { ...place, part: whole });
  };
  const closeItem = (status: "completed" | "incomplete"): string => {
    if (!open) return "";
    const item = itemObject(open, status);
    const out = closePart() + itemEvent("done", item);
    output.push(item);
    open = undefined;
    return out;
  };
  const openPart = (kind: WordKind, number: number): string => {
    const type = kind === "reasoning" || kind === "summary" ? "reasoning" : "message";
    let out = "";
    if (open && open.type !== type) out += closeItem("completed");
    if (!open) {
      open = { id: newItemId(type === "reasoning" ? "rs" : "msg"), type, parts: [], sealed: false };
      out += itemEvent("added", itemObject(open, "in_progress"));
    }
    const wanted = PART_OF[kind];
    const last = open.parts.at(-1);
    if (last?.type === wanted && last.number === number) return out;
    out += closePart();
    const part: OpenPart = { type: wanted, number, text: "", logprobs: [], annotations: [] };
    open.parts.push(part);
    return out + event(`${partEvents(part)}.added`, { ...placeOf(open), part: partObject(part) });
  };

  return {
    get model() {
      return model;
    },
    set model(name) {
      model = name;
    },
    begin,
    words(kind, text, { logprobs = [], sealed = false, part: number = 0 } = {}) {
      if (text === "") return "";
      const out = begin() + openPart(kind, number);
      const item = open as OpenItem;
      const part = item.parts.at(-1) as OpenPart;
      part.text += text;
      part.logprobs.push(...logprobs);
      item.sealed ||= sealed;
      const name = `${textEvents(part)}.delta`;
      const more = kind === "text" ? { logprobs } : {};
      return out + event(name, { ...placeOf(item), delta: text, ...more });
    },
    annotate(annotations) {
      const item = open;
      const part = item?.parts.at(-1);
      if (!item || part?.type !== "output_text") return "";
      const name = "response.output_text.annotation.added";
      return annotations
        .map((annotation) =>
          event(name, { ...placeOf(item), annotation_index: part.annotations.push(annotation) - 1, annotation }),
        )
        .join("");
    },
    call(call) {
      const out = begin() + closeItem("completed");
      const { item, empty, events, whole } = writtenCall(call, forms.get(call.tool), newItemId);
      const place = { item_id: item.id, output_index: output.length };
      const named = events === "function_call_arguments" ? { name: item.name } : {};
      const added = itemEvent("added", { ...item, ...empty, status: "in_progress" });
      const deltas =
        events === undefined
          ? ""
          : event(`response.${events}.delta`, { ...place, delta: Object.values(whole)[0] }) +
            event(`response.${events}.done`, { ...place, ...named, ...whole });
      const all = out + added + deltas + itemEvent("done", item);
      output.push(item);
      return all;
    },
    item(item) {
      const out = begin() + closeItem("completed") + itemEvent("added", item) + itemEvent("done", item);
      output.push(item);
      return out;
    },
    relay(data, event) {
      const { type, item, output_index: from } = event;
      const out = begin() + closeItem("completed");
      if (type === "response.output_item.added")
        relayed.set(from, { at: output.push({}) - 1, from: idIn(item), to: freeId(item) });
      const place = relayed.get(from);
      if (!place) throw new Error("an event of the upstream is of no item");
      const written = relayedData(data, event, { output_index: place.at, sequence_number: sequence++ }, place);
      if (written.item) output[place.at] = written.item;
      if (type === "response.output_item.done") relayed.delete(from);
      return `${out}event: ${String(type)}\ndata: ${written.data}\n\n`;
    },
    end(state, more) {
      const out = begin() + closeItem(state.status);
      response = { ...responseObject(head, { ...state, model, output: [...output] }), ...more };
      return out;
    },
    ended(stored) {
      response = { ...response, store: stored };
      return event(`response.${response.status}`, { response });
    },
    fail(error) {
      const { message, code, param, type } = error;
      // Clients look for either form of the error: the API's documented one, and the one that it sends.
      const events = begin() + event("error", { code, message, param, error: { type, code, message, param } });
      const failed = { code: typeof code === "string" ? code : "server_error", message };
      const left = open && open.parts.length > 0 ? [itemObject(open, "incomplete")] : [];
      // A call of a turn that failed at its end was given back: no client may act on it.
      const words = [...output, ...left].filter((item) => item.type === "message" || item.type === "reasoning");
      response = responseObject(
        { ...head, store: false },
        {
          status: "failed",
          model,
          output: words,
          usage: null,
          error: failed,
        },
      );
      return events + event("response.failed", { response });
    },
    get response() {
      return response;
    },
  };
}

function partObject({ type, text, logprobs, annotations }: OpenPart): JsonObject {
  if (type === "refusal") return { type, refusal: text };
  return type === "reasoning_text" || type === "summary_text"
    ? { type, text }
    : { type, text, annotations: [...annotations], logprobs: [...logprobs] };
}

function itemObject({ id, type, parts, sealed }: OpenItem, status: string): JsonObject {
  const content = parts.filter((part) => !isSummary(part)).map(partObject);
  const summary = parts.filter(isSummary).map(partObject);
  if (type === "message") return { id, type, status, role: "assistant", content };
  const text = parts.map((part) => part.text).join("");
  // The API leaves out the content if there is only a summary.
  const words = summary.length > 0 && content.length === 0 ? { summary } : { summary, content };
  return { id, type, ...words, encrypted_content: sealed && text !== "" ? sealReasoning(text) : null };
}
