/**
 * The transport of an MCP session, with a limit of requests and bytes. It records what the SDK's errors leave out, or have only in words
 * that a server may choose.
 *
 * Unless the session listens, or its server may ask something, no stream is opened that would only wait for messages of the server (a
 * Worker has six connections): such a GET is answered here with the 405 of a server that has no stream. A GET that resumes a broken reply is sent.
 */

export interface Wire {
  /** Whether the call itself went out. */
  callSent: boolean;
  /** Status of the last answer to a request; null if none came. */
  status: number | null;
  /** What `fetch` threw, if it did. */
  thrown: unknown;
  tooLarge: boolean;
  /** Whether the server opened a session. */
  session: boolean;
}

export interface Channel {
  readonly wire: Wire;
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** @param onEvent is called for each request, and for the end of its reply unless it can be resumed. One at a time. */
  onReply(onEvent: ((what: "sent" | "ended") => void) | undefined): void;
  /** How many bytes may arrive from now on. @param keep whether `replies` are stored. */
  allow(bytes: number, keep?: boolean): void;
  /** The bodies since `allow`, as text; the last one so far. */
  replies(): readonly string[];
  /** Waits for notifications that are being sent. */
  noticed(): Promise<void>;
  /** Resolves once the server has answered whether it has a stream for its own messages. */
  readonly listening: Promise<void>;
}

interface Listening {
  /** The server may ask on that stream, and not on the call's own. */
  readonly hearsQuestions: boolean;
  /** The session listens: called when its stream has ended, or when the server has none. */
  readonly onSilence?: (() => void) | undefined;
}

/** The requests of a run. */
const CALLS: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);

/** @param fetcher guards where requests go. */
export function openChannel(
  fetcher: typeof fetch,
  maxRequests: number,
  { hearsQuestions, onSilence }: Listening,
): Channel {
  const wire: Wire = { callSent: false, status: null, thrown: undefined, tooLarge: false, session: false };
  const notices = new Set<Promise<unknown>>();
  let bytesLeft = 0;
  let requests = 0;
  let replies: { text: string }[] | undefined;
  let onEvent: ((what: "sent" | "ended") => void) | undefined;
  const { promise: listening, resolve: listens } = Promise.withResolvers<void>();

  /** The same bytes. A reply that breaks off ends it as well: the SDK would wait for the rest. */
  function bounded(body: ReadableStream<Uint8Array>, { isRequest, listens }: Message): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const events = eventIdFinder();
    const decoder = new TextDecoder();
    const reply = { text: "" };
    replies?.push(reply);
    const keeps = replies !== undefined;
    let resumable = false;
    const end = () => {
      if (isRequest && !resumable) onEvent?.("ended");
      if (listens) onSilence?.();
    };
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return end();
          }
          bytesLeft -= value.byteLength;
          const text = isRequest || keeps ? decoder.decode(value, { stream: true }) : "";
          if (keeps) reply.text += text;
          resumable = events(text) && isRequest;
          if (bytesLeft >= 0) return controller.enqueue(value);
          wire.tooLarge = true;
          throw new Error("the server sends too much");
        } catch (error) {
          wire.thrown ??= error;
          reader.cancel(error).catch(() => undefined);
          controller.error(error);
          resumable = false;
          end();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  async function send(input: string | URL, init: RequestInit | undefined, message: Message): Promise<Response> {
    const isRequest = message.isRequest;
    const isCall = CALLS.has(message.method ?? "");
    requests += 1;
    if (requests > maxRequests) {
      wire.tooLarge = true;
      onEvent?.("ended");
      throw new Error("the server asks for too many requests");
    }
    try {
      const { status, statusText, headers, body } = await fetcher(input, init);
      if (isRequest) wire.status = status;
      if (headers.has("mcp-session-id")) wire.session = true;
      if (message.listens && status !== 200) onSilence?.();
      return new Response(body ? bounded(body, message) : null, { status, statusText, headers });
    } catch (error) {
      if (message.listens) onSilence?.();
      wire.thrown = error;
      if (isCall && error instanceof Error && "sent" in error && error.sent === false) wire.callSent = false;
      throw error;
    }
  }

  return {
    wire,
    async fetch(input, init) {
      const method = init?.method ?? "GET";
      const onlyListens = method === "GET" && !new Headers(init?.headers).has("last-event-id");
      if (onlyListens && !onSilence && !hearsQuestions) return new Response(null, { status: 405 });
      const message = onlyListens ? LISTENING : readMessage(init?.body);
      if (message.isRequest) {
        wire.status = null;
        wire.thrown = undefined;
      }
      // A notification too: the handshake goes on when the server has answered it, which may take some time.
      onEvent?.("sent");
      if (CALLS.has(message.method ?? "")) wire.callSent = true;
      const answer = send(input, init, message);
      if (onlyListens) void answer.catch(() => undefined).then(() => listens());
      if (message.method?.startsWith("notifications/")) {
        const notice: Promise<unknown> = answer.catch(() => undefined).then(() => notices.delete(notice));
        notices.add(notice);
      }
      return answer;
    },
    onReply(next) {
      onEvent = next;
    },
    allow(bytes, keep = false) {
      bytesLeft = bytes;
      replies = keep ? [] : undefined;
    },
    replies: () => replies?.map(({ text }) => text) ?? [],
    async noticed() {
      await Promise.all(notices);
    },
    listening,
  };
}

/**
 * Whether an event had an id so far: if a server numbers its events, a reply that broke off can be resumed. A chunk may end
 * in the middle of a line.
 */
function eventIdFinder(): (chunk: string) => boolean {
  let found = false;
  let line = "";
  return (chunk) => {
    if (found) return true;
    const text = line + chunk;
    found = /(?:^|[\r\n])id:/.test(text);
    line = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1).slice(0, 3);
    return found;
  };
}

interface Message {
  readonly method?: string;
  /** Whether it is to be answered. */
  readonly isRequest: boolean;
  /** Opens the stream on which a server of protocol 2025 sends its own messages. */
  readonly listens?: boolean;
}

const LISTENING: Message = { isRequest: false, listens: true };

/** The SDK's own text. */
function readMessage(body: unknown): Message {
  if (typeof body !== "string") return { isRequest: false };
  const { method, id } = JSON.parse(body) as { method?: string; id?: unknown };
  return { method, isRequest: method !== undefined && id !== undefined };
}
