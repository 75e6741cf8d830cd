import { beforeEach, describe, expect, it, vi } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { gateway, tool, type Upstream } from "../support/gateway.ts";
import { aborted, ask, says, user } from "../support/script.ts";
import { within } from "./hostile-upstream.ts";
import { upstreams } from "./several-upstreams.ts";

const messages = [user("hi")];
const fine = says({ text: "fine" });
const long = "10s";
const times = (own: Record<string, string>) => ({
  UPSTREAM_CONNECT_TIMEOUT: long,
  UPSTREAM_FIRST_BYTE_TIMEOUT: long,
  UPSTREAM_IDLE_TIMEOUT: long,
  ...own,
});

/** Answers nothing, and does not heed its signal. */
const silent: Upstream = () => new Promise(() => {});

/** Headers and the given text, then nothing; tells when it is cancelled. */
function stalls(text = "", type = "text/event-stream", status = 200) {
  const cancelled = Promise.withResolvers<void>();
  const upstream: Upstream = () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
      },
      cancel: () => cancelled.resolve(),
    });
    return new Response(body, { status, headers: { "content-type": type } });
  };
  return { upstream, cancelled: cancelled.promise };
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

describe("an upstream that stalls before anything was sent is a 504", () => {
  it.each<[string, boolean, string, () => ReturnType<typeof stalls>]>([
    ["a stream's headers", true, "UPSTREAM_CONNECT_TIMEOUT", () => ({ ...stalls(), upstream: silent })],
    ["a stream's first event", true, "UPSTREAM_FIRST_BYTE_TIMEOUT", () => stalls()],
    ["a stream's first event, after comments", true, "UPSTREAM_FIRST_BYTE_TIMEOUT", () => stalls(": working\n\n")],
    ["a stream's first event, whole", true, "UPSTREAM_FIRST_BYTE_TIMEOUT", () => stalls('data: {"choices":[')],
    ["a JSON answer's headers", false, "UPSTREAM_FIRST_BYTE_TIMEOUT", () => ({ ...stalls(), upstream: silent })],
    ["a JSON answer's body", false, "UPSTREAM_IDLE_TIMEOUT", () => stalls("", "application/json")],
    ["the rest of a JSON answer", false, "UPSTREAM_IDLE_TIMEOUT", () => stalls('{"choices":[', "application/json")],
    ["the body of an error", true, "UPSTREAM_IDLE_TIMEOUT", () => stalls('{"error":', "application/json", 500)],
  ])("%s", async (_name, stream, setting, scripted) => {
    const { upstream, cancelled } = scripted();
    const gate = await gateway({ policy: {}, upstream, variables: times({ [setting]: "30ms" }) });
    const answer = await within(ask(gate, { messages, stream }));
    expect([answer.status, answer.error?.code]).toEqual([504, "upstream_timeout"]);
    expect(answer.error?.message).toContain(`within 30ms (${setting})`);
    expect(gate.requests[0]?.signal.aborted).toBe(true);
    if (upstream !== silent) await within(cancelled);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error" }]);
  });

  it("that falls silent in time is no time-out", async () => {
    const slow: Upstream = async (body, request) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return fine(body, request);
    };
    const gate = await gateway({ policy: {}, upstream: slow, variables: times({ UPSTREAM_IDLE_TIMEOUT: "10ms" }) });
    expect((await ask(gate, { messages, stream: true })).text).toBe("fine");
  });
});

describe("an upstream that stalls after that ends the reply with an error event", () => {
  const variables = times({ UPSTREAM_IDLE_TIMEOUT: "30ms" });

  it("after words", async () => {
    const { upstream, cancelled } = stalls(sse([chunk({ role: "assistant", content: "He" })]));
    const gate = await gateway({ policy: {}, upstream, variables });
    const answer = await within(ask(gate, { messages, stream: true }));
    expect([answer.status, answer.text, answer.finish]).toEqual([200, "He", null]);
    expect(answer.error).toMatchObject({ code: "upstream_timeout" });
    expect(answer.events.some(({ data }) => data === "[DONE]")).toBe(false);
    await within(cancelled);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error" }]);
  });

  it("after a call, of which nothing is released", async () => {
    const made = { index: 0, id: "c", type: "function", function: { name: "read_file", arguments: "{}" } };
    const { upstream, cancelled } = stalls(sse([chunk({ tool_calls: [made] })]));
    const policy = { handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } };
    const gate = await gateway({ policy, upstream, variables });
    const answer = await within(ask(gate, { messages, stream: true, tools: [tool("read_file")] }));
    expect([answer.calls, answer.error?.code]).toEqual([[], "upstream_timeout"]);
    await within(cancelled);
    expect(await gate.decisions()).toMatchObject([{ tool: "read_file", effect: "deny" }]);
  });
});

describe("where there are several upstreams", () => {
  it("one that stalls is not asked again, but the next is, and the late answer is not left open", async () => {
    const late = stalls("data: {}\n\n");
    const answers = Promise.withResolvers<Response>();
    const { gate, asked } = await upstreams([[() => answers.promise], [fine]], {
      variables: times({ UPSTREAM_CONNECT_TIMEOUT: "30ms" }),
    });
    const answer = await within(ask(gate, { messages, stream: true }));
    expect([answer.text, asked, answer.headers.get("x-toolgate-upstream")]).toEqual(["fine", [1, 2], "2"]);
    const [request] = gate.requests;
    if (request) await within(aborted(request));
    answers.resolve(await late.upstream({}, new Request("https://x.test")));
    await within(late.cancelled);
    // It failed lately: the next request does not wait for it.
    expect([(await ask(gate, { messages, stream: true })).text, asked]).toEqual(["fine", [1, 2, 2]]);
  });

  it("and all stall, the client hears of it once they all have", async () => {
    const { gate, asked } = await upstreams([[silent], [stalls().upstream]], {
      variables: times({ UPSTREAM_CONNECT_TIMEOUT: "20ms", UPSTREAM_FIRST_BYTE_TIMEOUT: "30ms" }),
    });
    const answer = await within(ask(gate, { messages, stream: true }));
    expect([answer.status, answer.error?.code, asked]).toEqual([504, "upstream_timeout", [1, 2]]);
  });
});

describe("routes that are passed through", () => {
  const json = { model: "e", input: "x" };

  it.each(["UPSTREAM_FIRST_BYTE_TIMEOUT", "UPSTREAM_IDLE_TIMEOUT"])("have the same bounds: %s", async (setting) => {
    const { upstream } = setting.includes("IDLE") ? stalls('{"error":', "application/json", 404) : { upstream: silent };
    const gate = await gateway({ upstream, variables: times({ [setting]: "30ms" }) });
    const response = await within(gate.fetch("/v1/embeddings", { json }));
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({
      error: { code: "upstream_timeout", message: expect.stringContaining(setting) as string },
    });
  });

  it("break off a body that stalls in its middle, but not one that the client leaves unread", async () => {
    const { upstream, cancelled } = stalls('{"data":[', "application/json");
    const gate = await gateway({ upstream, variables: times({ UPSTREAM_IDLE_TIMEOUT: "30ms" }) });
    const response = await within(gate.fetch("/v1/embeddings", { json }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"data":[');
    await new Promise((resolve) => setTimeout(resolve, 80));
    await expect(within(reader.read())).rejects.toThrow("UPSTREAM_IDLE_TIMEOUT");
    await within(cancelled);
  });
});
