/** A model provider on loopback that answers as the test dictates, and keeps what reached it. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeAnswer } from "../../../src/cli/write-answer.ts";
import { chunk } from "../../support/sse.ts";

interface ToolJson {
  readonly type: string;
  readonly function: { readonly name: string };
}

interface MessageJson {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

export interface UpstreamRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: {
    readonly stream?: boolean;
    readonly messages: readonly MessageJson[];
    readonly tools?: readonly ToolJson[];
    readonly tool_choice?: unknown;
    readonly response_format?: unknown;
  };
  /** Resolves once the connection is gone: true where that was before the answer was complete. */
  readonly gone: Promise<boolean>;
}

export type Answer = (response: ServerResponse, request: UpstreamRequest) => void;

export interface ScriptedUpstream {
  readonly url: string;
  /** Since the last `script`. */
  readonly requests: readonly UpstreamRequest[];
  /** One answer a request, in this order; a request past the last is a failure of the test. */
  script(...answers: readonly Answer[]): void;
  /** This answers every request, however many there are. */
  answer(all: Answer): void;
  /** The next request, or the one that came since the last `script`. */
  readonly arrival: () => Promise<UpstreamRequest>;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<ScriptedUpstream> {
  let answers: readonly Answer[] = [];
  let answerAll: Answer | undefined;
  let requests: UpstreamRequest[] = [];
  let arrived = Promise.withResolvers<UpstreamRequest>();
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString("utf8");
    const { promise: gone, resolve } = Promise.withResolvers<boolean>();
    response.once("close", () => resolve(!response.writableFinished));
    const body = text === "" ? { messages: [] } : (JSON.parse(text) as UpstreamRequest["body"]);
    const request: UpstreamRequest = { path: incoming.url ?? "", headers: incoming.headers, body, gone };
    const answer = answerAll ?? answers[requests.length];
    requests.push(request);
    arrived.resolve(request);
    if (answer) answer(response, request);
    else failsWith(418, { message: `no answer is scripted for request ${requests.length}` })(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests;
    },
    script(...next) {
      answers = next;
      answerAll = undefined;
      requests = [];
      arrived = Promise.withResolvers();
    },
    answer(all) {
      answerAll = all;
      requests = [];
      arrived = Promise.withResolvers();
    },
    arrival: () => arrived.promise,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a model would: some words, or calls (parallel ones in one message), streamed where the request asks for it. */
export function answers(message: { readonly text?: string; readonly calls?: readonly ScriptedCall[] }): Answer {
  const calls = message.calls?.map(({ name, arguments: args }) => ({ name, arguments: JSON.stringify(args) }));
  return (response, { body }) => writeAnswer(response, body.stream === true, { text: message.text, calls });
}

export const says = (text: string): Answer => answers({ text });
export const callsTools = (...calls: readonly ScriptedCall[]): Answer => answers({ calls });

export function failsWith(status: number, error: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    sendJson(response, status, { error: { type: "test", param: null, code: null, ...error } }, headers);
}

export const answersJson =
  (body: unknown): Answer =>
  (response) =>
    sendJson(response, 200, body);

/** Sends the chunks and leaves the reply open; then `after` decides. */
export function begins(deltas: readonly Record<string, unknown>[], after: (response: ServerResponse) => void): Answer {
  return (response) =>
    writeEvents(
      response,
      deltas.map((delta) => chunk(delta)),
      () => after(response),
    );
}

/** A word every 10 ms, until nobody listens. */
export const neverEnds: Answer = (response) => {
  const word = { role: "assistant", content: "more " };
  writeEvents(response, [chunk(word)]);
  const timer = setInterval(() => response.write(`data: ${JSON.stringify(chunk(word))}\n\n`), 10);
  response.once("close", () => clearInterval(timer));
};

/** The gateway hands comments on as they are, and sends this one itself where a reply is silent: no client may mind. */
const COMMENT = ": keep-alive\n\n";

function writeEvents(response: ServerResponse, chunks: readonly object[], then: () => void = () => {}): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(chunks.map((one) => `${COMMENT}data: ${JSON.stringify(one)}\n\n`).join(""), () => then());
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export const toolNames = ({ body }: UpstreamRequest): readonly string[] =>
  (body.tools ?? []).map((tool) => tool.function.name);
