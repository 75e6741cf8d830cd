import { describe, expect, it } from "vitest";
import { accumulate, chunk, readSse, sse } from "../../support/sse.ts";
import { gateway, tool, type Upstream } from "../support/gateway.ts";
import { aborted, readAnswer, says, selects, user } from "../support/script.ts";
import { within } from "../upstream/hostile-upstream.ts";

const messages = [user("hi")];
const STREAM = { headers: { "content-type": "text/event-stream" } };
const bytes = (text: string) => new TextEncoder().encode(text);
const MB = 1024 * 1024;

/** Words without end, or of so many bytes; tells how many of them were asked for, and when it is cancelled. */
function words(total = Number.POSITIVE_INFINITY) {
  const piece = bytes(sse([chunk({ content: "x".repeat(64 * 1024) })]));
  const cancelled = Promise.withResolvers<void>();
  const given = { bytes: 0 };
  const upstream: Upstream = () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next =
            pulls++ === 0
              ? bytes(sse([chunk({ role: "assistant", content: "" })]))
              : given.bytes < total
                ? piece
                : undefined;
          given.bytes += next?.length ?? 0;
          if (next) controller.enqueue(next);
          else {
            controller.enqueue(bytes(sse([chunk({}, { finish: "stop" })], { done: true })));
            controller.close();
          }
        },
        cancel: () => cancelled.resolve(),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, STREAM);
  };
  return { upstream, given, cancelled: cancelled.promise };
}

const turnsOf = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a client that reads slowly", () => {
  it("holds the upstream back: of 200 MB never more than 2 are held, and the upstream is not blamed", {
    timeout: 60_000,
  }, async () => {
    const { upstream, given } = words(200 * MB);
    const gate = await gateway({ policy: {}, upstream, variables: { UPSTREAM_IDLE_TIMEOUT: "40ms" } });
    const response = await gate.chat({ stream: true, messages });
    // Three times the upstream's idle time without a read.
    await turnsOf(120);
    expect(given.bytes).toBeGreaterThan(64 * 1024);
    expect(given.bytes).toBeLessThan(2 * MB);
    let read = 0;
    let held = 0;
    let tail = "";
    for await (const piece of response.body as ReadableStream<Uint8Array>) {
      read += piece.length;
      held = Math.max(held, given.bytes - read);
      tail = (tail + new TextDecoder().decode(piece.slice(-4096))).slice(-4096);
    }
    expect(read).toBeGreaterThan(200 * MB);
    expect(held).toBeLessThan(2 * MB);
    expect(tail).toContain("[DONE]");
    expect(await gate.turns()).toMatchObject([{ stop_reason: "completed" }]);
  });

  it("that reads nothing at all is gone in the end", async () => {
    const { upstream, cancelled } = words();
    const gate = await gateway({ policy: {}, upstream, pace: { unreadMs: 40, keepAliveMs: 20 } });
    const response = await gate.chat({ stream: true, messages });
    await within(cancelled);
    const [request] = gate.requests;
    if (request) await within(aborted(request));
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
    await response.body?.cancel().catch(() => {});
  });
});

