/**
 * The client's side of a streamed reply: text of events goes in, bytes come out, gathered.
 *
 * A write costs about 45 µs in workerd, four times a read. So an event is written at once if the last write is some
 * milliseconds old, and otherwise together with those that come until then: a burst costs one write in so many
 * milliseconds, and a model's own pace none of that wait. (A timer of 0 ms rings between two reads and gathers nothing:
 * 200 chunks took 15 ms with it, 8 ms with one of 1 ms.) Back pressure is the reader's.
 */

/**
 * Where an isolate serves many fast streams, each brings about one chunk a millisecond, and 1 ms gathers nothing. So each waits a
 * millisecond for each that gathers: all their writes together take a twentieth of the thread. A picture on a screen stands 16 ms.
 */
const MOST_MS = 16;
/** A timer whose request the runtime has ended never rings. After so long without one, none is set. */
const FORGET_MS = 1000;
let gathering = 0;
let stirredAt = 0;

/** The first events go out one by one: the role often comes alone, and the first word is what a person waits for. */
const EARLY = 2;

/** Proxies close a connection on which nothing comes for a minute or so. */
const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

const GATHER = 16 * 1024;
const HIGH_WATER = 256 * 1024;

export interface ReplyWords {
  /** Queues the text of whole events. */
  write(events: string): void;
  /** Whether so much is unread that the upstream should wait. */
  readonly full: boolean;
  /** Resolves when the client has read enough for more to be worth reading; at once after it has gone away. */
  ready(): Promise<void>;
  /** Whether anything was written yet. */
  readonly started: boolean;
  /** Makes what the first write will need, while the upstream is waited for. */
  prepare?(): void;
}

export interface ReplyPace {
  /** How long a reply that has begun is silent before a comment is sent. */
  readonly keepAliveMs: number;
  /** How long a client may read nothing of what waits for it; then it counts as gone. */
  readonly unreadMs: number;
}

export const REPLY_PACE: ReplyPace = { keepAliveMs: 15_000, unreadMs: 600_000 };

export interface ReplyStream extends ReplyWords {
  readonly readable: ReadableStream<Uint8Array>;
  /** The response has begun: from now on a comment is sent wherever nothing else was for a while. */
  keepAlive(): void;
  /**
   * Writes what is left and ends the body.
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
export function replyStream(onGone: () => void, { keepAliveMs, unreadMs }: ReplyPace = REPLY_PACE): ReplyStream {
  let channel: Channel | undefined;
  const encoder = new TextEncoder();
  let gathered = "";
  let unread = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let started = false;
  let gone = false;
  let wroteAt = 0;
  let startedAt: number | undefined;
  let writes = 0;
  let last: Promise<void> = Promise.resolve();
  /** Something was never taken. */
  let lost = false;
  let closing = false;
  let readAt = 0;
  /** One for silence and for a client that does not read; both are noted, and it is set again when it rings early. */
  let watch: ReturnType<typeof setTimeout> | undefined;

  const leave = () => {
    if (gone) return;
    gone = true;
    lost ||= gathered !== "" || unread > 0;
    gathered = "";
    unwatch();
    onGone();
  };

  const open = (): Channel => {
    const { readable, writable } = new IdentityTransformStream();
    const writer = writable.getWriter();
    writer.closed.catch(leave);
    channel = { readable, writer };
    return channel;
  };

  const unwatch = () => {
    if (watch !== undefined) clearTimeout(watch);
    watch = undefined;
  };
  const arm = () => {
    watch = setTimeout(look, Math.min(keepAliveMs, unreadMs));
  };
  const look = () => {
    const now = Date.now();
    const waits = unread > 0;
    if (waits && now - readAt >= unreadMs) {
      const reason = new Error("the client has not read for too long");
      leave();
      channel?.writer.abort(reason).catch(() => {});
      return;
    }
    if (!waits && gathered === "" && now - wroteAt >= keepAliveMs && !closing) send(KEEP_ALIVE, KEEP_ALIVE.length, now);
    arm();
  };

  const gather = (now: number): boolean => {
    if (now - stirredAt > FORGET_MS) gathering = 0;
    const wait = wroteAt + Math.min(gathering + 1, MOST_MS) - now;
    if (wait <= 0) return false;
    gathering += 1;
    stirredAt = now;
    timer = setTimeout(ring, wait);
    return true;
  };
  const rang = () => {
    timer = undefined;
    gathering = Math.max(gathering - 1, 0);
  };
  const ring = () => {
    rang();
    stirredAt = Date.now();
    flush();
  };
  const cancel = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    rang();
  };

  const flush = () => {
    if (gathered === "" || gone) return;
    const size = gathered.length;
    const bytes = encoder.encode(gathered);
    gathered = "";
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
    }, leave);
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
      gathered += events;
      started = true;
      const many = gathered.length >= GATHER;
      if (timer !== undefined && !many) return;
      if (!many && writes >= EARLY && gather(Date.now())) return;
      cancel();
      flush();
    },
    get full() {
      return !gone && unread + gathered.length > HIGH_WATER;
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
      if (!gone) watch ?? arm();
    },
    async end() {
      cancel();
      flush();
      closing = true;
      if (!gone) watch ?? arm();
      // Queued behind the last write: waiting for that one first would cost a turn of the event loop.
      await (channel ?? open()).writer.close().catch(leave);
      unwatch();
      return !lost;
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
