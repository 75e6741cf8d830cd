/**
 * `GET /mcp`: the stream on which a client of 2025 listens, by the official SDK. It carries changes of the lists and of resources. An
 * event's id is the version of the lists: a client that comes back with `Last-Event-ID` gets what it missed, in any isolate. Load it
 * with `import()`.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { describeError, log } from "../../lib/log.ts";
import { type ServedSession, serverFor } from "./mcp-server.ts";

/** Milliseconds after which a stream ends, so that its client comes back; with a key that has ended it cannot. */
const MAX_OPEN_MS = 600_000;

/** The protocol in which an event without data may begin a stream, so that its id is known before anything happens. */
const PRIMED_SINCE = "2025-11-25";

export async function openListeningStream(request: Request, session: ServedSession): Promise<Response> {
  let version = request.headers.get("last-event-id") ?? (await session.version());
  const first = version;
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    keepAliveMs: session.keepAliveMs,
    eventStore: {
      storeEvent: async () => version ?? "",
      // Never used: the version shows what was missed.
      replayEventsAfter: () => Promise.reject(new Error("events are not stored")),
    },
  });
  const server = serverFor(session, "legacy");
  await server.connect(transport);
  const { body, status, headers } = await transport.handleRequest(withoutLastEvent(request));
  if (status !== 200 || !body) return new Response(body, { status, headers });
  const tell = (...messages: readonly Promise<void>[]) =>
    void Promise.all(messages).catch((error: unknown) => log("info", "mcp_message_not_sent", describeError(error)));
  const { relay } = session;
  const unwatch = session.watch((now) => {
    version = now;
    tell(server.sendToolListChanged());
    if (relay) tell(server.sendResourceListChanged(), server.sendPromptListChanged());
  }, version);
  const unfollow = relay?.follow((uri) => tell(server.sendResourceUpdated({ uri })));
  const end = () => {
    unwatch();
    unfollow?.();
    clearTimeout(timer);
    void server.close().catch(() => undefined);
  };
  const timer = setTimeout(end, MAX_OPEN_MS);
  const isPrimed = (request.headers.get("mcp-protocol-version") ?? "") >= PRIMED_SINCE;
  return new Response(endingWith(body, isPrimed && first !== undefined ? `id: ${first}\ndata: \n\n` : "", end), {
    headers,
  });
}

function withoutLastEvent(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("last-event-id");
  return new Request(request, { headers });
}

/** @param end called when the client stops reading. */
function endingWith(body: ReadableStream<Uint8Array>, first: string, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== "") controller.enqueue(new TextEncoder().encode(first));
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}
