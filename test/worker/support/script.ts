/** What the scripted upstream says, in the form that the request asked for, and what a client makes of the reply. */
import { type AccumulatedCall, accumulate, chunk, readSse, type SseEvent, sse } from "../../support/sse.ts";
import type { Gateway, Upstream } from "./gateway.ts";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, or what becomes it. */
  readonly args?: unknown;
  /** Vendor fields beside those of the protocol. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly created?: number;
  /** Headers of the upstream's answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An upstream that takes this step, streamed or whole as the request says. */
export const says =
  (step: ScriptedStep): Upstream =>
  (body) =>
    body.stream === true ? streamed(step) : whole(step);

const wire = ({ id, name, args = {}, extra }: ScriptedCall) => ({
  id,
  type: "function",
  function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  ...extra,
});

function streamed({ text, calls = [], usage, id, created, headers }: ScriptedStep): Response {
  const head = { id, created };
  const events: unknown[] = [chunk({ role: "assistant", content: "" }, head)];
  if (text !== undefined) events.push(chunk({ content: text }, head));
  for (const [index, call] of calls.entries()) events.push(chunk({ tool_calls: [{ index, ...wire(call) }] }, head));
  events.push(chunk({}, { ...head, finish: calls.length > 0 ? "tool_calls" : "stop" }));
  if (usage) events.push(chunk(null, { ...head, usage }));
  return new Response(sse(events, { done: true }), { headers: { "content-type": "text/event-stream", ...headers } });
}

function whole({ text, calls = [], usage, id, created, headers }: ScriptedStep): Response {
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls.map(wire) } : {}),
  };
  const body = {
    id: id ?? "chatcmpl-test",
    object: "chat.completion",
    created: created ?? 1_790_000_000,
    model: "test-model",
    choices: [{ index: 0, message, logprobs: null, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    ...(usage ? { usage } : {}),
  };
  return Response.json(body, { headers: { ...headers } });
}

export const call = (id: string, name: string, args: unknown = {}): ScriptedCall => ({ id, name, args });
export const selects = (intent: string, id = "call_hs"): ScriptedCall => call(id, "select_intent", { intent });

export interface Note {
  readonly turn_id: string;
  readonly session_id: string;
  readonly state: string;
  readonly intent: string | null;
  readonly stop_reason: string;
  readonly offered: readonly string[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly decisions: readonly {
    readonly call_id: string;
    readonly tool: string;
    readonly effect: string;
    readonly reasons: readonly { readonly code: string; readonly message: string; readonly retry_after?: number }[];
  }[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly AccumulatedCall[];
  readonly finish: string | null;
  readonly usage: unknown;
  readonly note: Note;
  /** Of a refusal, or the event that ended a stream. */
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null } | undefined;
  /** The events of a streamed reply; none for a JSON body. */
  readonly events: readonly SseEvent[];
  readonly body: Record<string, unknown>;
  /** The message that a client puts into its history. */
  readonly message: Record<string, unknown>;
}

/** All that a client reads as the model's: the choices of every event, or of the body. */
export const choicesOf = ({ events, body }: Answer): unknown[] => [
  ...events.map(({ json }) => (json as { choices?: unknown } | undefined)?.choices ?? []),
  body.choices ?? [],
];

interface WholeBody {
  readonly choices?: readonly {
    readonly finish_reason: string | null;
    readonly message: {
      readonly content?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
    };
  }[];
  readonly usage?: unknown;
  readonly toolgate?: unknown;
  readonly error?: unknown;
}

/** Asks, and reads the reply to its end. */
export async function ask(
  gate: Gateway,
  body: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Answer> {
  return readAnswer(await gate.chat(body, headers));
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const streams = headers.get("content-type")?.startsWith("text/event-stream") === true;
  const events = streams ? await readSse(response) : [];
  const json = streams ? {} : ((await response.json()) as WholeBody);
  const read = streams ? accumulate(events) : fromWhole(json);
  const toolCalls = read.toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  return {
    status,
    headers,
    text: read.text,
    refusal: read.refusal,
    calls: read.toolCalls,
    finish: read.finishReason,
    usage: read.usage,
    note: read.toolgate as Note,
    error: read.error as Answer["error"],
    events,
    body: json as Record<string, unknown>,
    message: {
      role: "assistant",
      content: read.text === "" ? null : read.text,
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    },
  };
}

function fromWhole({ choices, usage, toolgate, error }: WholeBody) {
  const { message, finish_reason: finishReason = null } = choices?.[0] ?? {};
  const toolCalls = (message?.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }));
  return {
    text: message?.content ?? "",
    refusal: message?.refusal ?? "",
    toolCalls,
    finishReason,
    usage,
    toolgate,
    error,
  };
}

export const user = (content: unknown): Record<string, unknown> => ({ role: "user", content });
export const result = (id: string, content = "done"): Record<string, unknown> => ({
  role: "tool",
  tool_call_id: id,
  content,
});

interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

/** The names of the tools in a request to the model, in order. */
export function toolsOf(sent: Record<string, unknown> | undefined): string[] {
  const tools = (sent?.tools ?? []) as { function: { name: string } }[];
  return tools.map((tool) => tool.function.name);
}

export const messagesOf = (sent: Record<string, unknown> | undefined): SentMessage[] =>
  (sent?.messages ?? []) as SentMessage[];

/** The messages in short: `user`, `assistant(call_1,call_2)`, `tool(call_1)`. */
export const outlineOf = (sent: Record<string, unknown> | undefined): string[] =>
  messagesOf(sent).map(({ role, tool_calls: calls, tool_call_id: answers }) => {
    const ids = calls?.map(({ id }) => id).join() ?? answers;
    return ids === undefined ? role : `${role}(${ids})`;
  });

/** Waits for an upstream's signal to fire. */
export const aborted = ({ signal }: Request): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
