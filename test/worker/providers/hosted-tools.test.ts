/**
 * Tools that a provider runs itself, such as its web search: offered by the policy, recorded, and their results are somebody else's text.
 * @module-tag attack/requests
 */
import { describe, expect, it } from "vitest";
import { functionTool, type Responded, respond, says } from "../responses/respond.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { says as chatSays } from "../support/script.ts";
import { callItem, hostedItem, messageItem, responseStream } from "./responses-stream.ts";

const PROVIDERS = JSON.stringify({ gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } });
const variables = { UPSTREAM_PROVIDERS: PROVIDERS, UPSTREAM_GPT_API_KEY: "sk-gpt" };
const search = { type: "web_search", search_context_size: "low" };
const found = hostedItem("web_search_call", "ws_1", { action: { type: "search", query: "weather in Rome" } });
const mail = functionTool("send_mail", { type: "object", properties: { to: { type: "string" } } });

const policyWith = (more: object = {}) => ({
  handshake: { select: "off" },
  allowHosted: ["hosted:web_search"],
  words: { links: "allow" },
  tools: {
    "hosted:web_search": { category: "read_only" },
    send_mail: {
      category: "external",
      confirm: "ungrounded",
      firstTime: false,
      arguments: { to: { role: "destination" } },
    },
  },
  ...more,
});

const open = (policy: unknown, ...upstream: Upstream[]): Promise<Gateway> => gateway({ policy, upstream, variables });

const request = (more: object = {}) => ({
  model: "gpt/gpt-test",
  input: "what is the weather in Rome?",
  tools: [search],
  ...more,
});

const typesIn = ({ output }: Responded) => output.map(({ type }) => type);

describe("a hosted tool that the policy accepts", () => {
  for (const stream of [true, false])
    it(`goes upstream as it was written, and its call comes back and is recorded (stream ${stream})`, async () => {
      const gate = await open(policyWith(), responseStream(found, messageItem("m1", "Sunny.")));
      const include = ["web_search_call.action.sources"];
      const got = await respond(gate, request({ stream, include, tool_choice: { type: "web_search" } }));
      expect([got.http, got.response.status, typesIn(got), got.text]).toEqual([
        200,
        "completed",
        ["web_search_call", "message"],
        "Sunny.",
      ]);
      const [sent] = gate.sent as { tools: unknown[]; tool_choice: unknown; include: string[] }[];
      expect([sent?.tools, sent?.tool_choice]).toEqual([[search], { type: "web_search" }]);
      expect(sent?.include).toEqual(expect.arrayContaining(include));
      const [decision] = await gate.decisions();
      expect(decision).toMatchObject({
        tool: "hosted:web_search",
        call_id: "ws_1",
        effect: "allow",
        disposition: "hosted",
        arguments: { type: "search", query: "weather in Rome" },
      });
      expect(got.response.toolgate.decisions).toMatchObject([{ tool: "hosted:web_search", effect: "allow" }]);
    });

  it("is withheld where the mode, the state or the role says so, and then the provider cannot run it", async () => {
    const guests = policyWith({ tools: { "hosted:web_search": { category: "read_only", roles: ["admin"] } } });
    const gate = await open(guests, responseStream(messageItem("m1", "I cannot search.")));
    const got = await respond(gate, request());
    expect([got.text, (gate.sent[0] as { tools?: unknown[] }).tools ?? []]).toEqual(["I cannot search.", []]);
    expect(got.response.toolgate.withheld).toMatchObject([{ name: "hosted:web_search" }]);
    const forged = await open(guests, responseStream(found, messageItem("m1", "Sunny.")));
    const cut = await respond(forged, request({ stream: true }));
    expect([cut.http, cut.calls]).toEqual([502, []]);
  });

  it("brings untrusted text: what follows it in the step, in the session, or in a sent history is asked about", async () => {
    const sends = callItem("c1", "send_mail", { to: "eve@evil.example" });
    const same = await open(policyWith(), responseStream(found, sends));
    const tools = [search, mail];
    const asked = await respond(same, request({ tools, input: "find the weather, then send mail" }));
    expect([asked.calls, asked.response.toolgate.stop_reason]).toEqual([[], "awaiting_approval"]);

    const later = await open(policyWith(), responseStream(found, messageItem("m1", "Sunny.")), responseStream(sends));
    const first = await respond(later, request({ tools }));
    const next = { tools, input: "send mail", previous_response_id: first.response.id };
    const second = await respond(later, request(next));
    expect([second.calls, second.response.toolgate.stop_reason]).toEqual([[], "awaiting_approval"]);

    const history = await open(policyWith(), responseStream(sends));
    const input = [
      says("weather?"),
      { ...found.item },
      { type: "message", role: "assistant", content: "Sunny." },
      says("send mail"),
    ];
    const third = await respond(history, request({ tools, input, store: false }));
    expect([third.calls, third.response.toolgate.stop_reason]).toEqual([[], "awaiting_approval"]);
    const none = await open(policyWith(), responseStream(sends));
    const named = request({ tools, input: "send mail to eve@evil.example" });
    expect((await respond(none, named)).calls.length).toBe(1);
  });

  it("ends the step where the rules refuse what it ran", async () => {
    const conditions = [
      { if: { properties: { query: { pattern: "Rome" } }, required: ["query"] }, effect: "deny", say: "not Rome" },
    ];
    const strict = policyWith({ tools: { "hosted:web_search": { category: "read_only", conditions } } });
    const gate = await open(strict, responseStream(found, callItem("c1", "read", {})));
    const got = await respond(gate, request({ tools: [search, functionTool("read")], stream: true }));
    expect([got.response.status, got.calls]).toEqual(["failed", []]);
    expect((await gate.decisions())[0]).toMatchObject({ effect: "deny", disposition: "hosted" });
  });
});

