/**
 * An MCP session with the official SDK. Load it with `import()`: the SDK is then evaluated only if a policy has MCP servers.
 *
 * No validator: the SDK's would compile the server's schemas, and a result that does not match its schema still counts. Only
 * relayed capabilities: a server that asks the model or the user for something else gets an error.
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { whenAborted, withTimeout } from "../../lib/deadline.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { QuestionKind } from "../tool-runner.ts";
import { type Channel, openChannel } from "./channel.ts";
import type { McpEra } from "./known-server.ts";
import { exactResult, type McpResult } from "./result-text.ts";
import { faultOf, type McpFault, type McpSession, type SessionQuestions, type SessionRequest } from "./session.ts";

const MAX_GREETING_BYTES = 65_536;
/** Limit for all pages together. */
const MAX_LIST_BYTES = 1_048_576;
const MAX_PAGES = 20;
const MAX_TOOLS = 256;
/** Requests of one session; a call takes four, the longest list twenty-four. */
const MAX_REQUESTS = 48;
/** Requests of a session that listens: one for each resource. */
const MAX_LISTENING_REQUESTS = 256;
/** Bytes of all that it receives. */
const MAX_HEARD_BYTES = 1_048_576;
/** The server's questions in one session. */
const MAX_QUESTIONS = 8;
/** How long the end of a session is waited for, each part of it. */
const END_MS = 2_000;
/** How long a server may take to open the stream that it asks on. */
const LISTEN_MS = 2_000;
/** How long the SDK may read a reply that has ended, before it counts as unanswered. */
const READ_MS = 250;

/** The SDK's own limit comes after ours, which knows the reason. */
const AFTER_MS = 1_000;

const anything = z.looseObject({});
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly era: McpEra;
}

export async function openSession(request: SessionRequest): Promise<Result<McpSession, McpFault>> {
  const { updates, questions, lists } = request;
  const channel = openChannel(request.fetch, updates ? MAX_LISTENING_REQUESTS : MAX_REQUESTS, {
    hearsQuestions: questions !== undefined && !lists,
    onSilence: updates && (() => updates.ended()),
  });
  const time = clock(request);
  const connected = await connect(request, channel, time);
  if (!connected.ok) {
    time.stop();
    return connected;
  }
  return ok(sessionOf(connected.value, request, channel, time));
}

function sessionOf(
  { client, transport, era }: Connected,
  { maxBytes, relay, updates }: SessionRequest,
  channel: Channel,
  time: Clock,
): McpSession {
  const asking = <T>(bytes: number, ask: (signal: AbortSignal) => Promise<T>, keep = false) => {
    channel.allow(bytes, keep);
    return answered(channel, time, ask);
  };
  const options = (signal: AbortSignal) => ({
    signal,
    timeout: time.left() + AFTER_MS,
    ...(relay ? { onprogress: (progress: object) => relay.progress({ ...progress }) } : {}),
  });
  return {
    era,
    ask: (method, params) =>
      asking(maxBytes, (signal) => client.request({ method, params } as never, anything, options(signal))),
    list: () => asking(MAX_LIST_BYTES, (signal) => listAll(client, { signal, timeout: time.left() + AFTER_MS })),
    async call({ name, arguments: given, inputSchema }) {
      const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
      const call = (signal: AbortSignal) =>
        client.callTool({ name, arguments: { ...given } }, { ...options(signal), toolDefinition });
      const answer = await asking<McpResult>(maxBytes, call, true);
      return answer.ok ? ok(exactResult(answer.value, channel.replies())) : answer;
    },
    subscribe: (uris) =>
      asking(MAX_HEARD_BYTES, async (signal) => {
        if (!client.getServerCapabilities()?.resources?.subscribe) throw new NoSubscriptions();
        const within = { signal, timeout: time.left() + AFTER_MS };
        if (era === "legacy") for (const uri of uris) await client.subscribeResource({ uri }, within);
        else {
          const { closed } = await client.listen({ resourceSubscriptions: [...uris] }, within);
          void closed.then(() => updates?.ended());
        }
        // Messages from now on do not have the deadline of a request.
        time.stop();
      }),
    async end() {
      time.stop();
      // The SDK sends a cancellation a few microtasks after it was aborted, and closing the client would abort that too.
      await new Promise((resolve) => setTimeout(resolve));
      await withTimeout(END_MS, channel.noticed()).catch(() => undefined);
      await withTimeout(END_MS, transport.terminateSession()).catch(() => undefined);
      await client.close().catch(() => undefined);
    },
  };
}

async function listAll(client: Client, options: { signal: AbortSignal; timeout: number }): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && tools.length <= MAX_TOOLS; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const read = await client.request({ method: "tools/list", params }, page, options);
    tools.push(...read.tools);
    cursor = read.nextCursor;
    if (cursor === undefined && tools.length <= MAX_TOOLS) return tools;
  }
  throw new EndlessList();
}

