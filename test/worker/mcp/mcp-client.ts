/** A client of `/mcp` that speaks the wire itself: what the official one would not send, it can. */
import type { Gateway } from "../support/gateway.ts";

export interface Rpc {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Notifications and requests of the server's, in order. */
  readonly others: readonly Rpc[];
  /** The answer to the request. */
  readonly message: Rpc;
}

export interface McpClient {
  session: string | undefined;
  send(message: unknown, more?: { headers?: Record<string, string>; key?: string }): Promise<Response>;
  rpc(method: string, params?: object, headers?: Record<string, string>): Promise<Answer>;
  open(capabilities?: object): Promise<Answer>;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: object, headers?: Record<string, string>): Promise<Answer>;
}

const PROTOCOL = "2025-11-25";

export function mcpClient(gate: Gateway, key?: string): McpClient {
  let last = 0;
  const self: McpClient = {
    session: undefined,
    send: (message, { headers = {}, key: other = key } = {}) =>
      gate.fetch("/mcp", {
        method: "POST",
        body: typeof message === "string" ? message : JSON.stringify(message),
        ...(other === undefined ? {} : { key: other }),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": PROTOCOL,
          ...(self.session === undefined ? {} : { "mcp-session-id": self.session }),
          ...headers,
        },
      }),
    async rpc(method, params, headers = {}) {
      last += 1;
      return readAnswer(await self.send({ jsonrpc: "2.0", id: last, method, params }, { headers }), last);
    },
    async open(capabilities = {}) {
      const clientInfo = { name: "test", version: "1" };
      const answer = await self.rpc("initialize", { protocolVersion: PROTOCOL, capabilities, clientInfo });
      self.session = answer.headers.get("mcp-session-id") ?? undefined;
      await self.send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return answer;
    },
    async tools() {
      const { message } = await self.rpc("tools/list");
      return (message.result.tools as { name: string }[]).map(({ name }) => name);
    },
    call: (name, args = {}, headers = {}) => self.rpc("tools/call", { name, arguments: args }, headers),
  };
  return self;
}

export async function readAnswer(response: Response, id: number | string): Promise<Answer> {
  const text = await response.text();
  const messages = response.headers.get("content-type")?.includes("event-stream") ? eventsIn(text) : bodyIn(text);
  const message = messages.find((one) => one.id === id && one.method === undefined) ?? messages.at(-1) ?? {};
  return {
    status: response.status,
    headers: response.headers,
    message,
    others: messages.filter((one) => one !== message),
  };
}

const bodyIn = (text: string): Rpc[] => (text === "" ? [] : [JSON.parse(text) as Rpc]);

const eventsIn = (text: string): Rpc[] =>
  text.split("\n\n").flatMap((event) => {
    const data = event
      .split("\n")
      .flatMap((line) => (line.startsWith("data:") ? line.slice(5).trim() : []))
      .join("\n");
    return data === "" ? [] : [JSON.parse(data) as Rpc];
  });

/** The messages of a stream as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<Rpc, void> {
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      yield* eventsIn(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

export const textOf = ({ message }: Answer): string => message.result?.content?.[0]?.text ?? JSON.stringify(message);
