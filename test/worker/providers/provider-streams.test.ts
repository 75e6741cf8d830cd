/**
 * Streams of providers that end badly, at each event: the reply ends as an error, and nothing is released.
 * @module-tag attack/streams
 */
import { describe, expect, it } from "vitest";
import {
  anthropicEvents,
  call,
  googleEvents,
  MODEL,
  PROVIDERS,
  type ProviderName,
} from "../../support/provider-wire.ts";
import { type Gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, user } from "../support/script.ts";
import { providers, stream } from "./provider-gateway.ts";

const policy = { handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } };
const tools = [tool("read_file", { type: "object", properties: { path: { type: "string" } } })];
const step = {
  thinking: { text: "I read them.", signature: "c2ln" },
  text: ["I ", "look."],
  calls: [call("c1", "read_file", { path: "a.txt" }), call("c2", "read_file", { path: "b.txt" })],
};
const go = (provider: ProviderName, body: object = {}) => ({
  model: MODEL[provider],
  messages: [user("read them")],
  tools,
  stream: true,
  ...body,
});

/** A body that closes, or breaks, behind the text. */
const cutAfter = (text: string, breaks: boolean): Upstream => {
  return () => {
    const pieces = [new TextEncoder().encode(text)];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift();
          if (piece) controller.enqueue(piece);
          else if (breaks) controller.error(new Error("connection reset"));
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
};

/** Nothing released, no clean end. */
async function expectNothing(gate: Gateway, body: Record<string, unknown>, where: string): Promise<void> {
  const answer = await ask(gate, body);
  expect([where, answer.calls, answer.finish]).toEqual([where, [], null]);
  expect([where, answer.error !== undefined || answer.status >= 400]).toEqual([where, true]);
  if (answer.events.length > 0) expect(JSON.stringify(answer.events.at(-1)?.json)).toContain('"error"');
  expect(answer.events.some(({ data }) => data === "[DONE]")).toBe(false);
}

describe.each(["anthropic", "google"] as const)("a stream of %s", (provider) => {
  const events = PROVIDERS[provider](step);
  /** Google's last event is its end; the events of Anthropic's before its last one are none. */
  const cuts = events.slice(0, -1).map((_, at) => at);

  it.each([true, false])("that is cut between two events releases nothing (breaks %s)", async (breaks) => {
    for (const at of cuts)
      for (const streamed of [true, false]) {
        const upstream = cutAfter(events.slice(0, at + 1).join(""), breaks);
        const gate = await providers({ policy, upstream });
        await expectNothing(gate, go(provider, { stream: streamed }), `after ${at}, stream ${streamed}`);
      }
  });

  it("that is cut within its last event releases nothing", async () => {
    const whole = events.join("");
    const last = events.at(-1) ?? "";
    for (const left of [1, 2, 3, 8, last.length - 1]) {
      const gate = await providers({ policy, upstream: cutAfter(whole.slice(0, -left).trimEnd(), false) });
      await expectNothing(gate, go(provider), `${left} left`);
    }
  });

  it("that holds an event which is no JSON releases nothing, wherever it stands", async () => {
    for (const at of cuts) {
      const broken = [...events.slice(0, at + 1), 'data: {"broken\n\n', ...events.slice(at + 1)];
      const gate = await providers({ policy, upstream: () => stream(broken) });
      await expectNothing(gate, go(provider), `after ${at}`);
    }
  });

  it("that reports an error releases nothing, and the client is told the provider's words", async () => {
    const error =
      provider === "anthropic"
        ? 'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"no good"}}\n\n'
        : 'data: {"error":{"code":400,"message":"no good","status":"INVALID_ARGUMENT"}}\n\n';
    for (const at of cuts) {
      const gate = await providers({
        policy,
        upstream: () => stream([...events.slice(0, at + 1), error, ...events.slice(at + 1)]),
      });
      const answer = await ask(gate, go(provider));
      expect([at, answer.calls, answer.finish, answer.error?.message]).toEqual([at, [], null, "no good"]);
    }
  });

  it.each<readonly [string, string]>(
    provider === "anthropic"
      ? [
          ["max_tokens", "length"],
          ["refusal", "content_filter"],
        ]
      : [
          ["MAX_TOKENS", "length"],
          ["SAFETY", "content_filter"],
        ],
  )("cut by `%s` keeps its words and releases no call, and the record says so", async (stop, finish) => {
    const gate = await providers({ policy, upstream: () => stream(PROVIDERS[provider]({ ...step, stop })) });
    for (const streams of [true, false]) {
      const answer = await ask(gate, go(provider, { stream: streams, stream_options: undefined }));
      expect([answer.status, answer.error, answer.calls]).toEqual([200, undefined, []]);
      expect([answer.text, answer.finish]).toEqual(["I look.", finish]);
      expect(answer.note.decisions).toMatchObject([
        { tool: "read_file", effect: "deny", reasons: [{ code: "stream_disorderly" }] },
      ]);
    }
    expect(await gate.decisions()).toHaveLength(2);
  });

  it.each(provider === "anthropic" ? ["compaction"] : ["MALFORMED_FUNCTION_CALL"])(
    "whose end is `%s` releases no call, and the record says so",
    async (stop) => {
      const gate = await providers({ policy, upstream: () => stream(PROVIDERS[provider]({ ...step, stop })) });
      await expectNothing(gate, go(provider), stop);
      expect(await gate.decisions()).toMatchObject([
        { tool: "read_file", effect: "deny", reasons: [{ code: "stream_disorderly" }] },
      ]);
    },
  );

  it("without calls keeps the reason of its end", async () => {
    const stop = provider === "anthropic" ? "max_tokens" : "MAX_TOKENS";
    const gate = await providers({ policy, upstream: () => stream(PROVIDERS[provider]({ text: ["cut"], stop })) });
    const answer = await ask(gate, go(provider));
    expect([answer.text, answer.finish]).toEqual(["cut", "length"]);
  });

  it("with two calls of one id releases neither", async () => {
    const calls = [call("c1", "read_file", { path: "a" }), call("c1", "read_file", { path: "b" })];
    const gate = await providers({ policy, upstream: () => stream(PROVIDERS[provider]({ calls })) });
    await expectNothing(gate, go(provider), "one id");
  });
});

it("a tool that Anthropic runs itself is none of ours: the answer is not trusted", async () => {
  const events = anthropicEvents({ text: ["Searching."] });
  const block = { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "x" } };
  const start = `data: ${JSON.stringify({ type: "content_block_start", index: 1, content_block: block })}\n\n`;
  const end = 'data: {"type":"content_block_stop","index":1}\n\n';
  const upstream = () => stream([...events.slice(0, -2), start, end, ...events.slice(-2)]);
  await expectNothing(await providers({ policy, upstream }), go("anthropic"), "web search");
});

it("code that Google runs itself is none of ours: the answer is not trusted", async () => {
  const part = { executableCode: { language: "PYTHON", code: "print(1)" } };
  const ran = `data: ${JSON.stringify({ candidates: [{ content: { parts: [part], role: "model" }, index: 0 }] })}\n\n`;
  const upstream = () => stream([ran, ...googleEvents({ text: ["1"] })]);
  await expectNothing(await providers({ policy, upstream }), go("google"), "code");
});

it("words that come after the end are not trusted", async () => {
  const events = anthropicEvents(step);
  const again = anthropicEvents({ text: ["More."] }).slice(2);
  await expectNothing(
    await providers({ policy, upstream: () => stream([...events, ...again]) }),
    go("anthropic"),
    "more",
  );
});

it("an event without an end is not read to its end", async () => {
  const megabyte = new TextEncoder().encode("x".repeat(1024 * 1024));
  let sent = 0;
  const upstream: Upstream = () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 64) controller.close();
        else controller.enqueue(sent === 1 ? new TextEncoder().encode("data: ") : megabyte);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await expectNothing(await providers({ policy, upstream }), go("google"), "endless");
  expect(sent).toBeLessThan(32);
});
