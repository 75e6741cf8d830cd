/**
 * A reply that the client may resume: the user's object stores the text as it is written, and the turn continues if the client goes
 * away, until a request stops it.
 */
import { whenAborted } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";
import type { RepliesApi } from "../../stores/guard/replies.ts";

/** Milliseconds of one wait at the user's object. */
const WAIT_MS = 10_000;

interface StoreReplyRequest {
  readonly replies: RepliesApi;
  readonly session: string;
  /** The turn's id. */
  readonly reply: string;
  /** The client's connection. */
  readonly signal: AbortSignal;
  /** Called when a request stops the turn, or the reply cannot be stored any more and no client reads it. */
  readonly onStop: () => void;
}

interface StoredReply {
  /** What the client gets. */
  readonly body: ReadableStream<Uint8Array>;
  readonly done: Promise<void>;
}

export function keepReply(body: ReadableStream<Uint8Array>, keep: StoreReplyRequest): StoredReply {
  // The turn is not aborted by a client that leaves its branch.
  const [own, kept] = body.tee();
  return { body: own, done: Promise.all([store(kept, keep), watchForStop(keep)]).then(() => undefined) };
}

async function store(kept: ReadableStream<Uint8Array>, { replies, session, reply, signal, onStop }: StoreReplyRequest) {
  const reader = kept.getReader();
  const decoder = new TextDecoder();
  let [sent, waiting] = [0, ""];
  let sending: Promise<void> | undefined;
  let isKept = true;
  // One append at a time: further text goes with the next.
  const send = async (): Promise<void> => {
    while (waiting !== "" && isKept) {
      const [text, from] = [waiting, sent];
      waiting = "";
      sent += text.length;
      isKept = await replies.append(session, reply, from, text);
    }
    sending = undefined;
  };
  try {
    await replies.begin(session, reply);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      waiting += decoder.decode(value, { stream: true });
      sending ??= send();
      // It is awaited below.
      sending.catch(() => undefined);
      if (!isKept) break;
    }
    await sending;
    if (isKept) return await replies.end(session, reply, !signal.aborted);
    log("warn", "reply_not_kept", { turn: reply, message: "it is too long, or another took its place" });
  } catch (error) {
    log("error", "reply_not_kept", { turn: reply, ...describeError(error) });
  }
  whenAborted(signal, onStop);
  await reader.cancel().catch(() => undefined);
}

async function watchForStop({ replies, session, reply, onStop }: StoreReplyRequest): Promise<void> {
  try {
    let isStopped: boolean | undefined = false;
    while (isStopped === false) isStopped = await replies.stopped(session, reply, WAIT_MS);
    if (isStopped) onStop();
  } catch (error) {
    log("warn", "stop_not_heard", { turn: reply, ...describeError(error) });
  }
}