class EndlessList extends Error {}

/** Answers as a server of its kind would. */
class NoSubscriptions extends Error {
  readonly code = -32601;
  override readonly message = "the server does not say when resources change";
}

async function connect(request: SessionRequest, channel: Channel, time: Clock): Promise<Result<Connected, McpFault>> {
  const first = await connectAs(request.era, request, channel, time);
  // An older server that fails at the newer handshake, which is tried first, gets the older one.
  const stumbled = !first.ok && request.era === undefined && (first.error.httpStatus ?? 0) >= 500;
  return stumbled ? connectAs("legacy", request, channel, time) : first;
}

async function connectAs(
  era: McpEra | undefined,
  { url, relay, questions, lists, updates }: SessionRequest,
  channel: Channel,
  time: Clock,
): Promise<Result<Connected, McpFault>> {
  const client = new Client(
    { name: "toolgate", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      capabilities: capabilitiesOf(questions),
      // Asked as a server of protocol 2025 would ask; each answer repeats the call.
      inputRequired: { autoFulfill: questions !== undefined, maxRounds: MAX_QUESTIONS },
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  if (relay) client.setNotificationHandler("notifications/message", ({ params }) => relay.message({ ...params }));
  if (updates)
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => updates.updated(params.uri));
  if (questions) answerQuestions(client, questions);
  channel.allow(MAX_GREETING_BYTES);
  // The guard handles redirects.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: channel.fetch,
    requestInit: { redirect: "manual" },
    // The listener opens a new session: what happened in between is reported.
    ...(updates ? { reconnectionOptions: NO_RECONNECTION } : {}),
  });
  const connected = await answered(channel, time, (signal) =>
    client.connect(transport, {
      signal,
      timeout: time.left() + AFTER_MS,
      ...(era === "legacy" ? { prior: { kind: "legacy" as const } } : {}),
    }),
  );
  if (!connected.ok) {
    await client.close().catch(() => undefined);
    return connected;
  }
  const isModern = client.getProtocolEra() === "modern";
  // Servers of the official SDK ask there what they ask while a tool runs: messages before the stream is open are lost.
  if (questions && !lists && !isModern) await withTimeout(LISTEN_MS, channel.listening).catch(() => undefined);
  return ok({ client, transport, era: isModern ? "modern" : "legacy" });
}

const NO_RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 0,
};

const capabilitiesOf = (questions: SessionQuestions | undefined) => ({
  ...(questions?.kinds.has("elicitation") ? { elicitation: { form: {} } } : {}),
  ...(questions?.kinds.has("sampling") ? { sampling: {} } : {}),
});

function answerQuestions(client: Client, { kinds, ask }: SessionQuestions): void {
  let count = 0;
  const answer = (kind: QuestionKind, params: object): Promise<JsonObject> => {
    count += 1;
    return count > MAX_QUESTIONS ? Promise.reject(new Error("the server asks too often")) : ask(kind, { ...params });
  };
  // The client's answer is the server's to read; the SDK checks its form.
  if (kinds.has("elicitation"))
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => (await answer("elicitation", params)) as never,
    );
  if (kinds.has("sampling"))
    client.setRequestHandler(
      "sampling/createMessage",
      async ({ params }) => (await answer("sampling", params)) as never,
    );
}

interface Clock {
  readonly signal: AbortSignal;
  /** Milliseconds, at least 1. */
  left(): number;
  timeUp(): boolean;
  clientGone(): boolean;
  stop(): void;
}

function clock({ deadline, signal, now }: SessionRequest): Clock {
  const over = new AbortController();
  const left = () => Math.max(deadline - now(), 1);
  const timer = setTimeout(() => over.abort(), left());
  const either = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  return {
    signal: either,
    left,
    timeUp: () => over.signal.aborted || deadline <= now(),
    clientGone: () => signal?.aborted === true,
    stop: () => clearTimeout(timer),
  };
}

/** The SDK waits for an answer until its time is over, even if the reply has ended without one, or nothing listens to it. */
async function answered<T>(
  channel: Channel,
  time: Clock,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Result<T, McpFault>> {
  const unanswered = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  channel.onReply((what) => {
    clearTimeout(timer);
    if (what === "ended") timer = setTimeout(() => unanswered.abort(), READ_MS);
  });
  const signal = AbortSignal.any([time.signal, unanswered.signal]);
  try {
    return ok(await Promise.race([ask(signal), aborted(signal)]));
  } catch (error) {
    if (error instanceof EndlessList) channel.wire.tooLarge = true;
    return err(faultOf(channel.wire, error, { clientGone: time.clientGone(), timeUp: time.timeUp() }));
  } finally {
    clearTimeout(timer);
    channel.onReply(undefined);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => whenAborted(signal, () => reject(new Error("aborted"))));