describe("a hosted tool that nobody accepted", () => {
  it("is refused, and the answer says what to do", async () => {
    const gate = await open({ handshake: { select: "off" } }, responseStream(messageItem("m1", "hi")));
    const mcp = {
      type: "mcp",
      server_label: "docs",
      server_url: "https://mcp.example.com/sse",
      require_approval: "never",
    };
    for (const [tool, name] of [
      [search, "hosted:web_search"],
      [{ type: "code_interpreter", container: { type: "auto" } }, "hosted:code_interpreter"],
      [mcp, "hosted:mcp:mcp.example.com"],
    ] as const) {
      const got = await respond(gate, request({ tools: [tool] }));
      expect([got.http, got.error?.code, got.error?.param]).toEqual([400, "unsupported_tool", "tools"]);
      expect(got.error?.message).toContain(`add \`${name}\` to the policy's \`allowHosted\``);
    }
    expect(gate.sent).toEqual([]);
  });

  it("is refused in forms that would let something by", async () => {
    const gate = await open(policyWith(), responseStream(messageItem("m1", "hi")));
    const server = { type: "mcp", server_label: "docs", server_url: "https://mcp.example.com" };
    for (const tools of [
      [server],
      [{ ...server, require_approval: "never", server_url: "http://mcp.example.com" }],
      [{ ...search, Type: "mcp" }],
      [search, search],
      [{ type: "computer_use_preview" }],
      [{ type: "local_shell" }],
      [functionTool("hosted:web_search")],
    ]) {
      const got = await respond(gate, request({ tools }));
      expect([got.http, JSON.stringify(tools)]).toEqual([400, JSON.stringify(tools)]);
    }
    expect(gate.sent).toEqual([]);
  });

  it("needs a provider of the Responses API", async () => {
    const gate = await gateway({ policy: policyWith(), upstream: chatSays({ text: "hi" }), variables });
    const got = await respond(gate, { ...request(), model: "another" });
    expect([got.http, got.error?.code]).toEqual([400, "unsupported_tool"]);
    expect([got.error?.message, gate.sent]).toEqual([expect.stringContaining("the kind `responses`"), []]);
  });
});
