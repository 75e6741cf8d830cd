/**
 * The demo model as an OpenAI-compatible provider on loopback. The gateway reaches it by the settings of any other upstream.
 * It answers its own address and its own key alone, so that no web page and no other program can ask it.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { writeAnswer } from "../write-answer.ts";
import { answerChat } from "./answer-chat.ts";
import { objectOf } from "./fill-arguments.ts";

const DEMO_MODEL = "toolgate-demo";
export type DemoUpstream = Awaited<ReturnType<typeof startDemo>>;

/** Longer than the gateway's runtime keeps a connection: one that is being closed would lose a request. */
const KEEP_ALIVE_MS = 60_000;

/** @returns with it the settings that the gateway is given. */
export async function startDemo() {
  const key = `demo-${randomBytes(16).toString("hex")}`;
  let host = "";
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { headers } = request;
    if (headers.host !== host) return refuse(response, 403, "the demo model serves the gateway alone");
    if (headers.authorization !== `Bearer ${key}`) return refuse(response, 401, "the key is not the demo model's");
    answer(request, response).catch(() => refuse(response, 400, "the body is no chat request"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { UPSTREAM_BASE_URL: `http://${host}/v1`, UPSTREAM_API_KEY: key, UPSTREAM_MODEL: DEMO_MODEL },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "" } = request;
  const model = { id: DEMO_MODEL, object: "model", created: 1_790_000_000, owned_by: "toolgate" };
  const route = `${method} ${url.split("?", 1)[0]}`;
  if (route === "GET /v1/models") return send(response, 200, { object: "list", data: [model] });
  if (route === `GET /v1/models/${DEMO_MODEL}`) return send(response, 200, model);
  if (route !== "POST /v1/chat/completions")
    return refuse(response, 404, `the demo model has no ${route}: set UPSTREAM_BASE_URL to a provider that has`);
  const body = objectOf(await json(request));
  const answered = answerChat(body);
  const [prompt_tokens, completion_tokens] = [tokensOf(body), tokensOf(answered)];
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  writeAnswer(response, body.stream === true, { ...answered, model: DEMO_MODEL, usage });
}

const tokensOf = (value: object): number => Math.ceil(JSON.stringify(value).length / 4);

const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { error: { message, type: "invalid_request_error", param: null, code: null } });

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
