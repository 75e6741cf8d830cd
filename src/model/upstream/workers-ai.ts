/**
 * Workers AI by its binding, in the form of an OpenAI-compatible API: `fetch` for its URL runs the model, and its native answers become
 * chat completions. What cannot be converted passes as it came, and the relay refuses it.
 */
import { parseExact } from "../../lib/json/exact-json.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { WORKERS_AI_URL } from "../../settings/upstream-target.ts";
import { parseBody } from "../../wire/chat-request.ts";
import { type SseEvent, splitSse } from "../../wire/sse-split.ts";
import type { WorkersAi } from "../sdk/embedder.ts";

/** @param ai absent: nothing is bound, and the settings are refused. */
export function withWorkersAi(fetcher: typeof fetch, ai: WorkersAi | undefined): typeof fetch {
  if (!ai) return fetcher;
  return ((input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(`${WORKERS_AI_URL}/`)) return fetcher(input, init);
    if (url !== `${WORKERS_AI_URL}/chat/completions`)
      return Promise.resolve(Response.json({ object: "list", data: [] }));
    return runModel(ai, String(init?.body), init?.signal ?? undefined);
  }) as typeof fetch;
}

async function runModel(ai: WorkersAi, text: string, signal: AbortSignal | undefined): Promise<Response> {
  const read = parseBody(text);
  const { model, messages, ...inputs } = read.ok ? read.value : {};
  const body = { ...inputs, messages: Array.isArray(messages) ? messages.map(withContent) : messages };
  try {
    const answer = await ai.run(String(model), body, { returnRawResponse: true, ...(signal ? { signal } : {}) });
    return answer instanceof Response ? await asCompletion(answer, String(model)) : failed(500, undefined);
  } catch (error) {
    signal?.throwIfAborted();
    return failed(500, error instanceof Error ? error.message : undefined);
  }
}

/** The binding refuses `null`. */
const withContent = (message: unknown): unknown =>
  isObject(message) && message.content == null ? { ...message, content: "" } : message;

/** Its own error numbers, for errors whose status does not say what they mean. */
const STATUS: Readonly<Record<string, number>> = { 3006: 413, 3007: 408, 3036: 429, 3040: 429, 5004: 400, 5007: 400 };

/** @param message as the binding throws it: `3040: …`. */
function failed(status: number, message: string | undefined): Response {
  const [, code] = /^(\d{4,5}): /.exec(message ?? "") ?? [];
  const known = code === undefined ? undefined : STATUS[code];
  const error = { message: message ?? "Workers AI failed", type: "upstream_error", code: code ?? null, param: null };
  return Response.json({ error }, { status: known ?? status });
}

async function asCompletion(answer: Response, model: string): Promise<Response> {
  const { status, headers, body } = answer;
  if (!answer.ok) {
    const body: unknown = await answer.json().catch(() => undefined);
    const { internalCode, description, message } = isObject(body) ? body : {};
    const words = typeof description === "string" ? description : typeof message === "string" ? message : undefined;
    return failed(status, internalCode === undefined ? words : `${String(internalCode)}: ${words ?? ""}`);
  }
  const head = { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
  if (headers.get("content-type")?.includes("event-stream") && body)
    return new Response(body.pipeThrough(new TransformStream(eventConverter(head))), { headers });
  const text = await answer.text();
  const read = parseBody(text);
  return new Response(read.ok && isNative(read.value) ? JSON.stringify(wholeOf(read.value, head)) : text, {
    headers: { "content-type": "application/json" },
  });
}

interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

const isNative = (value: JsonObject): boolean =>
  value.choices === undefined && (value.response !== undefined || value.tool_calls !== undefined);

/** In JSON mode the answer comes parsed. */
const wordsOf = ({ response }: JsonObject): string =>
  response == null ? "" : typeof response === "string" ? response : JSON.stringify(response);

function callsOf({ tool_calls: calls }: JsonObject, from: number): readonly unknown[] {
  if (!Array.isArray(calls)) return calls == null ? [] : [calls];
  return calls.map((call: unknown, at) => {
    // The relay judges calls of another form.
    if (!isObject(call) || isObject(call.function)) return isObject(call) ? { index: from + at, ...call } : call;
    const { id, name, arguments: given, ...others } = call;
    const args = typeof given === "string" ? given : JSON.stringify(given ?? {});
    const own = { index: from + at, id: typeof id === "string" ? id : `call_${crypto.randomUUID()}` };
    return {
      ...others,
      ...own,
      type: "function",
      function: { name: typeof name === "string" ? name : "", arguments: args },
    };
  });
}

function wholeOf(body: JsonObject, head: CompletionHead): JsonObject {
  const calls = callsOf(body, 0);
  const words = wordsOf(body);
  const message = {
    role: "assistant",
    content: words === "" ? null : words,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }];
  return { ...head, object: "chat.completion", choices, ...(body.usage ? { usage: body.usage } : {}) };
}

/** Events that are chat completions already pass as they are. */
function eventConverter(head: CompletionHead): Transformer<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const splitter = splitSse();
  let native = false;
  let calls = 0;
  let usage: unknown;
  const chunk = (delta: JsonObject, finish: string | null, more: JsonObject = {}): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`;
  };
  const convert = ({ raw, data }: SseEvent): string => {
    if (data?.trim() === "[DONE]" && native)
      return chunk({}, calls > 0 ? "tool_calls" : "stop", usage ? { usage } : {}) + raw;
    const event = data === undefined ? undefined : readEvent(data);
    if (!event || !isNative(event)) return raw;
    native = true;
    usage = event.usage ?? usage;
    const made = callsOf(event, calls);
    calls += made.length;
    const words = wordsOf(event);
    return (
      (words === "" ? "" : chunk({ content: words }, null)) + (made.length > 0 ? chunk({ tool_calls: made }, null) : "")
    );
  };
  return {
    transform(bytes, controller) {
      const out = splitter
        .push(decoder.decode(bytes, { stream: true }))
        .map(convert)
        .join("");
      if (out !== "") controller.enqueue(encoder.encode(out));
    },
    flush(controller) {
      const rest = splitter.end();
      if (rest) controller.enqueue(encoder.encode(convert(rest)));
    },
  };
}

function readEvent(data: string): JsonObject | undefined {
  try {
    const event = parseExact(data);
    return isObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
