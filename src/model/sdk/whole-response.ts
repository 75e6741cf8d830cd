/** Turns a response that came whole, though a stream was requested, into the events of a stream: one reader judges both. */
import { isObject, type JsonObject, objectsIn, parseObject } from "../../lib/json/json-value.ts";
import { serverEvent } from "../../wire/write-event.ts";
import { readText } from "../relay/body-reader.ts";
import type { UpstreamDeadline } from "../upstream/time-limit.ts";

/** UTF-16 units: images come as text. */
const MAX_UNITS = 16 * 1024 * 1024;

/** A body that is not a response of the Responses API stays as it is, and is refused later. */
export async function streamedResponse(response: Response, watch: UpstreamDeadline): Promise<Response> {
  const isJson = /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
  if (!response.ok || !isJson) return response;
  const text = await readText(response, MAX_UNITS, watch);
  const body = parseObject(text);
  const { status, headers } = response;
  if (body?.object !== "response" || !Array.isArray(body.output)) return new Response(text, { status, headers });
  return new Response(eventsOf(body, body.output.filter(isObject)), {
    status,
    headers: { ...Object.fromEntries(headers), "content-type": "text/event-stream" },
  });
}

function eventsOf(body: JsonObject, output: readonly JsonObject[]): string {
  const begun = { ...body, status: "in_progress", output: [], usage: null };
  const events: readonly JsonObject[] = [
    { type: "response.created", response: begun },
    ...output.flatMap((item, index) => itemEvents(item).map((event) => ({ ...event, output_index: index }))),
    { type: `response.${String(body.status)}`, response: body },
  ];
  return events
    .map((event, number) => ({ ...event, sequence_number: number }) as JsonObject)
    .map((event) => serverEvent(String(event.type), event))
    .join("");
}

function itemEvents(item: JsonObject): JsonObject[] {
  return [
    { type: "response.output_item.added", item: { ...item, ...emptied(item), status: "in_progress" } },
    ...insideOf(item).map((event) => ({ ...event, item_id: item.id })),
    { type: "response.output_item.done", item },
  ];
}

const emptied = ({ type }: JsonObject): JsonObject =>
  type === "message"
    ? { content: [] }
    : type === "function_call"
      ? { arguments: "" }
      : type === "custom_tool_call"
        ? { input: "" }
        : {};

function insideOf(item: JsonObject): JsonObject[] {
  if (item.type === "message") return objectsIn(item.content).flatMap(partEvents);
  if (item.type === "reasoning") return objectsIn(item.summary).flatMap(summaryEvents);
  if (item.type !== "function_call" || item.arguments === "") return [];
  return [{ type: "response.function_call_arguments.delta", delta: item.arguments }];
}

function partEvents(part: JsonObject, index: number): JsonObject[] {
  const isText = part.type === "output_text";
  const words = isText ? part.text : part.refusal;
  const name = isText ? "response.output_text" : "response.refusal";
  const whole = isText ? { text: words } : { refusal: words };
  const events: readonly JsonObject[] = [
    {
      type: "response.content_part.added",
      part: { ...part, ...(isText ? { text: "", annotations: [] } : { refusal: "" }) },
    },
    { type: `${name}.delta`, delta: words },
    ...objectsIn(part.annotations).map((annotation, at) => ({
      type: "response.output_text.annotation.added",
      annotation_index: at,
      annotation,
    })),
    { type: `${name}.done`, ...whole },
    { type: "response.content_part.done", part },
  ];
  return events.map((event) => ({ ...event, content_index: index }));
}

function summaryEvents(part: JsonObject, index: number): JsonObject[] {
  const events: readonly JsonObject[] = [
    { type: "response.reasoning_summary_part.added", part: { ...part, text: "" } },
    { type: "response.reasoning_summary_text.delta", delta: part.text },
    { type: "response.reasoning_summary_text.done", text: part.text },
    { type: "response.reasoning_summary_part.done", part },
  ];
  return events.map((event) => ({ ...event, summary_index: index }));
}
