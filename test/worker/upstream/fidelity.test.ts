import { describe, expect, it } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { gateway, tool, type Upstream } from "../support/gateway.ts";
import { aborted, ask, call, choicesOf, messagesOf, says, toolsOf, user } from "../support/script.ts";

const hi = [user("hi")];
const policy = { tools: { read_file: { category: "read_only" } } };
const events = (objects: readonly unknown[], headers: Record<string, string> = {}): Response =>
  new Response(sse(objects, { done: true }), { headers: { "content-type": "text/event-stream", ...headers } });

describe("what goes to the upstream", () => {
  const unread = {
    reasoning_effort: "high",
    stream_options: { include_usage: true, vendor: 1 },
    response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } },
    logit_bias: { "50256": -100 },
    n: 2,
    temperature: 0.1,
    stop: ["\u2028", "🌍"],
    metadata: { a: "b" },
    user: "someone",
    provider: { order: ["a"], allow_fallbacks: false },
    vendor_settings: { deep: [null, { x: [] }] },
    "x-odd": null,
  };

  for (const stream of [true, false]) {
    it(`is the client's own body, whatever is in it (stream ${stream})`, async () => {
      const gate = await gateway({ policy, upstream: says({ text: "{}" }) });
      await ask(gate, { ...unread, messages: hi, stream });
      expect(gate.sent[0]).toEqual({ model: "test-model", ...unread, messages: hi, stream });
    });
  }

  it("has no field by which the provider runs tools itself, unless the policy passes it", async () => {
    const searches = { messages: hi, web_search_options: {} };
    const strict = await gateway({ policy, upstream: says({ text: "ok" }) });
    const refused = await ask(strict, searches);
    expect([refused.status, refused.error?.code, refused.error?.param]).toEqual([
      400,
      "unsupported_parameter",
      "web_search_options",
    ]);
    const twin = await ask(strict, { messages: hi, Tools: [tool("shell")] });
    expect([twin.status, twin.error?.code, twin.error?.param]).toEqual([400, "ambiguous_parameter", "Tools"]);
    expect(strict.sent).toEqual([]);
    const passes = { ...policy, passFields: ["web_search_options"] };
    const open = await gateway({ policy: passes, upstream: says({ text: "ok" }) });
    expect((await ask(open, searches)).status).toBe(200);
    expect(open.sent[0]).toMatchObject({ web_search_options: {} });
  });

  it("keeps numbers that a double cannot hold", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const seed = "12345678901234567890";
    const body = `{"model":"m","seed":${seed},"top_p":1.0,"bias":1234567.12345678901,"far":1e400,"messages":[{"role":"user","content":"hi","id":-9007199254740993}]}`;
    expect((await gate.fetch("/v1/chat/completions", { method: "POST", body })).status).toBe(200);
    const text = await gate.requests[0]?.text();
    expect(text).toContain(`"seed":${seed}`);
    expect(text).toContain('"id":-9007199254740993');
    expect(text).toContain('"bias":1234567.12345678901,"far":1e400');
  });

  it("takes a tool whose schema holds such a number as any other", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file", { id: 7 })] }) });
    const maximum = "9223372036854775807";
    const wire = JSON.stringify(
      tool("read_file", { type: "object", properties: { id: { type: "integer", maximum: 0 } } }),
    );
    const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[${wire.replace('"maximum":0', `"maximum":${maximum}`)}]}`;
    const response = await gate.fetch("/v1/chat/completions", { method: "POST", body });
    expect(await gate.requests[0]?.text()).toContain(`"maximum":${maximum}`);
    expect(await response.json()).toMatchObject({ choices: [{ message: { tool_calls: [{ id: "c" }] } }] });
  });

  it("holds messages and content parts of all kinds as they came", async () => {
    const messages = [
      { role: "developer", content: "be brief", name: "dev" },
      { role: "system", content: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }] },
      user([
        { type: "text", text: "what is this? \ud83d" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { file_id: "file_1" } },
        { type: "vendor_part", anything: { at: "all" } },
      ]),
      { role: "assistant", content: null, refusal: "no", reasoning_content: "hm", audio: { id: "a" }, vendor: [1] },
      { role: "tool", tool_call_id: "x", content: [{ type: "text", text: "made up" }] },
      { role: "vendor_role", content: 7 },
      user("go on"),
    ];
    // The made-up tool message would else be marked as untrusted.
    const unmarked = { ...policy, results: { mark: false } };
    const gate = await gateway({ policy: unmarked, upstream: says({ text: "ok" }) });
    await ask(gate, { messages, tools: [tool("read_file")] });
    expect(messagesOf(gate.sent[0])).toEqual(messages);
  });

  it("keeps `parallel_tool_calls` beside tools, and sends it without none, where providers refuse it", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: hi, tools: [tool("read_file")], parallel_tool_calls: false });
    await ask(gate, { messages: hi, tools: [], parallel_tool_calls: false });
    expect(gate.sent.map((body) => body.parallel_tool_calls)).toEqual([false, undefined]);
    expect(toolsOf(gate.sent[0])).toEqual(["read_file", "select_intent"]);
  });

  /** What proxies and identity-aware front doors add, and what a client must not send on. */
  const identifying = [
    ...["x-remote-user", "x-ms-client-principal-name", "x-user-email", "x-client-cert", "x-auth-request-email"],
    ...["x-goog-authenticated-user-email", "x-amzn-oidc-data", "cf-access-jwt-assertion", "cf-connecting-ip"],
    ...["x-forwarded-for", "x-original-forwarded-for", "x-real-ip", "x-client-ip", "x-envoy-peer-metadata"],
    ...["x-access-token", "x-api-key", "x-goog-api-key", "x-client-secret", "x-original-authorization", "x-csrf"],
    ...["x-session-id", "x-user-jwt", "x-password", "x-cookie", "cookie", "proxy-authorization", "x-vendor"],
    ...["x-toolgate-session", "x-stainless-retry-count", "x-dashscope-plugin"],
    // One key for several requests of ours would get the first one's answer to each.
    "idempotency-key",
  ];
  const passed = {
    "x-title": "app",
    "x-request-id": "r",
    "anthropic-beta": "b",
    "http-referer": "https://app.test",
    tracestate: "t=1",
    "openai-beta": "b",
    traceparent: "00-1",
    "accept-language": "de",
    "x-stainless-lang": "js",
  };

  it("bears the upstream's key and listed headers, and none that says who asks", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const sent = { ...passed, "openai-organization": "org", "openai-project": "proj" };
    const headers = {
      ...Object.fromEntries(identifying.map((name) => [name, "client"])),
      ...sent,
      "user-agent": "my-app/1",
    };
    await ask(gate, { messages: hi }, headers);
    await gate.fetch("/v1/models", { headers });
    await gate.fetch("/v1/embeddings", { json: { input: "x" }, headers });
    expect(gate.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      "/v1/chat/completions",
      "/v1/models",
      "/v1/embeddings",
    ]);
    for (const { headers: came } of gate.requests) {
      expect(came.get("authorization")).toBe("Bearer sk-upstream");
      expect(came.get("user-agent")).toMatch(/^my-app\/1/);
      // The gateway's key pays: which of its accounts is not the client's to say.
      expect([came.get("openai-organization"), came.get("openai-project")]).toEqual([null, null]);
      expect(Object.fromEntries(Object.keys(passed).map((name) => [name, came.get(name)]))).toEqual(passed);
      expect([...came.keys()].filter((name) => identifying.includes(name))).toEqual([]);
      expect([...came.values()].join()).not.toContain(gate.key);
    }
  });

  it("says which program asks as the client does, or else that the gateway does", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: hi }, { "user-agent": "my-app/1" });
    await ask(gate, { messages: hi });
    expect(gate.requests.map(({ headers }) => headers.get("user-agent"))).toEqual(["my-app/1", "Toolgate"]);
  });

  it("bears the headers that the settings add", async () => {
    const variables = { UPSTREAM_PASS_HEADERS: "X-Vendor, x-portkey-config" };
    const gate = await gateway({ policy, upstream: says({ text: "ok" }), variables });
    await ask(gate, { messages: hi }, { "x-vendor": "v", "x-portkey-config": "c", "x-remote-user": "ada" });
    const [came] = gate.requests;
    expect(["x-vendor", "x-portkey-config", "x-remote-user"].map((name) => came?.headers.get(name))).toEqual([
      "v",
      "c",
      null,
    ]);
  });
});

describe("a client's own `tool_choice`", () => {
  const open = { ...policy, handshake: { select: "off" }, modes: { default: { deny: ["shell"] } } };

  it("of a subset of which nothing is left goes out as `none`, not as an empty list", async () => {
    const gate = await gateway({ policy: open, upstream: says({ text: "ok" }) });
    const subset = { mode: "auto", tools: [{ type: "function", function: { name: "shell" } }] };
    await ask(gate, {
      messages: hi,
      tools: [tool("read_file"), tool("shell")],
      tool_choice: { type: "allowed_tools", allowed_tools: subset },
    });
    expect([toolsOf(gate.sent[0]), gate.sent[0]?.tool_choice]).toEqual([["read_file"], "none"]);
  });

  it("of `none` leaves the tools defined: a call is refused as not offered", async () => {
    const gate = await gateway({
      policy: open,
      upstream: [says({ calls: [call("c", "read_file")] }), says({ text: "ok" })],
    });
    await ask(gate, { messages: hi, tools: [tool("read_file")], tool_choice: "none" });
    expect(await gate.decisions()).toMatchObject([{ tool: "read_file", reasons: [{ code: "not_offered" }] }]);
  });
});

describe("a session's id", () => {
  it("is one, by header or by body, and as we tell it", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    const byHeader = async (id: string) =>
      (await ask(gate, { messages: hi }, { "x-toolgate-session": id })).note.session_id;
    const byBody = async (id: string) => ask(gate, { messages: hi, metadata: { session_id: id } });
    expect(await byHeader("A")).toBe("A");
    // Not what we would have written for `A`: an id of its own, as in the body.
    expect(await byHeader("%41")).toBe("%41");
    expect((await byBody("%41")).note.session_id).toBe("%41");
    expect(await byHeader("a b")).toBe("a b");
    expect(await byHeader("%E0%A4%A")).toBe("%E0%A4%A");
    for (const id of ["%41", "a b", "é/ü", "100%", "A", "🌍"]) {
      const { headers, note } = await byBody(id);
      expect(note.session_id).toBe(id);
      expect(await byHeader(headers.get("x-toolgate-session") ?? "")).toBe(id);
    }
  });
});

describe("what comes back", () => {
  const odd = { citations: ["https://a.test"], service_tier: "flex" };

  it("streamed, is the bytes that the upstream sent", async () => {
    const deltas = [
      { role: "assistant", content: "" },
      { reasoning_content: "hm" },
      { reasoning: "r", reasoning_details: [{ type: "text", text: "r" }] },
      { content: "He\u00e9🌍", annotations: [{ type: "url_citation", url_citation: { url: "https://a.test" } }] },
      { refusal: "no" },
      { audio: { data: "AAAA" }, vendor_thing: { x: 1 } },
    ];
    const logprobs = { content: [{ token: "He", logprob: -0.1, bytes: [72], top_logprobs: [] }] };
    const sent = deltas.map((delta) => chunk(delta, { logprobs, extra: odd }));
    const finish = chunk({}, { finish: "stop", extra: odd });
    const closing = chunk(null, { usage: { total_tokens: 3, cost: 0.01 } });
    // Azure's, of what it has checked by the end.
    const late = { id: "", choices: [{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 1 } }] };
    const gate = await gateway({ policy, upstream: () => events([...sent, finish, late, closing]) });
    const answer = await ask(gate, { messages: hi, stream: true });
    const [toolgate] = answer.events.flatMap(
      ({ json }) => (json as { toolgate?: unknown } | undefined)?.toolgate ?? [],
    );
    expect(answer.events.slice(0, sent.length).map(({ data }) => data)).toEqual(sent.map((one) => JSON.stringify(one)));
    expect(answer.events.slice(sent.length).map(({ json, data }) => json ?? data)).toEqual([
      { ...finish, toolgate },
      late,
      closing,
      "[DONE]",
    ]);
  });

  it("repeats no account of one chunk in a chunk of the gateway's own", async () => {
    const head = {
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      provider: "p",
      x_groq: { id: "r" },
    };
    const delta = {
      tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read_file", arguments: "{}" } }],
    };
    const of = (one: object, reason: string | null) => ({
      ...head,
      choices: [{ index: 0, delta: one, finish_reason: reason }],
    });
    const gate = await gateway({ policy, upstream: () => events([of(delta, null), of({}, "tool_calls")]) });
    const answer = await ask(gate, { messages: hi, stream: true, tools: [tool("read_file")] });
    const members = answer.events.flatMap(({ json }) => (json ? [Object.keys(json)] : []));
    expect(answer.calls).toHaveLength(1);
    expect(members.map((names) => [names.includes("provider"), names.includes("x_groq")])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it("whole, is the body that the upstream sent, and `toolgate`", async () => {
    const message = {
      role: "assistant",
      content: "Hi",
      refusal: null,
      reasoning_content: "hm",
      annotations: [],
      audio: null,
      vendor: { x: [1] },
    };
    const choices = [0, 1].map((index) => ({
      index,
      message,
      logprobs: { content: [] },
      finish_reason: "stop",
      vendor: true,
    }));
    const body = {
      id: "x",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices,
      usage: { total_tokens: 3, cost: 0.1 },
      ...odd,
    };
    const gate = await gateway({ policy, upstream: () => Response.json(body) });
    const answer = await ask(gate, { messages: hi, n: 2 });
    expect(answer.body).toEqual({ ...body, toolgate: answer.note });
    expect(answer.note.stop_reason).toBe("completed");
  });

  it("all choices of `n` are streamed", async () => {
    const both = [0, 1].flatMap((index) => [
      chunk({ role: "assistant", content: `${index}` }, { index }),
      chunk({}, { index, finish: "stop" }),
    ]);
    const gate = await gateway({ policy, upstream: () => events(both) });
    const answer = await ask(gate, { messages: hi, n: 2, stream: true });
    const choices = choicesOf(answer).flat() as {
      index: number;
      finish_reason: string | null;
      delta: { content?: string };
    }[];
    for (const index of [0, 1]) {
      const own = choices.filter((choice) => choice.index === index);
      expect([own.map(({ delta }) => delta.content ?? "").join(""), own.at(-1)?.finish_reason]).toEqual([
        `${index}`,
        "stop",
      ]);
    }
  });

  it("has a released call's vendor fields, streamed and whole", async () => {
    const extra = { extra_content: { google: { thought_signature: "sig" } } };
    for (const stream of [true, false]) {
      const gate = await gateway({ policy, upstream: says({ calls: [{ id: "c", name: "read_file", extra }] }) });
      const answer = await ask(gate, { messages: hi, tools: [tool("read_file")], stream });
      expect(JSON.stringify(choicesOf(answer))).toContain(JSON.stringify(extra).slice(1, -1));
      expect(answer.calls).toEqual([{ id: "c", name: "read_file", arguments: "{}" }]);
    }
  });

  it("has the headers that back-off and support need, and no others of the upstream's", async () => {
    const passed = { "x-request-id": "req_1", "x-ratelimit-remaining-tokens": "7", "openai-processing-ms": "5" };
    const headers = { ...passed, "set-cookie": "a=b", server: "up", "x-secret": "s" };
    for (const stream of [true, false]) {
      const gate = await gateway({ policy, upstream: says({ text: "ok", headers }) });
      const answer = await ask(gate, { messages: hi, stream });
      for (const [name, value] of Object.entries(passed)) expect(answer.headers.get(name)).toBe(value);
      for (const name of ["set-cookie", "server", "x-secret"]) expect(answer.headers.has(name)).toBe(false);
    }
  });
});

describe("an upstream's error", () => {
  const body = { error: { message: "slow down", type: "tokens", code: "rate_limit_exceeded", param: null, vendor: 1 } };
  const failing: Upstream = () =>
    Response.json(body, {
      status: 429,
      headers: { "retry-after": "7", "retry-after-ms": "6500", "x-request-id": "r" },
    });

  for (const stream of [true, false]) {
    it(`keeps its status, body and back-off headers (stream ${stream})`, async () => {
      const gate = await gateway({ policy, upstream: failing });
      const { status, headers, body: came } = await ask(gate, { messages: hi, stream });
      expect([status, came]).toEqual([429, body]);
      expect(["retry-after", "retry-after-ms", "x-request-id"].map((name) => headers.get(name))).toEqual([
        "7",
        "6500",
        "r",
      ]);
      expect(gate.sent.length).toBe(1);
      expect(await gate.turns()).toMatchObject([{ stop_reason: "upstream_error", error: "slow down" }]);
    });
  }

  it("of another shape keeps its status too", async () => {
    const gate = await gateway({ policy, upstream: () => Response.json({ detail: "nope" }, { status: 422 }) });
    const { status, body: came } = await ask(gate, { messages: hi });
    expect([status, came]).toEqual([422, { detail: "nope" }]);
    const html = await gateway({ policy, upstream: () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
    const answer = await ask(html, { messages: hi });
    expect([answer.status, answer.error?.code]).toEqual([502, "upstream_error"]);
  });

  it("in the middle of a stream ends the reply with that error, without a clean end", async () => {
    const gate = await gateway({ policy, upstream: () => events([chunk({ role: "assistant", content: "He" }), body]) });
    const answer = await ask(gate, { messages: hi, stream: true });
    expect([answer.status, answer.text, answer.finish, answer.error]).toEqual([200, "He", null, body.error]);
    expect(answer.events.some(({ data }) => data === "[DONE]")).toBe(false);
  });
});

describe("a client that goes away", () => {
  const records = [{ stop_reason: "aborted", finish_reason: null }];

  it("aborts the upstream's request, and the turn is recorded so", async () => {
    const controller = new AbortController();
    const asked = Promise.withResolvers<Request>();
    const gate = await gateway({
      policy,
      upstream: async (_, request) => {
        asked.resolve(request);
        await aborted(request);
        throw request.signal.reason;
      },
    });
    const json = { model: "m", messages: hi };
    const answering = gate.fetch("/v1/chat/completions", { json, signal: controller.signal });
    const request = await asked.promise;
    controller.abort();
    await aborted(request);
    await answering;
    expect(await gate.turns()).toMatchObject(records);
  });

  it("in the middle of a stream does likewise", async () => {
    const upstream = new TransformStream<Uint8Array, Uint8Array>();
    const gate = await gateway({
      policy,
      upstream: () => new Response(upstream.readable, { headers: { "content-type": "text/event-stream" } }),
    });
    const answering = gate.chat({ messages: hi, stream: true });
    const writer = upstream.writable.getWriter();
    await writer.write(new TextEncoder().encode(sse([chunk({ role: "assistant", content: "He" })])));
    await (await answering).body?.cancel();
    const [request] = gate.requests;
    if (request) await aborted(request);
    await writer.close().catch(() => {});
    expect(await gate.turns()).toMatchObject(records);
  });
});
