/**
 * The client's side of a streamed reply: the text of events goes in, bytes come out, batched.
 *
 * A write costs about 45 µs in workerd, four times a read. So an event is written at once if the last write is some
 * milliseconds old; else it waits for the events that follow, and they go out in one write. A timer of 0 ms batches nothing:
 * 200 chunks took 15 ms with it, and 8 ms with one of 1 ms. Back pressure is the reader's.
 */
import { KEEP_ALIVE } from "./write-event.ts";

/**
 * Many fast streams in one isolate each bring about one chunk a millisecond, so 1 ms batches nothing. Each then waits one
 * millisecond for each reply that batches: at 45 µs a write, all writes take a twentieth of the thread. A frame on a screen
 * lasts 16 ms.
 */
const MAX_WAIT_MS = 16;
/** The timer of a request that the runtime has ended never fires. After this time the count of waiting replies starts anew. */
const TIMER_LOST_MS = 1000;
let waitingReplies = 0;
let lastTimerAt = 0;

/** These writes never wait: the role often comes alone, and a person waits for the first word. */
const IMMEDIATE_WRITES = 2;

const keepAliveBytes = new TextEncoder().encode(KEEP_ALIVE);

const MAX_BATCH_UNITS = 16 * 1024;
const HIGH_WATER = 256 * 1024;

export interface ReplySink {
  /** Queues the text of whole events. */
  write(events: string): void;
  /** Whether so much is unread that the upstream should wait. */
  readonly full: boolean;
  /** Resolves when the client has read enough for more to be worth reading; at once after it has gone away. */
  ready(): Promise<void>;
  /** Whether anything was written yet. */
  readonly started: boolean;
  /** Prepares the first write while the upstream is waited for. */
  prepare?(): void;
}

/** Takes no words: they reach the client by another way, in the body or through the adapter of a package. */
export const NO_WORDS: ReplySink = { write() {}, full: false, ready: async () => {}, started: false };

export interface ReplyTimeouts {
  /** How long a reply that has begun is silent before a comment is sent. */
  readonly keepAliveMs: number;
  /** How long a client may leave waiting bytes unread; then it counts as gone. */
  readonly unreadMs: number;
}

export const REPLY_TIMEOUTS: ReplyTimeouts = { keepAliveMs: 15_000, unreadMs: 600_000 };

export interface ReplyStream extends ReplySink {
  readonly readable: ReadableStream<Uint8Array>;
  /** The response has begun: from now on a comment is sent whenever nothing else was for a while. */
  keepAlive(): void;
  /**
   * Writes the remaining text and ends the body.
   * @returns whether the client has taken all of it.
   */
  end(): Promise<boolean>;
  /** Whether the client has gone away. */
  readonly gone: boolean;
  /** When the first bytes went out, in milliseconds since the epoch. */
  readonly startedAt: number | undefined;
}

interface Channel {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writer: WritableStreamDefaultWriter<Uint8Array>;
}

/** @param onGone called once when the client stops reading. */
export function replyStream(
  onGone: () => void,
  { keepAliveMs, unreadMs }: ReplyTimeouts = REPLY_TIMEOUTS,
): ReplyStream {
  let channel: Channel | undefined;
  const encoder = new TextEncoder();
  let batch = "";
  let unread = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started = false;
  let gone = false;
  let wroteAt = 0;
  let startedAt: number | undefined;
  let writes = 0;
  let last: Promise<void> = Promise.resolve();
  /** The client did not read everything. */
  let wasLost = false;
  let closing = false;
  let readAt = 0;
  /** One timer for a silent reply and for a client that does not read. It is set again when it fires early. */
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  const clientGone = () => {
    if (gone) return;
    gone = true;
    wasLost ||= batch !== "" || unread > 0;
    batch = "";
    stopSilenceTimer();
    onGone();
  };

  const open = (): Channel => {
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    writer.closed.catch(clientGone);
    channel = { readable, writer };
    return channel;
  };

  const stopSilenceTimer = () => {
    if (silenceTimer !== undefined) clearTimeout(silenceTimer);
    silenceTimer = undefined;
  };
  const armSilenceTimer = () => {
    silenceTimer = setTimeout(checkSilence, Math.min(keepAliveMs, unreadMs));
  };
  const checkSilence = () => {
    const now = Date.now();
    const waits = unread > 0;
    if (waits && now - readAt >= unreadMs) {
      const reason = new Error("the client has not read for too long");
      clientGone();
      channel?.writer.abort(reason).catch(() => {});
      return;
    }
    if (!waits && batch === "" && now - wroteAt >= keepAliveMs && !closing)
      send(keepAliveBytes, keepAliveBytes.length, now);
    armSilenceTimer();
  };

  const scheduleWrite = (now: number): boolean => {
    if (now - lastTimerAt > TIMER_LOST_MS) waitingReplies = 0;
    const wait = wroteAt + Math.min(waitingReplies + 1, MAX_WAIT_MS) - now;
    if (wait <= 0) return false;
    waitingReplies += 1;
    lastTimerAt = now;
    timer = setTimeout(onTimer, wait);
    return true;
  };
  const timerDone = () => {
    timer = undefined;
    waitingReplies = Math.max(waitingReplies - 1, 0);
  };
  const onTimer = () => {
    timerDone();
    lastTimerAt = Date.now();
    flush();
  };
  const cancel = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timerDone();
  };

  const flush = () => {
    if (batch === "" || gone) return;
    const size = batch.length;
    const bytes = encoder.encode(batch);
    batch = "";
    writes += 1;
    send(bytes, size, Date.now());
  };

  const send = (bytes: Uint8Array, size: number, now: number) => {
    if (unread === 0) readAt = now;
    unread += size;
    wroteAt = now;
    startedAt ??= now;
    last = (channel ?? open()).writer.write(bytes).then(() => {
      unread -= size;
      if (unread > 0) readAt = Date.now();
    }, clientGone);
  };

  return {
    get readable() {
      return (channel ?? open()).readable;
    },
    prepare() {
      if (!channel && !gone) open();
    },
    write(events) {
      if (gone) return;
      batch += events;
      started = true;
      const many = batch.length >= MAX_BATCH_UNITS;
      if (timer !== undefined && !many) return;
      if (!many && writes >= IMMEDIATE_WRITES && scheduleWrite(Date.now())) return;
      cancel();
      flush();
    },
    get full() {
      return !gone && unread + batch.length > HIGH_WATER;
    },
    async ready() {
      while (this.full) {
        cancel();
        flush();
        await last;
      }
    },
    keepAlive() {
      wroteAt ||= Date.now();
      if (!gone) silenceTimer ?? armSilenceTimer();
    },
    async end() {
      cancel();
      flush();
      closing = true;
      if (!gone) silenceTimer ?? armSilenceTimer();
      // Queued behind the last write: waiting for that one first would cost a turn of the event loop.
      await (channel ?? open()).writer.close().catch(clientGone);
      stopSilenceTimer();
      return !wasLost;
    },
    get started() {
      return started;
    },
    get gone() {
      return gone;
    },
    get startedAt() {
      return startedAt;
    },
  };
}
