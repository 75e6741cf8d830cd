/** A scripted MCP server of the protocol of 2025, for what an honest one does not do. */
// Loaded here, and not in the seconds that a first list may take: on a busy machine it took all of them.
import "../../../src/tools/mcp/sdk-session.ts";

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

interface Sent {
  readonly verb: string;
  readonly message: Message | undefined;
  readonly session: string | null;
  readonly headers: Headers;
}

type Answer = (message: Message, request: Request) => Response | Promise<Response> | undefined;

export interface ScriptedServer {
  readonly fetch: typeof fetch;
  readonly sent: Sent[];
  /** What is listed; one page unless `pages` says otherwise. */
  tools: unknown[];
  /** Asked before the server itself answers. */
  answer: Answer;
  /** Methods that were asked, in order; other verbs as they are. */
  asked(): string[];
  /** Of each `tools/call`. */
  calls(): Message[];
  /** Resolves once a message of that method, or that verb, has come. */
  once(what: string): Promise<void>;
  reset(): void;
}

export const scriptedTool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: { q: { type: "string" } } },
  ...more,
});

export const reply = (message: Message, result: unknown): Response =>
  Response.json({ jsonrpc: "2.0", id: message.id, result });

export const protocolError = (message: Message, code: number, text: string): Response =>
  Response.json({ jsonrpc: "2.0", id: message.id, error: { code, message: text } });

export const text = (said: string, more: object = {}) => ({ content: [{ type: "text", text: said }], ...more });

export function scriptedServer(): ScriptedServer {
  const sent: Sent[] = [];
  const waiting = new Map<string, (() => void)[]>();
  let sessions = 0;
  const nameOf = ({ verb, message }: Sent): string => message?.method ?? verb;

  const server: ScriptedServer = {
    sent,
    tools: [],
    answer: () => undefined,
    asked: () => sent.map(nameOf),
    calls: () => sent.flatMap(({ message }) => (message?.method === "tools/call" ? message : [])),
    once: (what) =>
      new Promise((resolve) => {
        if (sent.some((one) => nameOf(one) === what)) resolve();
        else waiting.set(what, [...(waiting.get(what) ?? []), resolve]);
      }),
    reset() {
      sent.length = 0;
      server.answer = () => undefined;
    },
    fetch: (async (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      const body = await request.text();
      const message = body === "" ? undefined : (JSON.parse(body) as Message);
      const one = {
        verb: request.method,
        message,
        session: request.headers.get("mcp-session-id"),
        headers: request.headers,
      };
      sent.push(one);
      for (const told of waiting.get(nameOf(one)) ?? []) told();
      const scripted = await server.answer(message ?? { method: request.method }, request);
      return scripted ?? honest(message, request);
    }) as typeof fetch,
  };

  function honest(message: Message | undefined, request: Request): Response {
    if (!message) return new Response(null, { status: request.method === "DELETE" ? 200 : 405 });
    if (message.id === undefined) return new Response(null, { status: 202 });
    switch (message.method) {
      case "initialize":
        sessions += 1;
        return Response.json(
          {
            jsonrpc: "2.0",
            id: message.id,
            result: {
              protocolVersion: "2025-11-25",
              capabilities: { tools: {} },
              serverInfo: { name: "scripted", version: "1" },
            },
          },
          { headers: { "mcp-session-id": `s${sessions}` } },
        );
      case "tools/list":
        return reply(message, { tools: server.tools });
      case "tools/call":
        return reply(message, text(JSON.stringify(message.params?.arguments)));
      default:
        return protocolError(message, -32601, "Method not found");
    }
  }
  return server;
}

/** Events as a server streams them; `open`: the stream does not end. */
export function streamed(messages: readonly unknown[], { open = false } = {}): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const one of messages)
        controller.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(one)}\n\n`));
      if (!open) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
