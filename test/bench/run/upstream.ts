/**
 * A scripted OpenAI-compatible upstream. It runs as a process of its own, so that it does not share the load
 * generator's event loop. The model's name is the script:
 *
 *   text-200              200 words, one chunk each, as fast as the socket takes them
 *   text-50-every-5ms     50 words, one every 5 ms
 *   text-50-after-300ms   50 words, and the model thinks so long before it begins
 *   tool-NAME             a call of NAME where the last message is the user's, eight words otherwise
 *   tool-NAME-after-300ms the same, and the model thinks so long before it begins
 *
 * `/v1/responses` and `/api/chat` answer with words alone, in their own formats. A model may bear a provider's name and a slash, which
 * is not read: what passes on bytes passes it on too. `GET /v1/served` tells how many answers were asked for.
 */
import { fork } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chunk } from "../../support/sse.ts";
import { type SurfaceName, wordsSurfaces } from "./surfaces.ts";

const words =
  "the gateway reads every event once and writes the words on as they came to the client that asked for them";

/** The words that a script sends, one a chunk. */
export function scriptedWords(count: number): string[] {
  const vocabulary = words.split(" ");
  return Array.from({ length: count }, (_, i) => `${i === 0 ? "" : " "}${vocabulary[i % vocabulary.length]}`);
}

export interface Upstream {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts the upstream in a child process; it also ends when this process does. */
export async function startUpstream(): Promise<Upstream> {
  const child = fork(import.meta.filename, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { port: number }).port));
    child.once("exit", (code) => reject(new Error(`the upstream ended with code ${code} before it listened`)));
  });
  // Without it every figure to come is worthless: an uncaught error ends the process, and with it its Workers.
  const lost = () => {
    throw new Error("the upstream ended");
  };
  child.once("exit", lost);
  const stop = async () => {
    child.off("exit", lost);
    child.kill();
    await exited;
  };
  return { url: `http://127.0.0.1:${port}/v1`, stop };
}

interface ToolDefinition {
  readonly function: { readonly name: string; readonly parameters?: Schema };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly ToolDefinition[];
}

interface Script {
  readonly words: readonly string[];
  readonly everyMs: number;
  /** Before the first event. */
  readonly afterMs?: number;
  readonly call?: { readonly name: string; readonly arguments: string };
}

function readScript(request: ChatRequest): Script {
  const text = /^text-(\d+)(?:-every-(\d+)ms)?(?:-after-(\d+)ms)?$/.exec(request.model.replace(/^\w+\//, ""));
  if (text)
    return { words: scriptedWords(Number(text[1])), everyMs: Number(text[2] ?? 0), afterMs: Number(text[3] ?? 0) };
  const [, name, after] = /^tool-(.+?)(?:-after-(\d+)ms)?$/.exec(request.model) ?? [];
  const afterMs = Number(after ?? 0);
  if (name === undefined || request.messages.at(-1)?.role !== "user")
    return { words: scriptedWords(8), everyMs: 0, afterMs };
  const schema = request.tools?.find((tool) => tool.function.name === name)?.function.parameters;
  return {
    words: [],
    everyMs: 0,
    afterMs,
    call: { name, arguments: JSON.stringify(example(schema ?? { type: "object" })) },
  };
}

/** A value that fits the parts of JSON Schema which the benchmark's tools use. */
function example(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.type === "object") {
    return Object.fromEntries((schema.required ?? []).map((key) => [key, example(schema.properties?.[key] ?? {})]));
  }
  if (schema.type === "array") return schema.items ? [example(schema.items)] : [];
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  return "example";
}

let served = 0;

const identity = (model: string) => ({
  id: `chatcmpl-${(served++).toString(36).padStart(29, "0")}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

function usage(request: ChatRequest, script: Script) {
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion_tokens = script.words.length + Math.ceil((script.call?.arguments.length ?? 0) / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function deltas({ words: content, call }: Script): Record<string, unknown>[] {
  if (!call) return content.map((word) => ({ content: word }));
  const opening = { index: 0, id: `call_${served}`, type: "function", function: { name: call.name, arguments: "" } };
  const fragments = (call.arguments.match(/.{1,6}/gsu) ?? []).map((text) => ({
    index: 0,
    function: { arguments: text },
  }));
  return [opening, ...fragments].map((fragment) => ({ tool_calls: [fragment] }));
}

async function stream(request: ChatRequest, response: ServerResponse): Promise<void> {
  const script = readScript(request);
  const options = identity(request.model);
  const chunks: object[] = [
    chunk({ role: "assistant", content: script.call ? null : "", refusal: null }, options),
    ...deltas(script).map((delta) => chunk(delta, options)),
    chunk({}, { ...options, finish: script.call ? "tool_calls" : "stop" }),
  ];
  if (request.stream_options?.include_usage) {
    chunks.push(chunk(null, { ...options, usage: usage(request, script) }));
  }
  const events = [...chunks.map((object) => `data: ${JSON.stringify(object)}\n\n`), "data: [DONE]\n\n"];
  await send(events, script, response);
}

async function surfaceStream(
  surface: Exclude<SurfaceName, "chat">,
  request: ChatRequest,
  response: ServerResponse,
): Promise<void> {
  const script = readScript({ ...request, messages: [] });
  served += 1;
  await send(wordsSurfaces[surface].events(script.words), script, response);
}

async function send(events: readonly string[], script: Script, response: ServerResponse): Promise<void> {
  if (script.afterMs) await sleep(script.afterMs);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const [i, event] of events.entries()) {
    if (script.everyMs > 0 && i > 1 && i <= script.words.length) await sleep(script.everyMs);
    if (response.destroyed) return;
    // Writes of one turn of the event loop leave as one packet: each waits for the one before, as a model's would.
    await new Promise<void>((resolve) => response.write(event, () => resolve()));
  }
  response.end();
}

function answer(request: ChatRequest, response: ServerResponse): void {
  const script = readScript(request);
  const call = script.call && { id: `call_${served}`, type: "function", function: script.call };
  const message = call
    ? { role: "assistant", content: null, refusal: null, tool_calls: [call] }
    : { role: "assistant", content: script.words.join(""), refusal: null };
  sendJson(response, 200, {
    ...identity(request.model),
    object: "chat.completion",
    system_fingerprint: "fp_test",
    choices: [{ index: 0, message, logprobs: null, finish_reason: call ? "tool_calls" : "stop" }],
    usage: usage(request, script),
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.socket?.setNoDelay(true);
  if (request.method === "GET" && request.url === "/v1/models") {
    const ids = ["text-5", "text-200", "tool-read_file"];
    const data = ids.map((id) => ({ id, object: "model", created: 1_790_000_000, owned_by: "bench" }));
    return sendJson(response, 200, { object: "list", data });
  }
  if (request.method === "GET" && request.url === "/v1/served") return sendJson(response, 200, { served });
  if (request.method === "POST" && request.url === "/v1/chat/completions") {
    const body = JSON.parse(await readBody(request)) as ChatRequest;
    return body.stream ? stream(body, response) : answer(body, response);
  }
  for (const surface of ["responses", "ui"] as const) {
    if (request.method === "POST" && request.url === wordsSurfaces[surface].path)
      return surfaceStream(surface, JSON.parse(await readBody(request)) as ChatRequest, response);
  }
  sendJson(response, 404, { error: { message: "not found", type: "invalid_request_error", code: null, param: null } });
}

if (import.meta.main) {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("disconnect", () => process.exit());
}
