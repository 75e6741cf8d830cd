/**
 * What a request of the Responses API says that a chat completion cannot, where the provider speaks the same API: it gets it as the client
 * wrote it. Tools that take free text are vetted as functions are, whichever form their calls have on the way.
 */
import { describe, expect, it } from "vitest";
import { functionTool, type Item, respond, says } from "../responses/respond.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { callItem, messageItem, responseEvents, responseStream, streamOf, textCallItem } from "./responses-stream.ts";

const PROVIDERS = JSON.stringify({ gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } });
const variables = { UPSTREAM_PROVIDERS: PROVIDERS, UPSTREAM_GPT_API_KEY: "sk-gpt" };
const policyWith = (traits: object = {}) => ({
  handshake: { select: "off" },
  roles: ["user", "admin"],
  tools: {
    patch: { category: "modification", confirm: "auto", trusted: true, ...traits },
    read: { category: "read_only" },
  },
});
const open = (policy: unknown, ...upstream: Upstream[]): Promise<Gateway> => gateway({ policy, upstream, variables });
const done = responseStream(messageItem("m9", "Done."));
const model = "gpt/gpt-5.3-codex";

interface SentBody {
  readonly input: readonly (Item & { readonly role?: string; readonly output?: unknown })[];
  readonly tools: readonly Record<string, unknown>[];
  readonly [member: string]: unknown;
}
const sentTo = ({ sent }: Gateway, at: number) => sent[at] as unknown as SentBody;
const itemsOf = (gate: Gateway, at: number, ...types: string[]) =>
  sentTo(gate, at).input.filter(({ type }) => types.includes(type));