describe("a client that leaves", () => {
  /** Headers, then nothing until it is cancelled. */
  function silent() {
    const asked = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const upstream: Upstream = () =>
      new Response(
        new ReadableStream<Uint8Array>(
          { pull: () => asked.resolve(), cancel: () => cancelled.resolve() },
          { highWaterMark: 0 },
        ),
        STREAM,
      );
    return { upstream, asked: asked.promise, cancelled: cancelled.promise };
  }

  it("before the first event has its upstream's answer cancelled", async () => {
    const { upstream, asked, cancelled } = silent();
    const gate = await gateway({ policy: {}, upstream });
    const controller = new AbortController();
    const json = { model: "m", stream: true, messages };
    const answering = gate.fetch("/v1/chat/completions", { json, signal: controller.signal });
    await asked;
    controller.abort();
    await within(cancelled);
    await answering;
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
  });

  it("before the turn began is given nothing, and the turn is recorded as aborted", async () => {
    const gate = await gateway({ policy: {}, upstream: says({ text: "hi" }) });
    const signal = AbortSignal.abort();
    const answer = await gate.fetch("/v1/chat/completions", { json: { model: "m", stream: false, messages }, signal });
    expect(answer.status).toBe(499);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
  });

  it("in the middle of a hidden step has that step's answer cancelled", async () => {
    const { upstream, asked, cancelled } = silent();
    const policy = { tools: { read_file: { category: "read_only" } } };
    const gate = await gateway({
      policy,
      upstream: [says({ text: "Let me see.", calls: [selects("general")] }), upstream],
    });
    const response = await gate.chat({ stream: true, messages, tools: [tool("read_file")] });
    await asked;
    await response.body?.cancel();
    await within(cancelled);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted", steps: 2 }]);
  });

  it("a route that is passed through has its upstream's request ended", async () => {
    const asked = Promise.withResolvers<Request>();
    const gate = await gateway({
      upstream: (_, request) => {
        asked.resolve(request);
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const answering = gate.fetch("/v1/embeddings", { json: { input: "x" }, signal: controller.signal });
    const request = await asked.promise;
    controller.abort();
    await within(aborted(request));
    expect((await within(answering)).status).toBe(499);
  });
});

describe("a reply whose upstream is silent", () => {
  /** Reads on until a comment has come. */
  async function untilComment(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
    let text = "";
    while (!text.includes(": keep-alive\n\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the reply ended: ${text}`);
      text += new TextDecoder().decode(value);
    }
    return text;
  }
  async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read())
      text += new TextDecoder().decode(read.value);
    return text;
  }

  it.each([
    ["in its words", undefined],
    ["in JSON mode, where words are held", { type: "json_object" }],
  ])("is kept alive %s", async (_where, format) => {
    const upstream = new TransformStream<Uint8Array, Uint8Array>();
    const gate = await gateway({
      policy: {},
      upstream: () => new Response(upstream.readable, STREAM),
      pace: { keepAliveMs: 20 },
    });
    const answering = gate.chat({ stream: true, messages, ...(format ? { response_format: format } : {}) });
    const writer = upstream.writable.getWriter();
    await writer.write(bytes(sse([chunk({ role: "assistant", content: "{" })])));
    const reader = ((await answering).body as ReadableStream<Uint8Array>).getReader();
    let text = await within(untilComment(reader));
    void writer
      .write(bytes(sse([chunk({ content: "}" }), chunk({}, { finish: "stop" })], { done: true })))
      .then(() => writer.close());
    text += await within(rest(reader));
    const reply = accumulate(await readSse(text));
    expect([reply.text, reply.finishReason, reply.done]).toEqual(["{}", "stop", true]);
  });

  it("is kept alive in a hidden step", async () => {
    const thinking = Promise.withResolvers<void>();
    const policy = { tools: { read_file: { category: "read_only" } } };
    const gate = await gateway({
      policy,
      pace: { keepAliveMs: 20 },
      upstream: [
        says({ calls: [selects("general")] }),
        async (body, request) => {
          await thinking.promise;
          return says({ text: "done" })(body, request);
        },
      ],
    });
    const response = await gate.chat({ stream: true, messages, tools: [tool("read_file")] });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const text = await within(untilComment(reader));
    thinking.resolve();
    const reply = accumulate(await readSse(text + (await within(rest(reader)))));
    expect([reply.text, reply.done]).toEqual(["done", true]);
  });

  it("is not answered before the upstream is: its status is still open", async () => {
    const thinking = Promise.withResolvers<Response>();
    const gate = await gateway({ policy: {}, upstream: () => thinking.promise, pace: { keepAliveMs: 5 } });
    const answering = gate.chat({ stream: true, messages });
    await turnsOf(30);
    thinking.resolve(Response.json({ error: { message: "no" } }, { status: 418 }));
    expect((await readAnswer(await answering)).status).toBe(418);
  });
});
