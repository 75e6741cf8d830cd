/**
 * The listener of `npm start`: the only way to the runtime behind it. It checks each request (`admit-request.ts`), drops headers that
 * only a proxy may send, and passes everything else on as it comes, in both directions and without buffering.
 */
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { LISTENER_HEADER } from "../../http/middleware/behind-listener.ts";
import { badRequest, headersTooLarge, type Problem, problemResponse, unavailable } from "../../http/problem.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type AdmissionRules, admissionProblem, passedHeaders } from "./admit-request.ts";

/** More than `MAX_HEADER_BYTES` may be set to: the gateway, not the listener, answers if headers are too large. */
const MAX_HEADER_BYTES = 256 * 1024;
/** The runtime closes idle connections after 5 s; one that it is closing would lose the request. */
const IDLE_MS = 3000;

/** The runtime reads so much of an unread body before it closes the connection. */
const SENT_AT_ONCE = 32 * 1024;

export interface Listener {
  /** Until then every request is answered with a 503. */
  passTo(origin: string): void;
  close(): Promise<void>;
}

interface ListenerOptions extends AdmissionRules {
  /** Goes with every request that is passed on; the Worker refuses all others. */
  readonly secret: string;
}

/** Fails with the system's code if the port is not available: EADDRINUSE, EACCES. */
export function listen(options: ListenerOptions): Promise<Result<Listener, string>> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  let runtime: URL | undefined;
  const handle = (incoming: IncomingMessage, reply: ServerResponse) => {
    const { url: target = "", rawHeaders } = incoming;
    const problem = admissionProblem({ target, rawHeaders }, options);
    if (problem) return answer(reply, problem);
    if (runtime === undefined) return answer(reply, starting);
    forward(incoming, reply, { runtime, agent, secret: options.secret });
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0 }, handle);
  server.on("checkContinue", handle);
  server.on("clientError", refuseUnreadable);
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(err(error.code ?? error.message)));
    server.listen(options.port, "127.0.0.1", () => {
      resolve(
        ok({
          passTo(origin) {
            runtime = new URL(origin);
          },
          close() {
            agent.destroy();
            server.closeAllConnections();
            return new Promise((closed) => server.close(() => closed()));
          },
        }),
      );
    });
  });
}

const starting = unavailable("starting", "the gateway is starting; try again in a moment", 1);
const cutOff = unavailable(
  "runtime_unavailable",
  "the gateway's runtime ended the request before it was read: it may be larger than MAX_BODY_BYTES",
  1,
);
const runtimeGone = unavailable("runtime_unavailable", "the gateway's runtime does not answer; try again", 1);

interface RuntimeTarget {
  readonly runtime: URL;
  readonly agent: Agent;
  readonly secret: string;
}

function forward(incoming: IncomingMessage, reply: ServerResponse, { runtime, agent, secret }: RuntimeTarget): void {
  const { "transfer-encoding": chunked, "content-length": length = 0, expect } = incoming.headers;
  // An answer that comes before the whole body is lost where more of the body is on its way: the runtime closes the
  // connection then. So the head goes first, and the body once the runtime will read it.
  const asks = expect !== undefined || chunked !== undefined || Number(length) > SENT_AT_ONCE;
  const headers = [...passedHeaders(incoming.rawHeaders), LISTENER_HEADER, secret];
  if (chunked !== undefined) headers.push("transfer-encoding", "chunked");
  if (asks) headers.push("expect", "100-continue");
  const { hostname: host, port } = runtime;
  const outgoing = request({ host, port, method: incoming.method, path: incoming.url, headers, agent });
  let answered: IncomingMessage | undefined;
  outgoing.on("response", (from) => {
    answered = from;
    forwardReply(from, { incoming, outgoing, reply });
  });
  outgoing.on("error", () => {
    if (answered?.complete) return;
    if (reply.headersSent || reply.destroyed) return void reply.destroy();
    incoming.unpipe(outgoing);
    answer(reply, incoming.complete ? runtimeGone : cutOff);
  });
  reply.on("close", () => {
    // The connection of an answer that has come whole may serve another request by now.
    if (reply.writableFinished || answered?.complete) return;
    // The runtime takes a mere close for the end of what is sent, and goes on until there is an answer to write.
    outgoing.socket?.resetAndDestroy();
    outgoing.destroy();
  });
  if (!asks) return void incoming.pipe(outgoing);
  outgoing.once("continue", () => {
    if (expect !== undefined) reply.writeContinue();
    incoming.pipe(outgoing);
  });
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ClientRequest;
  readonly reply: ServerResponse;
}

function forwardReply(answered: IncomingMessage, { incoming, outgoing, reply }: Exchange): void {
  const unread = !outgoing.writableFinished;
  const headers = passedHeaders(answered.rawHeaders);
  // A client that waits for a `continue` may send its next request in the body's place.
  if (unread && incoming.headers.expect !== undefined) headers.push("connection", "close");
  reply.writeHead(answered.statusCode ?? 502, answered.statusMessage, headers);
  // A stream's first event may be far away.
  reply.flushHeaders();
  answered.pipe(reply);
  answered.on("error", () => reply.destroy());
  answered.on("end", () => {
    if (outgoing.writableFinished) return;
    // Nobody wants the rest of the body.
    incoming.unpipe(outgoing).resume();
    outgoing.destroy();
  });
}

async function answer(reply: ServerResponse, problem: Problem): Promise<void> {
  const response = problemResponse(problem);
  const body = await response.text();
  const close = reply.req.headers.expect === undefined ? {} : { connection: "close" };
  // With the connection kept, a client that is still sending can read the answer.
  reply.req.resume();
  reply.writeHead(response.status, { ...Object.fromEntries(response.headers), ...close }).end(body);
}

/** Answers bytes that are no HTTP request. */
async function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const problem = tooLarge
    ? headersTooLarge("the headers are", MAX_HEADER_BYTES)
    : badRequest(undefined, "this is no HTTP request that can be read");
  const response = problemResponse(problem);
  const body = await response.text();
  const head = [
    `HTTP/1.1 ${response.status} ${tooLarge ? "Request Header Fields Too Large" : "Bad Request"}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
