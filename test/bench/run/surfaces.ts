/** The wire formats that the bench asks in: how a request looks, how the scripted upstream answers it, and how an answer is read. */
import type { SseEvent } from "../../support/sse.ts";

export type SurfaceName = "chat" | "responses" | "ui";

interface BenchMessage {
  readonly role: string;
  readonly content: string;
}

interface StreamedAnswer {
  readonly text: string;
  /** Whether the answer ended as the format says. */
  readonly ended: boolean;
  readonly error: unknown;
}

export interface BenchSurface {
  readonly path: string;
  /** Finds the first word, or a call, in the bytes of a streamed answer. */
  readonly firstToken: RegExp;
}

interface WordsSurface extends BenchSurface {
  body(model: string, messages: readonly BenchMessage[], tools: readonly unknown[]): object;
  /** Whole events of an answer, in order: two open it, then one a word, the rest closes it. */
  events(words: readonly string[]): string[];
  read(events: readonly SseEvent[]): StreamedAnswer;
}

interface FunctionTool {
  readonly function: object;
}

const flatTools = (tools: readonly unknown[]): object[] =>
  tools.map((tool) => ({ type: "function", ...(tool as FunctionTool).function }));

const event = (value: { readonly type: string; readonly [member: string]: unknown }, named = false): string =>
  `${named ? `event: ${value.type}\n` : ""}data: ${JSON.stringify(value)}\n\n`;

const responses: WordsSurface = {
  path: "/v1/responses",
  firstToken: /"type":"response\.output_text\.delta"|"type":"function_call"/,
  body: (model, messages, tools) => ({ model, stream: true, input: messages, tools: flatTools(tools), store: false }),
  events(words) {
    const text = words.join("");
    const part = { type: "output_text", annotations: [], logprobs: [] };
    const message = { id: "msg_bench", type: "message", role: "assistant" };
    const at = { item_id: message.id, output_index: 0, content_index: 0 };
    const done = { ...message, status: "completed", content: [{ ...part, text }] };
    const usage = { input_tokens: 100, output_tokens: words.length, total_tokens: 100 + words.length };
    const response = { id: "resp_bench", object: "response", created_at: 1_790_000_000, model: "bench", output: [] };
    const all = [
      { type: "response.created", response: { ...response, status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item: { ...message, status: "in_progress", content: [] } },
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...words.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text, logprobs: [] },
      { type: "response.content_part.done", ...at, part: { ...part, text } },
      { type: "response.output_item.done", output_index: 0, item: done },
      { type: "response.completed", response: { ...response, status: "completed", output: [done], usage } },
    ];
    const [created, added, ...more] = all.map((one, sequence_number) => event({ ...one, sequence_number }, true));
    return [`${created}${added}`, ...more];
  },
  read: (events) => readTyped(events, "response.output_text.delta", "response.completed", /^(error|response\.failed)$/),
};

const ui: WordsSurface = {
  path: "/api/chat",
  firstToken: /"type":"text-delta"|"type":"tool-input-available"/,
  body: (model, messages, tools) => ({
    model,
    system: messages.find(({ role }) => role === "system")?.content,
    messages: messages
      .filter(({ role }) => role !== "system")
      .map(({ role, content }, at) => ({ id: `m${at}`, role, parts: [{ type: "text", text: content }] })),
    tools,
  }),
  events: (words) => [
    event({ type: "start" }),
    event({ type: "start-step" }) + event(part("text-start")),
    ...words.map((delta) => event({ ...part("text-delta"), delta })),
    event(part("text-end")),
    event({ type: "finish-step" }),
    event({ type: "finish" }),
    "data: [DONE]\n\n",
  ],
  read: (events) => readTyped(events, "text-delta", "finish", /^error$/),
};

const part = <T extends string>(type: T) => ({ type, id: "text-1" });

function readTyped(events: readonly SseEvent[], word: string, end: string, failure: RegExp): StreamedAnswer {
  const parts = events.map(({ json }) => (json ?? {}) as { readonly type?: string; readonly delta?: string });
  return {
    text: parts.map(({ type, delta }) => (type === word ? delta : "")).join(""),
    ended: parts.some(({ type }) => type === end),
    error: parts.find(({ type }) => type !== undefined && failure.test(type)),
  };
}

/** Those beside chat completions, whose requests and answers have calls and JSON too. */
export const wordsSurfaces: Readonly<Record<Exclude<SurfaceName, "chat">, WordsSurface>> = { responses, ui };

export const benchSurfaces: Readonly<Record<SurfaceName, BenchSurface>> = {
  chat: { path: "/v1/chat/completions", firstToken: /"content":\s*"[^"]|"tool_calls":\s*\[\s*\{/ },
  ...wordsSurfaces,
};
