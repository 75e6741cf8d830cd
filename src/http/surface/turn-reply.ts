/** A turn's reply: an event stream or one JSON body, in a surface's format. Both adapt the turn's `Reply` port. */
import { isObject } from "../../lib/json/json-value.ts";
import type { UpstreamHead } from "../../ports/model-port.ts";
import type { OpenedNote, Reply } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import { type Envelope, newEnvelope } from "../../wire/envelope.ts";
import { NO_WORDS, type ReplySink, type ReplyTimeouts, replyStream } from "../../wire/reply-sink.ts";
import { docsOf } from "../problem.ts";
import type { EndingContext, ReplyFormat, SurfaceRequest } from "./surface.ts";

interface TurnReply extends Reply {
  /** Resolves as soon as there is something to answer with. */
  readonly response: Promise<Response>;
}

/** UTF-16 units of text that JSON mode may hold back: far more than a model writes, and little of an isolate. */
const MAX_HELD = 4 * 1024 * 1024;

/**
 * @param model the name under which the model answers.
 * @param onGone called when the client goes away.
 * @param options `mayCall`: there are tools, so that a step may have hidden calls and its text may be dropped.
 */
export function streamReply(
  { chat: request, format }: SurfaceRequest,
  model: string,
  now: () => number,
  onGone: () => void,
  { timeouts, mayCall }: { readonly timeouts: ReplyTimeouts; readonly mayCall: boolean },
): TurnReply {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const stream = replyStream(onGone, timeouts);
  const envelope = newEnvelope(model);
  const headers = new Headers({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const [name, value] of Object.entries(format.headers ?? {})) headers.set(name, value);
  const written = format.words ? wordsIn(format.words, stream, envelope) : stream;
  const held = request.jsonMode && mayCall ? heldWords(written, envelope) : undefined;
  let answered = false;
  let steps = 0;
  /** Whether the gateway sent text before the model had ended. */
  let continued = false;
  /** Whether any text was sent, the model's or ours. */
  let spoken = false;
  const answer = (response: Response): void => {
    answered = true;
    resolve(response);
  };
  return {
    response: promise,
    envelope,
    words: held ?? written,
    get firstByteAt() {
      return stream.startedAt;
    },
    opened(note) {
      setOpenedHeaders(headers, note);
      format.opened?.(note);
    },
    head(head) {
      if (answered) return;
      passHeaders(head, headers);
      answer(new Response(stream.readable, { headers }));
      stream.keepAlive();
    },
    hold(waitsFor) {
      // Tools usually answer soon, and a reply that has begun is kept alive anyway.
      if (answered && waitsFor === "tools") return;
      if (!answered) answer(new Response(stream.readable, { headers }));
      // Some runtimes and proxies hold the head back until there is a body.
      stream.write(`: waiting for ${waitsFor === "tools" ? "tools" : "a person"}\n\n`);
      stream.keepAlive();
    },
    ran(runs) {
      if (!format.runs) return;
      if (!answered) answer(new Response(stream.readable, { headers }));
      stream.write(format.runs(runs));
    },
    say(words) {
      if (!answered) answer(new Response(stream.readable, { headers }));
      stream.write(format.ownWords(envelope, words, now()));
      spoken = true;
      continued = true;
    },
    stepEnded(keep, hadWords) {
      steps += 1;
      spoken ||= hadWords;
      held?.flush(keep);
    },
    async finish(ending, note, usage) {
      if (ending.kind === "error") {
        if (!answered) {
          answer(errorResponse(ending, headers));
          return false;
        }
        stream.write(format.error(errorOf(ending), envelope));
      } else {
        if (!answered) answer(new Response(stream.readable, { headers }));
        stream.write(
          await format.ending(ending, {
            envelope,
            note,
            usage,
            includeUsage: request.includeUsage,
            several: steps > 1 || continued,
            jsonMode: request.jsonMode,
            spoken,
            preface: "",
            now: now(),
          }),
        );
      }
      return (await stream.end()) && ending.kind !== "error";
    },
  };
}

/** @param model the name under which the model answers. */
export function jsonReply(
  { chat: request, format }: SurfaceRequest,
  model: string,
  now: () => number,
  signal: AbortSignal,
): TurnReply {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const envelope = newEnvelope(model);
  const headers = new Headers();
  let preface = "";
  return {
    response: promise,
    envelope,
    // The text of a JSON body is in the body.
    words: NO_WORDS,
    opened: (note) => setOpenedHeaders(headers, note),
    head: (head) => passHeaders(head, headers),
    hold() {},
    say(words) {
      preface += words;
    },
    stepEnded() {},
    async finish(ending, note, usage) {
      if (ending.kind === "error") {
        resolve(errorResponse(ending, headers));
        return false;
      }
      const context: EndingContext = {
        envelope,
        note,
        usage,
        includeUsage: true,
        several: false,
        jsonMode: request.jsonMode,
        spoken: false,
        preface,
        now: now(),
      };
      resolve(Response.json(await format.body(ending, context), { headers }));
      return !signal.aborted;
    },
  };
}

/** The text in the surface's own format. */
function wordsIn(write: NonNullable<ReplyFormat["words"]>, stream: ReplySink, envelope: Envelope): ReplySink {
  return {
    write(events) {
      const own = write(events, envelope);
      if (own !== "") stream.write(own);
    },
    get full() {
      return stream.full;
    },
    ready: () => stream.ready(),
    get started() {
      return stream.started;
    },
    prepare: () => stream.prepare?.(),
  };
}

interface HeldWords extends ReplySink {
  flush(keep: boolean): void;
}

/** Text that waits until its step has ended without hidden calls. */
function heldWords(stream: ReplySink, envelope: Envelope): HeldWords {
  let held = "";
  return {
    write(events) {
      if (held.length + events.length > MAX_HELD) throw new Error("the answer is too long to be held back");
      held += events;
    },
    full: false,
    ready: async () => {},
    prepare: () => stream.prepare?.(),
    get started() {
      return held !== "" || stream.started;
    },
    flush(keep) {
      if (keep && held !== "") stream.write(held);
      if (!keep) envelope.roleSent = false;
      held = "";
    },
  };
}

function setOpenedHeaders(headers: Headers, { turn, session, state, intents }: OpenedNote): void {
  headers.set("x-toolgate-turn", turn);
  // Clients choose session ids; a header takes only printable characters.
  headers.set("x-toolgate-session", encodeURIComponent(session));
  headers.set("x-toolgate-state", state);
  if (intents.length > 0) headers.set("x-toolgate-intent", listed(intents));
}

/** Bytes of names in a header. Clients refuse an answer whose headers exceed 8 KB; the note in the body has them all. */
const MAX_LISTED = 1024;

/** A message may match as many intents as a policy has; the first is never cut. */
function listed(names: readonly string[]): string {
  let list = "";
  for (const name of names) {
    const more = list === "" ? encodeURIComponent(name) : `${list}, ${encodeURIComponent(name)}`;
    if (list !== "" && more.length > MAX_LISTED) break;
    list = more;
  }
  return list;
}

const PASSED =
  /^(retry-after(-ms)?|x-should-retry|x-ratelimit-.*|ratelimit.*|anthropic-ratelimit-.*|x-request-id|request-id|openai-(processing-ms|version|model))$/;

/** For a client's back-off and its operator's support tickets. */
function passHeaders({ headers: from, upstream, attempts }: Omit<UpstreamHead, "status">, to: Headers): void {
  for (const [name, value] of from) if (PASSED.test(name)) to.set(name, value);
  if (upstream !== undefined) to.set("x-toolgate-upstream", String(upstream));
  if (attempts !== undefined) to.set("x-toolgate-upstream-attempts", String(attempts));
}

type ErrorEnding = Extract<Ending, { kind: "error" }>;

/** With its documentation page, unless a provider caused it. */
function errorOf({ stopReason, error }: ErrorEnding): unknown {
  const isOwn = stopReason === "request_refused" || stopReason === "gateway_error";
  if (!isOwn || !isObject(error) || typeof error.code !== "string") return error;
  return { ...error, docs: docsOf(error.code) };
}

function errorResponse(ending: ErrorEnding, headers: Headers): Response {
  const out = new Headers(headers);
  const { upstream, attempts } = ending;
  passHeaders({ headers: ending.headers ?? new Headers(), upstream, attempts }, out);
  out.set("content-type", "application/json");
  out.delete("cache-control");
  return new Response(ending.body ?? JSON.stringify({ error: errorOf(ending) }), {
    status: ending.status,
    headers: out,
  });
}
