/**
 * Answers that the provider cut: the words and the usage stand, the reply ends with that reason, and no call gets by.
 * @module-tag attack/streams
 */
import { describe, expect, it } from "vitest";
import { chunk, sse } from "../../support/sse.ts";
import { callItem, messageItem, responseEvents, streamOf, textCallItem } from "../providers/responses-stream.ts";
import { functionTool, respond, typesOf } from "../responses/respond.ts";
import { type Gateway, gateway, tool, type Upstream } from "../support/gateway.ts";
import { ask, call, says, user } from "../support/script.ts";
import { eventsOf, postUi } from "../ui/ui-chat.ts";

const schema = { type: "object", properties: { path: { type: "string" } } };
const policy = {
  handshake: { select: "off" },
  tools: { read: { category: "read_only" }, edit: { category: "modification" } },
};
const usage = { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 };
const SECRET = "half-of-a-call";
/** Half a call, in the form that was requested. */
const cutBy =
  (reason: string, name = "read"): Upstream =>
  async (body, request) => {
    const made = { ...call("c1", name), args: `{"path":"${SECRET}` };
    const answer = await says({ text: "Here: ", calls: [made], usage })(body, request);
    return new Response(
      (await answer.text()).replaceAll('"finish_reason":"tool_calls"', `"finish_reason":"${reason}"`),
      {
        headers: answer.headers,
      },
    );
  };
const open = (upstream: Upstream | readonly Upstream[], more: object = {}): Promise<Gateway> =>
  gateway({ policy: { ...policy, ...more }, upstream });
const tools = [tool("read", schema), tool("edit", schema)];
const refused = (name: string) => [{ tool: name, effect: "deny", reasons: [{ code: "stream_disorderly" }] }];

describe.each(["length", "content_filter"])("an answer that ends with `%s`", (reason) => {
  it.each([true, false])("has its words, its usage and no call in a chat (stream %s)", async (stream) => {
    const gate = await open([cutBy(reason, "edit"), says({ text: "Go on." })]);
    const more = stream ? { stream_options: { include_usage: true } } : {};
    const first = await ask(gate, { messages: [user("go")], tools, stream, ...more });
    expect([first.status, first.error, first.text, first.finish]).toEqual([200, undefined, "Here: ", reason]);
    expect([first.calls, first.usage]).toEqual([[], usage]);
    expect(first.note).toMatchObject({ stop_reason: "completed", approvals: [], decisions: refused("edit") });
    expect(gate.sent).toHaveLength(1);
    // The next turn knows nothing of the call.
    await ask(gate, { messages: [user("go"), first.message, user("and?")], tools, stream });
    expect(JSON.stringify([first.events, first.body, gate.sent])).not.toContain(SECRET);
    expect(await gate.decisions()).toMatchObject([{ tool: "edit", effect: "deny", disposition: "refused" }]);
  });

  it.each([true, false])("is an incomplete response (stream %s)", async (stream) => {
    const gate = await open(cutBy(reason));
    const got = await respond(gate, { input: "go", tools: [functionTool("read", schema)], stream });
    const why = reason === "length" ? "max_output_tokens" : "content_filter";
    expect([got.response.status, got.response.incomplete_details]).toEqual(["incomplete", { reason: why }]);
    expect([got.text, got.calls]).toEqual(["Here: ", []]);
    expect(got.response).toMatchObject({ usage: { total_tokens: 12 }, toolgate: { decisions: refused("read") } });
    if (stream) expect(typesOf(got).at(-1)).toBe("response.incomplete");
  });

  it("ends a UI stream with its reason", async () => {
    const gate = await open(cutBy(reason));
    const messages = [{ id: "m", role: "user", parts: [{ type: "text", text: "go" }] }];
    const events = await eventsOf(await postUi(gate, { messages, tools: { read: { inputSchema: schema } } }));
    expect(events.find(({ type }) => type === "finish")?.finishReason).toBe(reason.replace("_", "-"));
    expect(events.filter(({ type }) => type === "error" || type.startsWith("tool-"))).toEqual([]);
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });
});

