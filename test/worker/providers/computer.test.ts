/**
 * The computer tool of the Responses API: the client runs its calls, so each is vetted before it is released, as a function's is; what it
 * brings is a picture of what somebody else may have written.
 * @module-tag attack/requests
 */
import { describe, expect, it } from "vitest";
import { functionTool, type Item, type Responded, respond, says } from "../responses/respond.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { call, says as chatSays } from "../support/script.ts";
import { rowsWithoutProvider } from "../surfaces/kept-rows.ts";
import { ask, surfaces } from "../surfaces/surfaces.ts";
import {
  callItem,
  messageItem,
  responseEvents,
  responseStream,
  type StreamedItem,
  streamOf,
} from "./responses-stream.ts";

const PROVIDERS = JSON.stringify({ gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } });
const variables = { UPSTREAM_PROVIDERS: PROVIDERS, UPSTREAM_GPT_API_KEY: "sk-gpt" };
const computer = { type: "computer" };
const click = { type: "click", button: "left", x: 10, y: 20 };
const typing = { type: "type", text: "hello" };
const checks = [{ id: "cu_sc_1", code: "malicious_instructions", message: "take care" }];
const picture = "data:image/png;base64,iVBORw0KGgo=";

const acts = (callId: string, actions: readonly object[], more: object = {}): StreamedItem => ({
  item: { id: `cu_${callId}`, type: "computer_call", status: "completed", call_id: callId, actions, ...more },
  events: [],
});

const shown = (callId: string, more: object = {}) => ({
  type: "computer_call_output",
  call_id: callId,
  output: { type: "computer_screenshot", image_url: picture, detail: "original" },
  ...more,
});

const policyWith = (traits: object = {}, more: object = {}) => ({
  handshake: { select: "off" },
  roles: ["user", "admin"],
  tools: { computer: { category: "modification", confirm: "auto", ...traits }, ...more },
});

const open = (policy: unknown, ...upstream: Upstream[]): Promise<Gateway> => gateway({ policy, upstream, variables });

const request = (input: unknown, more: object = {}) => ({
  model: "gpt/gpt-test",
  input,
  tools: [computer],
  store: false,
  ...more,
});

interface SentBody {
  readonly input: readonly (Item & { readonly call_id?: string; readonly output?: unknown })[];
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
}
const sentTo = ({ sent }: Gateway, at: number) => sent[at] as unknown as SentBody;
const itemsOf = (gate: Gateway, at: number, type: string) =>
  sentTo(gate, at).input.filter((item) => item.type === type);
const done = responseStream(messageItem("m1", "Done."));
const stopOf = ({ response }: Responded) => response.toolgate.stop_reason;

describe("a call of the computer that the rules allow", () => {
  it.each([true, false])("goes to the client, and its screenshot back to the provider (stream %s)", async (stream) => {
    const gate = await open(
      policyWith(),
      responseStream(messageItem("m1", "I click."), acts("c1", [click, typing], { pending_safety_checks: checks })),
      done,
    );
    const more = { stream, tool_choice: computer };
    const got = await respond(gate, request([says("press the button")], more));
    expect([got.http, got.text]).toEqual([200, "I click."]);
    const item = { type: "computer_call", call_id: "c1", status: "completed" };
    expect(got.calls).toMatchObject([{ ...item, actions: [click, typing], pending_safety_checks: checks }]);
    expect(got.calls[0]?.id).toMatch(/^cu_/);
    expect([sentTo(gate, 0).tools, sentTo(gate, 0).tool_choice]).toEqual([[computer], computer]);

    const acknowledged = shown("c1", { acknowledged_safety_checks: checks });
    const next = await respond(gate, request([says("press the button"), ...got.output, acknowledged], { stream }));
    expect([next.http, next.text]).toEqual([200, "Done."]);
    const sent = { ...item, id: "cu_c1", actions: [click, typing], pending_safety_checks: checks };
    expect([itemsOf(gate, 1, "computer_call"), itemsOf(gate, 1, "computer_call_output")]).toEqual([
      [sent],
      [acknowledged],
    ]);
    expect(await gate.decisions()).toMatchObject([
      { tool: "computer", effect: "allow", disposition: "released", arguments: { actions: [click, typing] } },
    ]);
  });

  it("goes on from what is kept", async () => {
    const gate = await open(policyWith(), responseStream(acts("c1", [click])), done);
    const first = await respond(gate, request("press the button", { store: true }));
    const next = await respond(gate, request([shown("c1")], { previous_response_id: first.response.id }));
    expect([next.text, itemsOf(gate, 1, "computer_call").length]).toEqual(["Done.", 1]);
  });

  it("may be one action, as older models send it", async () => {
    const gate = await open(policyWith(), responseStream(acts("c1", [], { actions: undefined, action: click })));
    expect((await respond(gate, request("go"))).calls).toMatchObject([{ actions: [click] }]);
  });
});

