/** Workers AI by its binding: what it is given, and its native answers and errors as chat completions. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MODEL } from "../../support/provider-wire.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { ask, result, user } from "../support/script.ts";
import { answers, providers } from "./provider-gateway.ts";

const policy = { handshake: { select: "off" }, tools: { read_file: { category: "read_only" } } };
const tools = [tool("read_file", { type: "object", properties: { path: { type: "string" } } })];
const model = "workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast";

interface Run {
  readonly model: string;
  readonly input: Record<string, unknown>;
  readonly options: unknown;
}
type Answer = (run: Run) => unknown;

const events = (...all: readonly unknown[]) =>
  all.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
const sse = (parts: readonly string[]) =>
  new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });

/** In its native form, streamed or whole. */
const native =
  (text: string, calls: readonly object[] = []): Answer =>
  ({ input }) => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    if (input.stream !== true) return Response.json({ response: text, tool_calls: calls, usage });
    return sse(nativeEvents(text, calls, usage));
  };
const nativeEvents = (text: string, calls: readonly object[], usage: object) =>
  events(
    ...[...text].map((response) => ({ response, p: "abc" })),
    ...(calls.length > 0 ? [{ response: "", tool_calls: calls }] : []),
    { response: "", usage },
    "[DONE]",
  );

async function bound(answer: Answer, variables: Record<string, string> = {}): Promise<{ gate: Gateway; runs: Run[] }> {
  const runs: Run[] = [];
  const AI = {
    run: async (name: string, input: object, options?: object) => {
      const run = { model: name, input: input as Run["input"], options };
      runs.push(run);
      return answer(run);
    },
  };
  const gate = await providers({
    policy,
    upstream: answers("google", { text: ["google"] }),
    variables: { UPSTREAM_PROVIDERS: '{"workers-ai":{},"google":{}}', ...variables, AI } as never,
  });
  return { gate, runs };
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describe.each([true, false])("a model of Workers AI (stream %s)", (stream) => {
  const go = { model, messages: [user("read a.txt")], tools, stream };

  it("answers with words and an account, and nobody else is asked", async () => {
    const { gate, runs } = await bound(native("Hello"));
    const answer = await ask(gate, { ...go, max_tokens: 9, stream_options: { include_usage: true } });
    expect([answer.status, answer.text, answer.finish, gate.requests.length]).toEqual([200, "Hello", "stop", 0]);
    expect(answer.usage).toMatchObject({ total_tokens: 5 });
    expect(runs[0]).toMatchObject({
      model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
      input: { messages: [{ role: "user", content: "read a.txt" }], max_tokens: 9 },
      options: { returnRawResponse: true },
    });
    expect(runs[0]?.input.model).toBeUndefined();
  });

  it("has its calls vetted and released in the client's form", async () => {
    const calls = [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "delete_all", arguments: {} },
    ];
    const { gate, runs } = await bound(native("", calls));
    const answer = await ask(gate, go);
    expect(answer.calls).toMatchObject([{ name: "read_file", arguments: '{"path":"a.txt"}' }]);
    expect(answer.finish).toBe("tool_calls");
    const id = answer.calls[0]?.id ?? "";
    await ask(gate, { ...go, messages: [...go.messages, answer.message, result(id)] });
    const sent = runs[1]?.input.messages as { role: string; content: unknown }[];
    expect(sent.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual(["", ""]);
  });

  it("that answers with chat completions is relayed as it is", async () => {
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "gpt-oss" };
    const { gate } = await bound(() =>
      stream
        ? sse(
            events(
              { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }] },
              { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
              "[DONE]",
            ),
          )
        : Response.json({
            ...chunk,
            choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
          }),
    );
    expect((await ask(gate, go)).text).toBe("Hi");
  });

  it("has arguments refused that hold a number which is not what it seems", async () => {
    const text = '{"response":"","tool_calls":[{"name":"read_file","arguments":{"path":12345678901234567890}}]}';
    let runs = 0;
    const { gate } = await bound((run) => {
      if (++runs > 1) return native("I see.")(run);
      return stream
        ? sse(events(text, "[DONE]"))
        : new Response(text, { headers: { "content-type": "application/json" } });
    });
    const answer = await ask(gate, go);
    expect([answer.calls, answer.text]).toEqual([[], "I see."]);
  });

  it.each<[string, Answer, number]>([
    ["thrown", () => Promise.reject(new Error("3040: Capacity temporarily exceeded, please try again.")), 429],
    ["answered", () => Response.json({ internalCode: 5007, description: "No such model" }, { status: 400 }), 400],
    ["thrown without a number", () => Promise.reject(new Error("broken")), 500],
  ])("has its errors told with the status that they mean (%s)", async (_how, answer, status) => {
    const { gate } = await bound(answer);
    const told = await ask(gate, go);
    expect([told.status, told.error?.message !== undefined]).toEqual([status, true]);
  });

  it("is one of a route's", async () => {
    const routes = JSON.stringify({ smart: [model, MODEL.google] });
    const { gate, runs } = await bound(() => Promise.reject(new Error("3040: full")), { UPSTREAM_ROUTES: routes });
    expect([(await ask(gate, { ...go, model: "smart" })).text, runs.length]).toEqual(["google", 1]);
  });
});

it("a stream that is cut at any event ends as an error, and releases nothing", async () => {
  const parts = nativeEvents("ab", [{ name: "read_file", arguments: { path: "a" } }], { total_tokens: 1 });
  for (let at = 0; at < parts.length - 1; at += 1) {
    const { gate } = await bound(() => sse(parts.slice(0, at + 1)));
    const answer = await ask(gate, { model, messages: [user("go")], tools, stream: true });
    expect([at, answer.calls, answer.finish]).toEqual([at, [], null]);
    expect([at, answer.error !== undefined]).toEqual([at, true]);
  }
});

it.each<[string, unknown]>([
  ["a call without a name", { response: "", tool_calls: [{ arguments: {} }] }],
  [
    "a call that is two",
    {
      response: "",
      tool_calls: [{ name: "read_file", arguments: {}, function: { name: "delete_all", arguments: "{}" } }],
    },
  ],
  ["calls that are no list", { response: "", tool_calls: { name: "read_file", arguments: {} } }],
  ["a call that is none", { response: "", tool_calls: ["read_file"] }],
  ["broken JSON", '{"response":"a'],
])("%s is not released", async (_what, event) => {
  const { gate } = await bound(() => sse(events(event, "[DONE]")));
  const answer = await ask(gate, { model, messages: [user("go")], tools, stream: true });
  expect(answer.calls.filter(({ name }) => name !== "read_file")).toEqual([]);
  if (answer.calls.length > 0) expect(answer.calls).toMatchObject([{ name: "read_file", arguments: "{}" }]);
  else expect(answer.finish === null || answer.error !== undefined).toBe(true);
});

it("without the binding the settings are refused, and say what to do", async () => {
  const gate = await providers({ variables: { UPSTREAM_PROVIDERS: '{"workers-ai":{}}' } });
  const response = await gate.fetch("/v1/models");
  expect(response.status).toBe(503);
});
