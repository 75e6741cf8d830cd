/**
 * Recorded streams of the Responses API, replayed as a provider's: a client of either surface ends up with what was recorded. Cut after
 * their events they end as an error and release nothing; what the provider ran itself is refused.
 * @module-tag attack/streams
 */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { toStream } from "../../support/sse.ts";
import { functionTool, respond } from "../responses/respond.ts";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, result, user } from "../support/script.ts";

interface Recording {
  readonly id: string;
  readonly file: string;
  readonly form: "sse" | "chunks" | "json";
  readonly api: string;
  readonly tools: readonly string[];
}

interface RecordedEvent {
  readonly type: string;
  readonly delta?: string;
  readonly output_index?: number;
  readonly item?: {
    readonly type: string;
    readonly call_id?: string;
    readonly name?: string;
    readonly arguments?: string;
  };
}

const { TEST_STREAMS: streams } = env as { readonly TEST_STREAMS?: Fetcher };
const load = async (file: string): Promise<string | undefined> => {
  const response = await streams?.fetch(`https://data.test/${file}`);
  return response?.ok ? response.text() : undefined;
};
const manifest = await load("manifest.json");
const { fixtures } = JSON.parse(manifest ?? '{"fixtures":[]}') as { fixtures: Recording[] };
const recordings = fixtures.filter(({ api, form }) => api === "responses" && form !== "json");

/** The data of each event. */
async function eventsOf({ file, form }: Recording): Promise<string[]> {
  const text = ((await load(file)) ?? "").replaceAll("\r\n", "\n");
  if (form === "chunks") return text.split("\n").filter((line) => line.trim() !== "");
  return text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : []));
}

const PROVIDER = { gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } };
const stream = (events: readonly string[]): Upstream => {
  return () =>
    new Response(toStream(events.map((data) => `data: ${data}\n\n`).join("")), {
      headers: { "content-type": "text/event-stream" },
    });
};

/** @param upstream the answers in turn; one alone answers all requests. */
function gatewayFor(tools: readonly string[], ...upstream: Upstream[]): Promise<Gateway> {
  const listed = Object.fromEntries(tools.map((name) => [name, { category: "read_only" }]));
  const variables = { UPSTREAM_PROVIDERS: JSON.stringify(PROVIDER), UPSTREAM_GPT_API_KEY: "sk-gpt" };
  return gateway({
    policy: { handshake: { select: "off" }, tools: listed },
    upstream: upstream.length === 1 ? upstream[0] : upstream,
    variables,
  });
}

const chatBody = (tools: readonly string[], more: object = {}) => ({
  model: "gpt/gpt-test",
  messages: [user("go")],
  stream: true,
  ...(tools.length > 0 ? { tools: tools.map((name) => tool(name, { type: "object" })) } : {}),
  ...more,
});

if (manifest === undefined)
  it.skip("recorded responses: there are none in ../shared/data, and TOOLGATE_DATA names none");

