/**
 * The demo model as an OpenAI-compatible provider on loopback. The gateway reaches it by the settings of any other upstream.
 * It answers its own address and its own key alone, so that no web page and no other program can ask it.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { writeAnswer } from "../write-answer.ts";
import { answerChat } from "./answer-chat.ts";
import { objectOf } from "./fill-arguments.ts";

export const DEMO_MODEL = "toolgate-demo";

export interface DemoUpstream {
  /** What the gateway is to be given. */
  readonly settings: Readonly<Record<"UPSTREAM_BASE_URL" | "UPSTREAM_API_KEY" | "UPSTREAM_MODEL", string>>;
  stop(): Promise<void>;
}

/** Longer than the gateway's runtime keeps a connection: one that is being closed would lose a request. */
const KEEP_ALIVE_MS = 60_000;

export async function startDemo(): Promise<DemoUpstream> {
  const key = `demo-${randomBytes(16).toString("hex")}`;
  let host = "";
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const { headers } = request;
    if (headers.host !== host) return refuse(response, 403, "the demo model serves the gateway alone");
    if (headers.authorization !== `Bearer ${key}`) return refuse(response, 401, "the key is not the demo model's");
    answer(request, response).catch(() => refuse(response, 400, "the body is no JSON"));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { UPSTREAM_BASE_URL: `http://${host}/v1`, UPSTREAM_API_KEY: key, UPSTREAM_MODEL: DEMO_MODEL },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
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
  writeAnswer(response, body.stream === true, { ...answerChat(body), model: DEMO_MODEL });
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  send(response, status, { error: { message, type: "invalid_request_error", param: null, code: null } });

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
