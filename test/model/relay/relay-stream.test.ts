import { beforeAll, describe, expect, it } from "vitest";
import { loadAssembly } from "../../../src/model/relay/call-assembly.ts";
import { outcomeOfStream } from "../../../src/model/relay/relay-outcome.ts";
import { relayStream } from "../../../src/model/relay/relay-stream.ts";
import { startUpstreamDeadline } from "../../../src/model/upstream/time-limit.ts";
import { newEnvelope } from "../../../src/wire/envelope.ts";
import { chunk, sse, toStream } from "../../support/sse.ts";

const LIMITS = { connectMs: 9_000, firstByteMs: 9_000, idleMs: 9_000 };

it("does not wait for a client that has yet to read an earlier step before its own first event: the time for that runs", async () => {
  const came: string[] = [];
  const pieces = [
    ": working\n\n",
    ": working\n\n",
    sse([chunk({ content: "a" })]),
    sse([chunk({}, { finish: "stop" })]),
  ];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) return controller.close();
        came.push(piece.slice(0, 1));
        controller.enqueue(new TextEncoder().encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
  const watch = startUpstreamDeadline(LIMITS, new AbortController().signal, true);
  const paused = { ...watch, pause: () => void came.push("pause") };
  const words = {
    write: (text: string) => void came.push(`write ${text.slice(0, 1)}`),
    full: true,
    ready: async () => {},
    started: true,
  };
  const options = { words, envelope: newEnvelope(), adopt: true, watch: paused, onBegun() {} };
  const report = await relayStream(body, options);
  watch.stop();
  expect([report.fault, came]).toEqual([undefined, [":", ":", "d", "write d", "pause", "d", "pause"]]);
});

beforeAll(loadAssembly);

describe("the end of a stream", () => {
  const relayed = (text: string) => relayedBody(toStream(text));
  async function relayedBody(body: ReadableStream<Uint8Array>) {
    const watch = startUpstreamDeadline(LIMITS, new AbortController().signal, true);
    const words = { write() {}, full: false, ready: async () => {}, started: true };
    const options = { words, envelope: newEnvelope(), adopt: false, watch, onBegun() {} };
    const report = await relayStream(body, options);
    watch.stop();
    return { report, outcome: outcomeOfStream(report) };
  }
  const said = chunk({ content: "a" });
  const called = chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] });

  it.each([
    ["nothing", ""],
    ["words", sse([said])],
    ["a call", sse([said, called])],
    ["an account", sse([said, chunk(null, { usage: { total_tokens: 1 } })])],
    ["half an event", sse([said]) + sse([chunk({}, { finish: "stop" })]).slice(0, 40)],
  ])("is none where it breaks off after %s", async (_what, text) => {
    const { report, outcome } = await relayed(text);
    expect(report.fault?.detail).toMatch(/broke off|not JSON/);
    expect(outcome.kind).toBe("disorderly");
  });

  it.each([
    ["a finish reason", sse([said, chunk({}, { finish: "stop" })])],
    ["[DONE]", sse([said], { done: true })],
  ])("is one after %s", async (_what, text) => {
    const { report, outcome } = await relayed(text);
    expect([report.fault, outcome.kind]).toEqual([undefined, "ended"]);
  });

  it("is one after [DONE] where the connection stays open and silent, which is then cut off", async () => {
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(sse([said], { done: true }))),
      cancel: () => cancelled.resolve(),
    });
    expect((await relayedBody(body)).outcome.kind).toBe("ended");
    await cancelled.promise;
  });

  // Each fragment is looked up among the calls that share its index, or among all: many of them would hold everybody else up.
  it.each<[string, (at: number) => number | undefined]>([
    ["each of its own index", (at) => at],
    ["all of one index", () => 0],
    ["of no index", () => undefined],
  ])("comes early where a step has more calls than anybody makes, %s", async (_what, indexOf) => {
    const calls = Array.from({ length: 65 }, (_, at) => ({
      index: indexOf(at),
      id: `c${at}`,
      function: { name: "f", arguments: "{}" },
    }));
    const few = chunk({ tool_calls: calls.slice(1) });
    const { report: kept, outcome } = await relayed(sse([few, chunk({}, { finish: "stop" })]));
    expect([kept.fault, outcome.kind === "ended" && outcome.calls.length]).toEqual([undefined, 64]);
    const { report } = await relayed(sse([chunk({ tool_calls: [...calls, ...calls] })]));
    expect(report.fault?.detail).toContain("more than 64");
    expect(report.calls.begun).toBe(65);
  });
});