describe.skipIf(manifest === undefined)("recorded streams of the Responses API", () => {
  it.each(recordings.map((recording) => [recording.id, recording] as const))("%s", async (_id, { tools, ...rest }) => {
    const data = await eventsOf({ tools, ...rest });
    const events = data.map((text) => JSON.parse(text) as RecordedEvent);
    const items = events
      .flatMap(({ type, item, output_index: at = 0 }) =>
        type === "response.output_item.done" && item ? [{ at, item }] : [],
      )
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item);
    const calls = items.flatMap(({ type, call_id: id, name, arguments: args }) =>
      type === "function_call" ? [[id, name, JSON.parse(args ?? "{}") as unknown]] : [],
    );
    const text = events.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("");
    const isPlain = items.every(({ type }) => ["message", "reasoning", "function_call"].includes(type));
    // Some recordings are of several responses: what follows the first one's end makes it disorderly.
    const isWhole = events.findIndex(({ type }) => type === "response.completed") === events.length - 1;

    const chat = await ask(await gatewayFor(tools, stream(data)), chatBody(tools));
    const body = { model: "gpt/gpt-test", input: "go", stream: true, tools: tools.map((name) => functionTool(name)) };
    const got = await respond(await gatewayFor(tools, stream(data)), body);
    const heard = got.calls?.map(({ call_id: id, name, arguments: args }) => [
      id,
      name,
      JSON.parse(String(args)) as unknown,
    ]);
    if (!isPlain || !isWhole) {
      expect([chat.calls, heard ?? []]).toEqual([[], []]);
      expect(chat.error !== undefined || chat.finish === "length" || chat.finish === "content_filter").toBe(true);
      return;
    }
    expect([chat.error, chat.text]).toEqual([undefined, text]);
    // A client of the same API gets the items, and the events of words, as they were recorded.
    const isWords = ({ type }: { readonly type: string }) => type === "message" || type === "reasoning";
    expect(got.output.filter(isWords)).toEqual(items.filter(isWords));
    const whole = await respond(await gatewayFor(tools, stream(data)), { ...body, stream: false });
    expect(whole.output.filter(isWords)).toEqual(items.filter(isWords));
    const deltas = ({ type }: { readonly type: string }) =>
      /^response\.(output_text|reasoning_\w+)\.(delta|done)$/.test(type);
    const placed = (list: readonly object[]) =>
      list.map((event) => ({ ...event, sequence_number: 0, output_index: 0 }));
    expect(placed(got.events.filter(deltas))).toEqual(placed(events.filter(deltas)));
    const known = calls.filter(([, name]) => tools.includes(String(name)));
    expect(chat.calls.map(({ id, name, arguments: args }) => [id, name, JSON.parse(args) as unknown])).toEqual(known);
    expect(heard).toEqual(known);
  });

  it.each(recordings.filter(({ tools }) => tools.length > 0).map((one) => [one.id, one] as const))(
    "%s, cut after any event, releases nothing",
    async (_id, recording) => {
      // Some recordings are of several responses.
      const recorded = await eventsOf(recording);
      const data = recorded.slice(0, recorded.findIndex((text) => text.includes('"type":"response.completed"')) + 1);
      // Around words one cut is like the next.
      const cuts = data.flatMap((text, at) => (at === 0 || (/\.delta"/.test(text) && at % 16 !== 0) ? [] : [at]));
      let cut = 0;
      const gate = await gatewayFor(recording.tools, (...asked) => stream(data.slice(0, cut))(...asked));
      const body = {
        model: "gpt/gpt-test",
        input: "go",
        stream: true,
        tools: recording.tools.map((name) => functionTool(name)),
      };
      for (cut of cuts) {
        const chat = await ask(gate, chatBody(recording.tools));
        expect([cut, chat.calls, chat.finish, chat.error !== undefined]).toEqual([cut, [], null, true]);
        const got = await respond(gate, body);
        expect([cut, got.calls, got.http === 200 ? got.response.status : "failed"]).toEqual([cut, [], "failed"]);
      }
    },
  );
});

const replies = fixtures.filter(({ api, form }) => api === "responses" && form === "json");

describe.skipIf(manifest === undefined)("recorded replies of the Responses API that came whole", () => {
  it.each(replies.map((one) => [one.id, one] as const))("%s", async (_id, { file, tools }) => {
    const text = (await load(file)) ?? "";
    const recorded = JSON.parse(text) as {
      status?: string;
      error?: object;
      output?: NonNullable<RecordedEvent["item"]>[];
    };
    const upstream: Upstream = () => new Response(text, { headers: { "content-type": "application/json" } });
    const items = recorded.output ?? [];
    const isPlain = items.every(({ type }) => ["message", "reasoning", "function_call"].includes(type));
    const known = items.flatMap(({ type, call_id: id, name }) =>
      type === "function_call" && tools.includes(String(name)) ? [[id, name]] : [],
    );
    const isWords = ({ type }: { readonly type: string }) => type === "message" || type === "reasoning";
    for (const stream of [true, false]) {
      const body = { model: "gpt/gpt-test", input: "go", stream, tools: tools.map((name) => functionTool(name)) };
      const got = await respond(await gatewayFor(tools, upstream), body);
      if (!isPlain || recorded.status !== "completed") {
        expect([got.calls, got.http === 200 && got.response.status === "completed"]).toEqual([[], false]);
        continue;
      }
      expect(got.output.filter(isWords)).toEqual(items.filter(isWords));
      expect(got.calls.map(({ call_id: id, name }) => [id, name])).toEqual(known);
    }
  });
});

it("is asked at `/responses` with the conversation as items, nothing kept there, and only what is offered", async () => {
  const done = [
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-test" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Done." },
    { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
    { type: "response.completed", response: { id: "resp_1", usage: { input_tokens: 3, output_tokens: 1 } } },
  ].map((event) => JSON.stringify(event));
  const gate = await gatewayFor(["read"], stream(done));
  const call = { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } };
  const messages = [user("go"), { role: "assistant", content: "Reading.", tool_calls: [call] }, result("c1", "hello")];
  const chat = await ask(gate, chatBody(["read"], { messages, parallel_tool_calls: false, user: "u", max_tokens: 50 }));
  expect([chat.text, chat.finish]).toEqual(["Done.", "stop"]);
  expect(gate.requests[0]?.url).toBe("https://upstream.test/v1/responses");
  expect(gate.requests[0]?.headers.get("authorization")).toBe("Bearer sk-gpt");
  const [sent] = gate.sent as { input: { type?: string; role?: string }[]; tools: { name: string }[] }[];
  expect(sent).toMatchObject({
    model: "gpt-test",
    store: false,
    parallel_tool_calls: false,
    user: "u",
    max_output_tokens: 50,
  });
  expect(sent?.input.map(({ type, role }) => type ?? role)).toEqual(
    expect.arrayContaining(["user", "assistant", "function_call", "function_call_output"]),
  );
  expect(sent?.tools.map(({ name }) => name)).toEqual(["read"]);
});

it("gets its encrypted reasoning back with the calls, on either surface", async () => {
  const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VjcmV0" };
  const called = { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: "{}" };
  const [open, again] = [
    [
      { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5" } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, encrypted_content: null } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.output_item.added", output_index: 1, item: { ...called, arguments: "" } },
      { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: "{}" },
      { type: "response.output_item.done", output_index: 1, item: { ...called, status: "completed" } },
      { type: "response.completed", response: { id: "resp_1", usage: { input_tokens: 3, output_tokens: 1 } } },
    ],
    [
      { type: "response.created", response: { id: "resp_2", created_at: 1, model: "gpt-5" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Done." },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
      { type: "response.completed", response: { id: "resp_2", usage: { input_tokens: 3, output_tokens: 1 } } },
    ],
  ].map((events) => stream(events.map((event) => JSON.stringify(event)))) as [Upstream, Upstream];
  const model = "gpt/gpt-5";
  const sentBack = (gate: Gateway) =>
    (gate.sent[1] as { input: { type?: string; encrypted_content?: string }[] }).input.flatMap((one) =>
      one.type === "reasoning" ? [one.encrypted_content] : [],
    );

  const chats = await gatewayFor(["read"], open, again);
  const first = await ask(chats, chatBody(["read"], { model }));
  const calls = first.events.flatMap(({ json }) => {
    const { choices = [] } = (json ?? {}) as { choices?: { delta?: { tool_calls?: object[] } }[] };
    return choices.flatMap(({ delta }) => delta?.tool_calls ?? []);
  });
  const history = [user("go"), { role: "assistant", content: null, tool_calls: calls }, result("c1")];
  await ask(chats, chatBody(["read"], { model, messages: history }));
  expect(sentBack(chats)).toEqual(["c2VjcmV0"]);

  const responses = await gatewayFor(["read"], open, again);
  const tools = [functionTool("read")];
  const got = await respond(responses, { model, input: "go", tools, stream: true });
  const next = [{ type: "function_call_output", call_id: "c1", output: "hello" }];
  await respond(responses, { model, input: next, previous_response_id: got.response.id, tools, stream: true });
  expect(sentBack(responses)).toEqual(["c2VjcmV0"]);
});