describe("an answer of the Responses API that was cut", () => {
  const PROVIDER = { gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } };
  const variables = { UPSTREAM_PROVIDERS: JSON.stringify(PROVIDER), UPSTREAM_GPT_API_KEY: "sk-gpt" };
  const incomplete = (events: readonly string[], details: unknown, type = "response.incomplete") =>
    streamOf([
      ...events.slice(0, -1),
      JSON.stringify({
        type,
        sequence_number: events.length - 1,
        response: {
          ...(JSON.parse(events.at(-1) ?? "") as { response: object }).response,
          status: type.split(".")[1],
          incomplete_details: details,
        },
      }),
    ]);
  const whole = responseEvents(messageItem("msg_1", "Here: "), callItem("c1", "read", { path: SECRET }));
  /** Without the end of the call. */
  const half = whole.filter((data) => !/function_call_arguments.done|output_item.done.*function_call/.test(data));
  const text = responseEvents(messageItem("msg_1", "Here: "), textCallItem("c1", "patch", SECRET));
  const halfText = text.filter((data) => !/custom_tool_call_input.done|output_item.done.*custom_tool_call/.test(data));
  const patch = { type: "custom", name: "patch" };
  const openAt = (upstream: Upstream) =>
    gateway({
      policy: { ...policy, tools: { ...policy.tools, patch: { category: "read_only" } } },
      upstream,
      variables,
    });
  const asked = { model: "gpt/gpt-test", input: "go" };

  it.each([
    ["whole", whole],
    ["half", half],
    ["whole, of free text", text],
    ["half, of free text", halfText],
  ])("has its words, and none of its calls: %s", async (_, events) => {
    const gate = await openAt(incomplete(events, { reason: "max_output_tokens" }));
    for (const stream of [true, false]) {
      const got = await respond(gate, { ...asked, tools: [functionTool("read", schema), patch], stream });
      expect([got.response.status, got.response.incomplete_details]).toEqual([
        "incomplete",
        { reason: "max_output_tokens" },
      ]);
      expect([got.text, got.calls, got.output.map(({ type }) => type)]).toEqual(["Here: ", [], ["message"]]);
      expect(got.response.usage).toMatchObject({ total_tokens: 8 });
    }
  });

  it.each([
    ["without a reason", incomplete(whole, null)],
    ["for an unknown reason", incomplete(whole, { reason: "tired" })],
    ["as completed, for an unknown reason", incomplete(whole, { reason: "tired" }, "response.completed")],
    ["as failed", incomplete(whole, { reason: "max_output_tokens" }, "response.failed")],
    ["in the midst of its words", incomplete(whole.slice(0, 5), { reason: "max_output_tokens" })],
  ])("is an error where it ends %s", async (_, upstream) => {
    const gate = await openAt(upstream);
    const got = await respond(gate, { ...asked, tools: [functionTool("read", schema)], stream: true });
    expect([got.response.status, got.calls]).toEqual(["failed", []]);
  });
});

it("selects no intent, and fails a task that requires more than it brought", async () => {
  const intents = {
    READ: { keywords: ["read"], families: { requiredSuccessFamilies: ["files"], failTaskIfUnmet: true } },
  };
  const gate = await open(cutBy("length"), {
    intents,
    tools: { read: { category: "read_only", families: ["files"] } },
  });
  const answer = await ask(gate, { messages: [user("read")], tools: [tool("read", schema)], stream: true });
  expect([answer.note.stop_reason, answer.finish, answer.calls]).toEqual(["intent_execution_failed", "length", []]);
  expect(gate.sent).toHaveLength(1);
});

describe("an answer that cannot be trusted", () => {
  it("is not to be asked for again, where it is refused as a body", async () => {
    const body = { choices: [{ index: 0, message: { role: "assistant", tool_calls: [] }, finish_reason: "stop" }] };
    const made = { id: "c", type: "function", function: { name: "read", arguments: "{}" } };
    const odd = { ...body, choices: [{ ...body.choices[0], message: { tool_calls: [made] }, finish_reason: "eos" }] };
    const gate = await open(() => Response.json(odd));
    const answer = await ask(gate, { messages: [user("go")], tools, stream: false });
    expect([answer.status, answer.error?.code]).toEqual([502, "upstream_stream_disorderly"]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
  });

  it("drops a call whose reason stands beside another choice's", async () => {
    const fragment = { index: 0, id: "c1", type: "function", function: { name: "read", arguments: "{}" } };
    const ends = ["length", "stop"].map((finish_reason, index) => ({ index, delta: {}, finish_reason }));
    const text = sse([chunk({ tool_calls: [fragment] }), { id: "c", choices: ends }], { done: true });
    const gate = await open(() => new Response(text, { headers: { "content-type": "text/event-stream" } }));
    const answer = await ask(gate, { messages: [user("go")], tools, stream: true });
    expect([answer.error, answer.calls]).toEqual([undefined, []]);
    expect(answer.note).toMatchObject({ decisions: refused("read") });
  });
});
