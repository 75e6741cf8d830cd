/** An OpenAI-compatible provider that answers as the scripted model does, and keeps what it was sent and said. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { chunk, sse } from "../../support/sse.ts";
import { answerOf, type ModelRequest } from "./scripted-model.ts";

/** One call of the model. Tokens are those of the messages and the tools as they came, as JSON; no provider counts otherwise by much. */
export interface Served {
  readonly request: ModelRequest;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly calls: readonly ServedCall[];
}

export interface ServedCall {
  readonly id: string;
  readonly name: string;
  /** As text: JSON. */
  readonly arguments: string;
}

export interface Provider {
  /** Its origin. */
  readonly url: string;
  /** How long the model takes before its first token, in milliseconds. */
  think(ms: number): void;
  stop(): Promise<void>;
}

let count = 0;

/** @param hear is told of each call of the model as it comes. */
export async function startProvider(hear: (one: Served) => void): Promise<Provider> {
  let thinkMs = 0;
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await textOf(request)) as ModelRequest;
    const answer = answerOf(asked);
    const calls = answer.calls.map(({ tool, arguments: args }) => ({
      id: `call_${++count}`,
      name: tool,
      arguments: JSON.stringify(args),
    }));
    const one = { request: asked, calls, ...tokensOf(asked, answer.text, calls) };
    hear(one);
    if (thinkMs > 0) await sleep(thinkMs);
    write(response, one, answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    think(ms) {
      thinkMs = ms;
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Of a request as it came, and of what was said. */
export function tokensOf({ messages, tools }: ModelRequest, text: string, calls: readonly ServedCall[]) {
  const count = (value: unknown) => countTokens(JSON.stringify(value));
  return {
    promptTokens: count(messages) + (tools === undefined ? 0 : count(tools)),
    completionTokens:
      countTokens(text) + calls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(call.arguments), 0),
  };
}

/** Streamed, or whole, as it was asked for. */
function write(response: ServerResponse, { request, calls, promptTokens, completionTokens }: Served, text: string) {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const made = calls.map(({ id, name, arguments: args }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: args },
  }));
  if (request.stream !== true) {
    const message = { role: "assistant", content: text, ...(made.length > 0 ? { tool_calls: made } : {}) };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        id: "c",
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      }),
    );
    return;
  }
  const parts = text.match(/\S+\s*/gu) ?? [];
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = [
    chunk({ role: "assistant", content: "" }),
    ...parts.map((content) => chunk({ content })),
    ...made.map((call) => chunk({ tool_calls: [call] })),
    chunk({}, { finish }),
    chunk(null, { usage }),
  ];
  response.end(sse(events, { done: true }));
}
