/** Replies of `POST /v1/responses`: events and bodies, and that nothing of a call goes out before it is vetted. */
import { describe, expect, it } from "vitest";
import { chunk, sse, toStream } from "../../support/sse.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { call, says as upstreamSays } from "../support/script.ts";
import { fromDeltas, functionTool, type Responded, respond, says, typesOf } from "./respond.ts";

const policy = {
  handshake: { select: "off" },
  tools: {
    read: { category: "read_only" },
    patch: { category: "read_only" },
    drop: { category: "read_only", roles: ["admin"] },
  },
};
const open = (upstream: Upstream | readonly Upstream[], more: object = {}): Promise<Gateway> =>
  gateway({ policy: { ...policy, ...more }, upstream });
const tools = [functionTool("read", { type: "object", properties: { path: { type: "string" } } })];
const base = { input: "hi", tools };

const streamed =
  (...chunks: unknown[]): Upstream =>
  () =>
    new Response(sse(chunks, { done: true }), { headers: { "content-type": "text/event-stream" } });

/** Without what differs from one reply to the next. */
function plain({ output }: Responded): unknown[] {
  return output.map(({ id: _id, ...item }) => item);
}

describe("words", () => {
  it("come as the events of one message, numbered, and the whole at the end", async () => {
    const gate = await open(upstreamSays({ text: "Hello", usage: { prompt_tokens: 3, completion_tokens: 1 } }));
    const got = await respond(gate, { ...base, stream: true });
    expect(typesOf(got)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(got.events.map((event) => event.sequence_number)).toEqual(got.events.map((_, index) => index));
    expect([got.text, fromDeltas(got)]).toEqual(["Hello", ["Hello"]]);
    expect(got.response).toMatchObject({
      object: "response",
      status: "completed",
      model: "test-model",
      error: null,
      usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4, output_tokens_details: { reasoning_tokens: 0 } },
      toolgate: { stop_reason: "completed", state: "action" },
    });
    expect(new Set(got.events.flatMap(({ response }) => (response ? [response.id] : []))).size).toBe(1);
    expect(got.headers.get("x-toolgate-turn")).toBe(got.response.toolgate.turn_id);
  });

  it("stand in an object that has every member which the API's schema requires", async () => {
    const gate = await open(upstreamSays({ text: "Hello" }));
    const least = { input: "hi", tools: [{ type: "function", name: "read" }], reasoning: { effort: "low" }, text: {} };
    const { response } = await respond(gate, least);
    const { id, output, toolgate, created_at: created, completed_at: completed, ...rest } = response;
    expect([typeof id, output.length, typeof toolgate]).toEqual(["string", 1, "object"]);
    expect(Number(completed)).toBeGreaterThanOrEqual(Number(created));
    expect(rest).toEqual({
      object: "response",
      status: "completed",
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      model: "test-model",
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: "low", summary: null },
      safety_identifier: null,
      service_tier: "default",
      store: true,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [{ type: "function", name: "read", description: null, parameters: null, strict: null }],
      top_logprobs: 0,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      truncation: "disabled",
      usage: null,
      user: null,
      metadata: {},
    });
  });

  it("are the same in a body", async () => {
    const gate = await open(upstreamSays({ text: "Hello", calls: [call("c1", "read", { path: "a" })] }));
    const [stream, whole] = [
      await respond(gate, { ...base, stream: true }),
      await respond(gate, { ...base, input: "ho" }),
    ];
    expect(plain(whole)).toEqual(plain(stream));
    expect(plain(whole)).toEqual([
      {
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
      },
      { type: "function_call", status: "completed", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
    ]);
  });

  it("of reasoning stand in an item of their own, sealed where the upstream wants them back", async () => {
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "Let me " }),
      chunk({ reasoning_content: "think." }),
      chunk({ content: "Yes." }),
      chunk({}, { finish: "stop" }),
    ];
    const gate = await open([streamed(...chunks), upstreamSays({ text: "ok" })]);
    const got = await respond(gate, { ...base, stream: true });
    expect(got.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(fromDeltas(got)).toEqual(["Let me think.", "Yes."]);
    expect(got.output[0]).toMatchObject({ summary: [], content: [{ type: "reasoning_text", text: "Let me think." }] });
    // Some clients return no other member.
    const { id, encrypted_content: sealed } = got.output[0] as Record<string, unknown>;
    const again = [
      says("hi"),
      { type: "reasoning", id, summary: [], encrypted_content: sealed },
      got.output[1],
      says("more"),
    ];
    await respond(gate, { ...base, input: again });
    expect(gate.sent[1]?.messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "Yes.", reasoning_content: "Let me think." },
      { role: "user", content: "more" },
    ]);
    const unstored = await respond(await open(streamed(...chunks)), { ...base, stream: true, store: false });
    expect(unstored.output[0]?.encrypted_content).toBeNull();
  });

  it("of a refusal are a part of their own", async () => {
    const gate = await open(
      streamed(
        chunk({ role: "assistant", content: "No: " }),
        chunk({ refusal: "I won't." }),
        chunk({}, { finish: "stop" }),
      ),
    );
    const got = await respond(gate, { ...base, stream: true });
    expect([got.output.length, got.text, got.refusal]).toEqual([1, "No: ", "I won't."]);
    expect(typesOf(got)).toContain("response.refusal.done");
  });

  for (const [finish, reason] of [
    ["length", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ] as const)
    it(`that end with \`${finish}\` are incomplete`, async () => {
      const gate = await open(streamed(chunk({ content: "Once" }), chunk({}, { finish })));
      const got = await respond(gate, { ...base, stream: true });
      expect([typesOf(got).at(-1), got.response.status, got.response.incomplete_details]).toEqual([
        "response.incomplete",
        "incomplete",
        { reason },
      ]);
      expect(got.output[0]?.status).toBe("incomplete");
    });
});

