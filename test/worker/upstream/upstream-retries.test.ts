import { describe, expect, it } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { tool } from "../support/gateway.ts";
import { aborted, ask, call, messagesOf, readAnswer, says, selects, user } from "../support/script.ts";
import { diesAfter, fails, unreachable, upstreams } from "./several-upstreams.ts";

const messages = [user("hi")];
const fine = says({ text: "fine", usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } });
const told = (headers: Headers) => [headers.get("x-toolgate-upstream"), headers.get("x-toolgate-upstream-attempts")];

describe.each([true, false])("an upstream that fails before its first event is asked again (stream %s)", (stream) => {
  it.each([
    ["no connection", unreachable],
    ["429", fails(429)],
    ["503", fails(503)],
    ["an overload", fails(529)],
    ["an answer that breaks after its headers", diesAfter("")],
    ["an answer that ends after its headers", diesAfter("", "close")],
  ])("%s", async (_name, failure) => {
    const { gate, asked, waits } = await upstreams([[failure, failure, fine]]);
    const answer = await ask(gate, {
      messages,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    });
    expect([answer.status, answer.text, answer.finish]).toEqual([200, "fine", "stop"]);
    expect([asked, waits]).toEqual([
      [1, 1, 1],
      [400, 800],
    ]);
    expect(told(answer.headers)).toEqual(["1", "3"]);
    expect(answer.usage).toMatchObject({ total_tokens: 3 });
    expect(new Set(gate.sent.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "completed", steps: 1, usage: { total_tokens: 3 } }]);
  });

  it("no oftener than the settings say, and the client gets the last answer as it came", async () => {
    for (const retries of [0, 1, 5]) {
      const { gate, asked, waits } = await upstreams([[fails(503, { "x-request-id": "r" }, "busy")]], { retries });
      const answer = await ask(gate, { messages, stream });
      expect([answer.status, answer.error?.message, asked.length, waits.length]).toEqual([
        503,
        "busy",
        retries + 1,
        retries,
      ]);
      expect([answer.headers.get("x-request-id"), ...told(answer.headers)]).toEqual(["r", "1", String(retries + 1)]);
      expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error", steps: 1 }]);
    }
  });

  it("after as long as it asks, where that is not too long", async () => {
    const { gate, waits } = await upstreams([
      [fails(429, { "retry-after": "7" }), fails(503, { "retry-after-ms": "1500", "retry-after": "2" }), fine],
    ]);
    expect((await ask(gate, { messages, stream })).text).toBe("fine");
    expect(waits).toEqual([7000, 1500]);
  });

  it("not where it asks for more, and then the client is told how long", async () => {
    const { gate, asked, waits } = await upstreams([[fails(429, { "retry-after": "11" }), fine]]);
    const answer = await ask(gate, { messages, stream });
    expect([answer.status, answer.headers.get("retry-after"), asked, waits]).toEqual([429, "11", [1], []]);
  });

  it("not where it says that it should not be, and where it says that it should be", async () => {
    const not = await upstreams([[fails(503, { "x-should-retry": "false" }), fine]]);
    expect([(await ask(not.gate, { messages, stream })).status, not.asked]).toEqual([503, [1]]);
    const should = await upstreams([[fails(409, { "x-should-retry": "true" }), fine]]);
    expect([(await ask(should.gate, { messages, stream })).status, should.asked]).toEqual([200, [1, 1]]);
  });

  it.each([400, 403, 404, 409, 413, 422])("not for %s: that is the request's own fault", async (status) => {
    const { gate, asked } = await upstreams([[fails(status), fine]]);
    expect([(await ask(gate, { messages, stream })).status, asked]).toEqual([status, [1]]);
  });

  it("not where it refuses the gateway's key: it would again", async () => {
    const { gate, asked } = await upstreams([[fails(401), fine]]);
    expect([(await ask(gate, { messages, stream })).status, asked]).toEqual([502, [1]]);
  });
});

describe("an upstream that fails later is not asked again", () => {
  it("after words", async () => {
    const { gate, asked } = await upstreams([[diesAfter(sse([chunk({ content: "He" })])), fine]]);
    const answer = await ask(gate, { messages, stream: true });
    expect([answer.text, answer.finish, asked]).toEqual(["He", null, [1]]);
    expect(answer.error?.message).toContain("broke off");
  });

  it("after the role alone, which the client has already", async () => {
    const { gate, asked } = await upstreams([[diesAfter(sse([chunk({ role: "assistant", content: "" })])), fine]]);
    const answer = await ask(gate, { messages, stream: true });
    expect([answer.error?.code, asked]).toEqual(["upstream_stream_disorderly", [1]]);
  });

  it("after a call has begun", async () => {
    const begun = { index: 0, id: "c", type: "function", function: { name: "read_file", arguments: '{"pa' } };
    const { gate, asked } = await upstreams([[diesAfter(sse([chunk({ tool_calls: [begun] })])), fine]]);
    const answer = await ask(gate, { messages, stream: true, tools: [tool("read_file")] });
    expect([answer.calls, answer.error === undefined, asked]).toEqual([[], false, [1]]);
    expect(await gate.decisions()).toMatchObject([{ tool: "read_file", effect: "deny" }]);
  });

  it("after comments alone it is: they are no answer", async () => {
    const { gate, asked } = await upstreams([[diesAfter(": working\n\n"), fine]]);
    const answer = await ask(gate, { messages, stream: true });
    expect([answer.text, answer.finish, asked]).toEqual(["fine", "stop", [1, 1]]);
  });
});

describe("a later step that fails", () => {
  it.each([true, false])("is asked again alone, and nothing is doubled (stream %s)", async (stream) => {
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    const { gate, asked } = await upstreams(
      [
        [
          says({ calls: [selects("general")], usage }),
          unreachable,
          fails(502),
          says({ calls: [call("c", "read_file")], usage }),
        ],
      ],
      { policy: { tools: { read_file: { category: "read_only" } } } },
    );
    const answer = await ask(gate, {
      messages,
      stream,
      tools: [tool("read_file")],
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    });
    expect(answer.calls.map(({ id }) => id)).toEqual(["c"]);
    expect([asked.length, answer.usage]).toEqual([4, { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }]);
    // The second step's attempts have the first one's handshake before them, once.
    const roles = gate.sent.map((body) => messagesOf(body).map(({ role }) => role));
    expect(roles).toEqual([["user"], ...Array(3).fill(["user", "assistant", "tool"])]);
    expect((await gate.decisions()).map(({ tool: name }) => name)).toEqual(["select_intent", "read_file"]);
    expect(await gate.turns()).toMatchObject([{ steps: 2, stop_reason: "completed" }]);
  });
});

describe("a client that leaves while the gateway waits to ask again", () => {
  it.each([true, false])("ends the waiting, and the upstream is asked no more (stream %s)", async (stream) => {
    const controller = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const { gate, asked } = await upstreams([[fails(503), fine]], {
      async onWait(signal) {
        waiting.resolve();
        await aborted({ signal } as Request);
      },
    });
    const json = { model: "m", messages, stream };
    const answering = gate.fetch("/v1/chat/completions", { json, signal: controller.signal });
    await waiting.promise;
    controller.abort();
    await readAnswer(await answering).catch(() => {});
    expect(await gate.turns()).toMatchObject([{ stop_reason: "aborted" }]);
    expect(asked).toEqual([1]);
  });
});
