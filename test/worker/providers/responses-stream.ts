/** An upstream's stream of the Responses API, item by item. */
import { toStream } from "../../support/sse.ts";

export interface StreamedItem {
  readonly item: Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };
  /** Between its first event and its last. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

export function messageItem(id: string, text: string, annotations: readonly object[] = []): StreamedItem {
  const at = { item_id: id, content_index: 0 };
  const part = { type: "output_text", text, annotations, logprobs: [] };
  return {
    item: { id, type: "message", status: "completed", role: "assistant", content: [part] },
    events: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "", annotations: [] } },
      ...text.split(/(?<= )/).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      ...annotations.map((annotation, index) => ({
        type: "response.output_text.annotation.added",
        ...at,
        annotation_index: index,
        annotation,
      })),
      { type: "response.output_text.done", ...at, text, logprobs: [] },
      { type: "response.content_part.done", ...at, part },
    ],
  };
}

export const callItem = (callId: string, name: string, args: object): StreamedItem => {
  const whole = JSON.stringify(args);
  const at = { item_id: `fc_${callId}` };
  return {
    item: { id: at.item_id, type: "function_call", status: "completed", call_id: callId, name, arguments: whole },
    events: [
      { type: "response.function_call_arguments.delta", ...at, delta: whole },
      { type: "response.function_call_arguments.done", ...at, arguments: whole },
    ],
  };
};

export const textCallItem = (callId: string, name: string, input: string): StreamedItem => {
  const at = { item_id: `ctc_${callId}` };
  const pieces = input.match(/[\s\S]{1,4}/g) ?? [];
  return {
    item: { id: at.item_id, type: "custom_tool_call", status: "completed", call_id: callId, name, input },
    events: [
      ...pieces.map((delta) => ({ type: "response.custom_tool_call_input.delta", ...at, delta })),
      { type: "response.custom_tool_call_input.done", ...at, input },
    ],
  };
};

export function thoughtItem(id: string, ...summary: readonly string[]): StreamedItem {
  const parts = summary.map((text) => ({ type: "summary_text", text }));
  return {
    item: { id, type: "reasoning", summary: parts },
    events: parts.flatMap((part, index) => {
      const at = { item_id: id, summary_index: index };
      return [
        { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
        ...part.text.split(/(?<= )/).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
        { type: "response.reasoning_summary_text.done", ...at, text: part.text },
        { type: "response.reasoning_summary_part.done", ...at, part },
      ];
    }),
  };
}

export const hostedItem = (type: string, id: string, more: object = {}): StreamedItem => ({
  item: { id, type, status: "completed", ...more },
  events: [
    { type: `response.${type}.in_progress`, item_id: id },
    { type: `response.${type}.completed`, item_id: id },
  ],
});

/** The data of each event. */
export function responseEvents(...items: readonly StreamedItem[]): string[] {
  const response = { id: "resp_up", object: "response", created_at: 1, model: "gpt-test", output: [] };
  const inItems = items.flatMap(({ item, events }, index) => {
    const { content, arguments: args, input, summary, ...begun } = item;
    const empty = {
      ...(summary ? { summary: [] } : {}),
      ...(content ? { content: [] } : {}),
      ...(args === undefined ? {} : { arguments: "" }),
      ...(input === undefined ? {} : { input: "" }),
    };
    return [
      { type: "response.output_item.added", item: { ...begun, ...empty, status: "in_progress" } },
      ...events,
      { type: "response.output_item.done", item },
    ].map((event) => ({ ...event, output_index: index }));
  });
  const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 };
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.in_progress", response: { ...response, status: "in_progress" } },
    ...inItems,
    { type: "response.completed", response: { ...response, status: "completed", usage } },
  ].map((event, number) => JSON.stringify({ ...event, sequence_number: number }));
}

export const streamOf =
  (events: readonly string[]): (() => Response) =>
  () =>
    new Response(
      toStream(
        events.map((data) => `event: ${(JSON.parse(data) as { type: string }).type}\ndata: ${data}\n\n`).join(""),
      ),
      { headers: { "content-type": "text/event-stream" } },
    );

export const responseStream = (...items: readonly StreamedItem[]): (() => Response) =>
  streamOf(responseEvents(...items));