describe("calls", () => {
  const both = upstreamSays({
    text: "Now.",
    calls: [call("c1", "read", { path: "a" }), call("c2", "drop", { path: "b" })],
  });

  for (const stream of [true, false]) {
    it(`go out where they are allowed, and the others never (stream ${stream})`, async () => {
      const gate = await open([both, upstreamSays({ text: "Done." })]);
      const got = await respond(gate, { ...base, stream, tools: [...tools, functionTool("drop")] });
      expect(got.calls.map(({ call_id: id, name }) => [id, name])).toEqual([["c1", "read"]]);
      expect(JSON.stringify([got.events, got.output])).not.toContain('"c2","name"');
      expect(got.response.toolgate.decisions.map(({ call_id: id, effect }) => [id, effect])).toEqual([
        ["c1", "allow"],
        ["c2", "deny"],
      ]);
    });
  }

  it("are announced only after they are vetted, whole", async () => {
    const gate = await open(both);
    const got = await respond(gate, { ...base, stream: true });
    const at = got.events.findIndex(({ item }) => item?.type === "function_call");
    expect(typesOf(got).slice(at)).toEqual([
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(got.events[at]?.item).toMatchObject({ status: "in_progress", arguments: "", call_id: "c1" });
    expect(got.events[at + 1]?.delta).toBe('{"path":"a"}');
  });

  it("of a custom tool are written back with their text", async () => {
    const gate = await open(upstreamSays({ calls: [call("c1", "patch", { input: "*** Begin\n" })] }));
    const custom = {
      type: "custom",
      name: "patch",
      format: { type: "grammar", syntax: "lark", definition: "start: X" },
    };
    for (const stream of [true, false]) {
      const got = await respond(gate, { ...base, stream, tools: [custom], input: `go ${stream}` });
      expect(got.calls).toMatchObject([
        { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin\n" },
      ]);
      if (stream) expect(typesOf(got)).toContain("response.custom_tool_call_input.done");
    }
    expect(JSON.stringify(gate.sent[0]?.tools)).toContain("start: X");
    const strange = await open([
      upstreamSays({ calls: [call("c1", "patch", { other: 1 })] }),
      upstreamSays({ text: "ok" }),
    ]);
    const got = await respond(strange, { ...base, stream: true, tools: [custom] });
    expect([got.calls, got.response.toolgate.decisions[0]?.reasons[0]?.code]).toEqual([[], "arguments_invalid"]);
  });
});

describe("tools in a namespace", () => {
  it("are known inside by both names, and their calls come and go with the namespace", async () => {
    const names = { handshake: { select: "off" }, tools: { agents__spawn: { category: "read_only" } } };
    const steps = [upstreamSays({ calls: [call("c1", "agents__spawn")] }), upstreamSays({ text: "ok" })];
    const gate = await gateway({ policy: names, upstream: steps });
    const namespace = { type: "namespace", name: "agents", description: "x", tools: [functionTool("spawn")] };
    const got = await respond(gate, { input: "go", tools: [namespace], stream: true });
    expect(got.calls).toMatchObject([{ type: "function_call", namespace: "agents", name: "spawn", call_id: "c1" }]);
    const history = [says("go"), ...got.output, { type: "function_call_output", call_id: "c1", output: "ok" }];
    await respond(gate, { input: history, tools: [namespace] });
    const sent = gate.sent[1] as { messages: { tool_calls?: { function: { name: string } }[] }[] };
    expect(sent.messages.find((one) => one.tool_calls)?.tool_calls?.[0]?.function.name).toBe("agents__spawn");
    const settled = (await gate.turns()).map((turn) => (turn.settled as unknown[]).length);
    expect(settled).toEqual([0, 1]);
  });

  it("cannot take another tool's name, and hold no tool that the provider runs", async () => {
    const gate = await open(upstreamSays({ text: "ok" }));
    const within = (...inside: unknown[]) => ({ type: "namespace", name: "agents", tools: inside });
    const twice = await respond(gate, {
      input: "go",
      tools: [within(functionTool("spawn")), functionTool("agents__spawn")],
    });
    expect([twice.http, twice.error?.code]).toEqual([400, "duplicate_tool"]);
    const hosted = await respond(gate, { input: "go", tools: [within({ type: "mcp", server_url: "https://x.test" })] });
    expect([hosted.http, hosted.error?.param]).toEqual([400, "tools[0].tools[0].type"]);
  });
});

describe("a stream that breaks off", () => {
  const events = [
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Hm." }),
    chunk({ content: "Let me read." }),
    chunk({ tool_calls: [{ index: 0, id: "CALL-1", type: "function", function: { name: "read", arguments: "" } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }),
  ];

  for (let cut = 1; cut <= events.length; cut += 1)
    it(`after event ${cut} ends as an error, and releases nothing`, async () => {
      const body = () => toStream(sse(events.slice(0, cut)));
      const gate = await open(() => new Response(body(), { headers: { "content-type": "text/event-stream" } }));
      const got = await respond(gate, { ...base, stream: true });
      expect(typesOf(got).slice(-2)).toEqual(["error", "response.failed"]);
      expect(got.events.at(-2)).toMatchObject({ message: expect.any(String), error: { message: expect.any(String) } });
      expect([got.response.status, got.calls]).toEqual(["failed", []]);
      expect(typesOf(got)).not.toContain("response.completed");
      expect(JSON.stringify(got.events)).not.toContain("CALL-1");
    });

  it("by the provider's own error ends so too", async () => {
    const gate = await open(streamed(chunk({ content: "Once" }), { error: { message: "overloaded", code: "busy" } }));
    const got = await respond(gate, { ...base, stream: true });
    expect(got.response).toMatchObject({ status: "failed", error: { code: "busy", message: "overloaded" } });
  });

  it("before its first event has a status", async () => {
    const refuses = () =>
      Response.json({ error: { message: "no", type: "x", code: "y", param: null } }, { status: 429 });
    const got = await respond(await open(refuses), { ...base, stream: true });
    expect([got.http, got.error?.code]).toEqual([429, "y"]);
  });
});

it("says in JSON mode what is the gateway's own as a refusal", async () => {
  const drop = upstreamSays({ text: "{}", calls: [call("c1", "edit", {})] });
  const ask = { tools: { edit: { category: "modification" } } };
  const gate = await open([drop, upstreamSays({ text: "{}" })], ask);
  const format = { type: "json_schema", name: "x", schema: { type: "object" }, strict: true };
  for (const stream of [true, false]) {
    const got = await respond(gate, {
      input: `edit ${stream}`,
      tools: [functionTool("edit")],
      text: { format },
      stream,
    });
    expect([got.calls, got.text === "" || got.text === "{}"]).toEqual([[], true]);
  }
  expect(gate.sent[0]?.response_format).toEqual({
    type: "json_schema",
    json_schema: { name: "x", schema: { type: "object" }, strict: true },
  });
});

describe("what a chat has beside its text", () => {
  const citation = { start_index: 0, end_index: 5, url: "https://a.example/x", title: "A" };
  const said = {
    annotations: [{ type: "url_citation", url_citation: citation }],
    images: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }],
  };
  const message = { role: "assistant", content: "Hello", ...said };
  const whole = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message, finish_reason: "stop" }],
  };

  for (const stream of [true, false])
    it(`comes as annotations and as an image of its own (stream ${stream})`, async () => {
      const upstream = stream
        ? streamed(chunk({ role: "assistant", content: "Hello" }), chunk(said), chunk({}, { finish: "stop" }))
        : () => Response.json(whole);
      const got = await respond(await gateway({ upstream }), { input: "hi", stream });
      expect(got.output).toMatchObject([
        { type: "message", content: [{ text: "Hello", annotations: [{ type: "url_citation", ...citation }] }] },
        { type: "image_generation_call", status: "completed", result: "aGk=" },
      ]);
      if (stream) expect(typesOf(got)).toContain("response.output_text.annotation.added");
    });
});