describe("a call of the computer that needs somebody", () => {
  it.each(["yes", "no"])("waits, and is answered in words: %s", async (answer) => {
    const gate = await open(policyWith({ confirm: "ask" }), responseStream(acts("c1", [typing])), done);
    const first = await respond(gate, request([says("type hello")]));
    expect([first.calls, stopOf(first)]).toEqual([[], "awaiting_approval"]);
    expect(first.text).toContain("hello");
    const next = await respond(gate, request([says("type hello"), ...first.output, says(answer)]));
    expect(next.calls.map(({ call_id: id }) => id)).toEqual(answer === "yes" ? ["c1"] : []);
    if (answer === "no") expect(itemsOf(gate, 1, "function_call_output").length).toBe(1);
  });

  it("is asked about where the policy says so of its actions, or of the provider's warnings", async () => {
    const types = { contains: { properties: { type: { const: "type" } } } };
    const conditions = [
      { if: { required: ["pending_safety_checks"] }, effect: "ask", say: "the provider warns" },
      { if: { properties: { actions: types } }, effect: "ask", say: "this types text" },
    ];
    for (const [item, calls] of [
      [acts("c1", [click], { pending_safety_checks: [] }), 1],
      [acts("c1", [click], { pending_safety_checks: checks }), 0],
      [acts("c1", [click, typing]), 0],
    ] as const) {
      const gate = await open(policyWith({ conditions }), responseStream(item));
      const got = await respond(gate, request("go"));
      expect([got.calls.length, stopOf(got)]).toEqual([calls, calls === 1 ? "completed" : "awaiting_approval"]);
    }
  });
});

describe("a call of the computer that the rules refuse", () => {
  const secret = {
    properties: { actions: { contains: { properties: { text: { pattern: "password" } }, required: ["text"] } } },
  };
  it.each([
    ["whose actions a condition denies", acts("c1", [{ type: "type", text: "my password" }]), "condition_denies"],
    ["whose action nobody knows", acts("c1", [{ type: "format_disk" }]), "arguments_invalid"],
    ["with a member that nobody knows", acts("c1", [{ ...click, run: "rm" }]), "arguments_invalid"],
  ])("%s is told to the model, which goes on", async (_name, item, code) => {
    const conditions = [{ if: secret, effect: "deny", say: "no passwords" }];
    const gate = await open(policyWith({ conditions }), responseStream(item), responseStream(acts("c2", [click])));
    const got = await respond(gate, request("go"));
    expect(got.calls.map(({ call_id: id }) => id)).toEqual(["c2"]);
    expect((await gate.decisions())[0]).toMatchObject({ effect: "deny", reasons: [{ code }] });
    // The API has no text as the result of a computer.
    const [output] = itemsOf(gate, 1, "function_call_output");
    expect([output?.call_id, String(output?.output)]).toEqual(["c1", expect.stringContaining("tool_policy_blocked")]);
    expect(itemsOf(gate, 1, "function_call")).toMatchObject([{ call_id: "c1", name: "computer" }]);
  });

  it("is refused where it was not offered, and ends the response where the client has no computer", async () => {
    const gate = await open(policyWith({ roles: ["admin"] }), responseStream(acts("c1", [click])), done);
    const got = await respond(gate, request("go"));
    expect([got.calls, got.text, sentTo(gate, 0).tools ?? []]).toEqual([[], "Done.", []]);
    const without = await open(policyWith(), responseStream(acts("c1", [click])));
    const cut = await respond(without, request("go", { tools: [functionTool("read")], stream: true }));
    expect([cut.http, cut.calls]).toEqual([502, []]);
  });

  it("is refused in forms that would let something by", async () => {
    const gate = await open(policyWith(), done);
    const file = { type: "computer_call_output", call_id: "c1", output: { type: "computer_screenshot", file_id: "f" } };
    for (const json of [
      request("go", { tools: [computer, computer] }),
      request("go", { tools: [computer, functionTool("computer")] }),
      request("go", { tools: [{ type: "Computer" }] }),
      request([says("go"), file]),
    ])
      expect((await respond(gate, json)).http).toBe(400);
    const other = await respond(gate, { ...request("go"), model: "another" });
    expect([other.http, other.error?.code, gate.sent]).toEqual([400, "unsupported_tool", []]);
  });
});

