/**
 * The demo model as an OpenAI-compatible provider on loopback. The gateway reaches it by the settings of any other upstream.
 * It answers its own address and its own key alone, so that no web page and no other program can ask it.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { startLoopback } from "../local/loopback-server.ts";
import { writeAnswer } from "../write-answer.ts";
import { answerChat } from "./answer-chat.ts";
import { objectOf } from "./fill-arguments.ts";

const DEMO_MODEL = "toolgate-demo";
export type DemoUpstream = Awaited<ReturnType<typeof startDemo>>;

/** Longer than the gateway's runtime keeps a connection: one that is being closed would lose a request. */
const KEEP_ALIVE_MS = 60_000;

export async function startDemo() {
  const key = `demo-${randomBytes(16).toString("hex")}`;
  const { origin, stop } = await startLoopback(
    (request, response) => {
      const { headers } = request;
      if (headers.host !== new URL(origin).host)
        return refuse(response, 403, "the demo model serves the gateway alone");
      if (headers.authorization !== `Bearer ${key}`) return refuse(response, 401, "the key is not the demo model's");
      answer(request, response).catch(() => refuse(response, 400, "the body is no chat request"));
    },
    { keepAliveTimeout: KEEP_ALIVE_MS },
  );
  /** The settings by which the gateway reaches it. */
  const settings = { UPSTREAM_BASE_URL: `${origin}/v1`, UPSTREAM_API_KEY: key, UPSTREAM_MODEL: DEMO_MODEL };
  return { settings, stop };
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