describe("settings that only this API has", () => {
  it("go to the provider as they came", async () => {
    const gate = await open(policyWith(), done);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    await respond(gate, {
      model,
      input: "hello",
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content", "message.output_text.logprobs", "file_search_call.results", "no.such"],
      top_logprobs: 3,
      max_tool_calls: 2,
      text: { format: { type: "json_schema", name: "answer", schema, strict: false }, verbosity: "low" },
      tools: [{ ...functionTool("read"), strict: true }, functionTool("patch")],
    });
    const sent = sentTo(gate, 0);
    expect(sent).toMatchObject({
      store: false,
      reasoning: { effort: "high", summary: "auto" },
      top_logprobs: 3,
      max_tool_calls: 2,
      text: { format: { type: "json_schema", name: "answer", schema, strict: false }, verbosity: "low" },
    });
    expect([...(sent.include as string[])].sort()).toEqual([
      "file_search_call.results",
      "message.output_text.logprobs",
      "reasoning.encrypted_content",
    ]);
    expect(sent.tools.map(({ name, strict }) => [name, strict])).toEqual([
      ["read", true],
      ["patch", false],
    ]);
  });

  it("are not what a chat upstream gets", async () => {
    const upstream: Upstream = () =>
      Response.json({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi." } }] });
    const gate = await gateway({ policy: policyWith(), upstream });
    const phased = { type: "message", role: "assistant", phase: "commentary", content: "I look." };
    const got = await respond(gate, {
      input: [says("hello"), phased, says("and?")],
      reasoning: { effort: "low", summary: "auto" },
      max_tool_calls: 2,
    });
    expect(got.text).toBe("Hi.");
    expect(gate.sent[0]).toMatchObject({ reasoning_effort: "low" });
    expect(JSON.stringify(gate.sent[0])).not.toMatch(/summary|max_tool_calls|commentary|"reasoning"/);
  });

  it("include the phase of what the assistant said, which comes back with it", async () => {
    const first = messageItem("m1", "I look at it.");
    const phased = { ...first, item: { ...first.item, phase: "commentary" } };
    const gate = await open(policyWith(), responseStream(phased, callItem("c1", "read", {})), done);
    const tools = [functionTool("read")];
    const got = await respond(gate, { model, input: [says("look")], tools, stream: true });
    expect(got.output[0]).toMatchObject({ type: "message", phase: "commentary" });
    const outputs = [{ type: "function_call_output", call_id: "c1", output: "fine" }];
    await respond(gate, { model, input: [says("look"), ...got.output, ...outputs], tools, store: false });
    await respond(gate, { model, input: outputs, previous_response_id: got.response.id, tools });
    for (const at of [1, 2])
      expect(sentTo(gate, at).input.filter(({ role }) => role === "assistant")).toEqual([
        { role: "assistant", content: "I look at it.", phase: "commentary" },
      ]);
  });
});

const format = { type: "grammar", syntax: "lark", definition: 'start: "x"' };
const patch = { type: "custom", name: "patch", description: "Patches files", format };
const text = '*** Begin "a"\n';

describe("a tool that takes free text", () => {
  it.each([true, false])("is sent as it is, and so are its calls and what they bring (stream %s)", async (stream) => {
    const gate = await open(policyWith(), responseStream(textCallItem("c1", "patch", text)), done);
    const request = {
      model,
      tools: [patch, functionTool("read")],
      stream,
      tool_choice: { type: "custom", name: "patch" },
    };
    const got = await respond(gate, { ...request, input: [says("patch it")] });
    expect([sentTo(gate, 0).tools[0], sentTo(gate, 0).tool_choice]).toEqual([patch, { type: "custom", name: "patch" }]);
    expect(got.calls).toMatchObject([{ type: "custom_tool_call", call_id: "c1", name: "patch", input: text }]);
    expect(await gate.decisions()).toMatchObject([
      { tool: "patch", effect: "allow", disposition: "released", arguments: { input: text } },
    ]);
    const brought = { type: "custom_tool_call_output", call_id: "c1", output: "patched" };
    const next = await respond(gate, {
      ...request,
      tool_choice: "auto",
      input: [says("patch it"), ...got.output, brought],
    });
    expect(next.text).toBe("Done.");
    expect(itemsOf(gate, 1, "custom_tool_call", "custom_tool_call_output")).toEqual([
      { type: "custom_tool_call", call_id: "c1", name: "patch", input: text },
      brought,
    ]);
  });

  it("is refused and asked about as any other, and the model hears it", async () => {
    const calls = responseStream(textCallItem("c1", "patch", text));
    const refusing = await open(policyWith({ roles: ["admin"] }), calls, done);
    const refused = await respond(refusing, { model, input: "patch it", tools: [patch, functionTool("read")] });
    expect(refused.text).toMatch(/^Done\.\n\nToolgate: .*`patch`/);
    expect([refused.calls, sentTo(refusing, 0).tools.map(({ name }) => name)]).toEqual([[], ["read"]]);
    expect(itemsOf(refusing, 1, "custom_tool_call_output")).toMatchObject([
      { call_id: "c1", output: expect.stringContaining("tool_policy_blocked") },
    ]);
    const asking = await open(policyWith({ confirm: "ask" }), calls, done);
    const asked = await respond(asking, { model, input: [says("patch it")], tools: [patch] });
    expect([asked.calls, asked.response.toolgate.stop_reason]).toEqual([[], "awaiting_approval"]);
    const input = [says("patch it"), ...asked.output, says("yes")];
    const answered = await respond(asking, { model, input, tools: [patch] });
    expect(answered.calls).toMatchObject([{ type: "custom_tool_call", input: text }]);
  });

  it("cut after any of its events, or in pieces that are another text, releases nothing", {
    tags: ["attack/streams"],
  }, async () => {
    const events = responseEvents(messageItem("m1", "I patch."), textCallItem("c1", "patch", text));
    const other = events.map((data) =>
      data.replace('"delta":"***"', '"delta":"+++"').replace('"delta":"*** "', '"delta":"+++ "'),
    );
    expect(other).not.toEqual(events);
    const cuts = events.slice(1).map((_, at) => events.slice(0, at + 1));
    for (const sent of [...cuts, other]) {
      const got = await respond(await open(policyWith(), streamOf(sent)), {
        model,
        input: "go",
        tools: [patch],
        stream: true,
      });
      expect([sent.length, got.calls, got.http === 200 ? got.response.status : "failed"]).toEqual([
        sent.length,
        [],
        "failed",
      ]);
    }
  });

  it("is none where the client brought none", { tags: ["attack/streams"] }, async () => {
    const gate = await open(policyWith(), responseStream(textCallItem("c1", "read", "x")));
    const got = await respond(gate, { model, input: "go", tools: [functionTool("read")], stream: true });
    expect([got.http === 200, got.calls]).toEqual([false, []]);
  });
});