it("a screenshot is untrusted: what follows it must be grounded", async () => {
  const mail = {
    category: "external",
    confirm: "ungrounded",
    firstTime: false,
    arguments: { to: { role: "destination" } },
  };
  const tools = [computer, functionTool("send_mail", { type: "object", properties: { to: { type: "string" } } })];
  const gate = await open(
    policyWith({}, { send_mail: mail }),
    responseStream(acts("c1", [{ type: "screenshot" }])),
    responseStream(callItem("c2", "send_mail", { to: "eve@evil.example" })),
  );
  const first = await respond(gate, request([says("look, then send mail")], { tools }));
  const input = [says("look, then send mail"), ...first.output, shown("c1")];
  const second = await respond(gate, request(input, { tools }));
  expect([second.calls, stopOf(second)]).toEqual([[], "awaiting_approval"]);
});

it("a stream that is cut after any of its events releases nothing", async () => {
  const events = responseEvents(messageItem("m1", "I click."), acts("c1", [click]));
  for (let after = 1; after < events.length; after += 1) {
    const gate = await open(policyWith(), streamOf(events.slice(0, after)));
    const got = await respond(gate, request("go", { stream: true }));
    expect([after, got.calls, got.response?.status ?? "failed"]).toEqual([after, [], "failed"]);
    expect(JSON.stringify(got.events)).not.toContain("computer_call");
  }
});

describe("is decided and kept as a function of its name is on chats", () => {
  const table: Record<string, object> = {
    "what is allowed": {},
    "a question": { confirm: "ask" },
    "another role": { roles: ["admin"] },
    "a first use": { category: "external", confirm: undefined },
    "a limit": { rateLimits: [{ max: 1, window: "1h" }] },
    "a missing connection": { connection: "desk" },
    "a tool that runs only after another": { after: ["read_file"] },
    "a policy that only observes": { roles: ["admin"], enforce: "observe" },
  };
  it.each(Object.entries(table))("%s", async (_name, traits) => {
    const args = { actions: [click] };
    const [chat] = surfaces;
    const calls = [call("c1", "computer", args), call("c2", "computer", args)];
    const one = await gateway({
      policy: policyWith(traits),
      upstream: [chatSays({ calls }), chatSays({ text: "Done." })],
    });
    const told = chat && (await ask(chat, one, { text: "please do it", tools: ["computer"] }));
    const two = await open(policyWith(traits), responseStream(acts("c1", [click]), acts("c2", [click])), done);
    const got = await respond(two, request("please do it"));
    expect(got.calls.map(({ call_id: id }) => id)).toEqual(told?.calls.map(({ id }) => id));
    expect(await rowsWithoutProvider(two)).toEqual(await rowsWithoutProvider(one));
  });
});
