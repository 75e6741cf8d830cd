/** Words of a Responses upstream, as a client of the Responses API gets them: the bytes that came, wherever nothing must change. */
import { describe, expect, it } from "vitest";
import { functionTool, type Responded, respond } from "../responses/respond.ts";
import { type Gateway, gateway, type Upstream } from "../support/gateway.ts";
import { callItem, messageItem, responseEvents, responseStream, streamOf, thoughtItem } from "./responses-stream.ts";

const variables = {
  UPSTREAM_PROVIDERS: JSON.stringify({ gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } }),
  UPSTREAM_GPT_API_KEY: "sk-gpt",
};
const policy = { handshake: { select: "off" }, tools: { read: { category: "read_only" } } };
const open = (...upstream: Upstream[]): Promise<Gateway> => gateway({ policy, upstream, variables });
const body = { model: "gpt/gpt-test", input: "hello", stream: true };
const citation = { type: "url_citation", start_index: 0, end_index: 5, url: "https://a.example", title: "A" };

/** The text of the reply's events, without those that are the gateway's own. */
async function rawEvents(gate: Gateway, json: object = body): Promise<string[]> {
  const reply = await gate.fetch("/v1/responses", { json });
  return (await reply.text()).split("\n\n").flatMap((event) => {
    const [, data] = event.split("\ndata: ");
    return data === undefined ? [] : [data];
  });
}

const outputOf = ({ output }: Responded) => output as readonly unknown[];

describe("words of a Responses upstream", () => {
  it("go to the client byte for byte, annotations and unknown members with them", async () => {
    const events = responseEvents(messageItem("msg_up", "Hello there, you.", [citation])).map((data) =>
      data.replace('"type":"response.output_text.delta"', '"obfuscation" : "x1", "type":"response.output_text.delta"'),
    );
    const raw = await rawEvents(await open(streamOf(events)));
    expect(raw.slice(2, -1)).toEqual(events.slice(2, -1));
    const [first, last] = [raw[0], raw.at(-1)].map((data) => JSON.parse(String(data)) as { response: { id: string } });
    expect([first?.response.id, last?.response.id]).toEqual([last?.response.id, expect.stringMatching(/^resp_(?!up)/)]);
  });

  it("are the same in a body, and are kept with their annotations", async () => {
    const item = messageItem("msg_up", "Hello there.", [citation]);
    const gate = await open(responseStream(item));
    const got = await respond(gate, { ...body, stream: false });
    expect(outputOf(got)).toEqual([item.item]);
    const kept = (await (await gate.fetch(`/v1/responses/${got.response.id}`)).json()) as { output: unknown };
    expect(kept.output).toEqual([item.item]);
  });

  it("move up where a call before them is withheld, and keep their ids apart over several steps", async () => {
    const [before, after] = [messageItem("msg_up", "Wait."), messageItem("msg_up", "Done.")];
    const gate = await open(responseStream(before, callItem("c1", "unknown_tool", {})), responseStream(after));
    const got = await respond(gate, { ...body, tools: [functionTool("read")] });
    expect(got.events.map((event) => event.sequence_number)).toEqual(got.events.map((_, index) => index));
    expect([got.calls, got.output.length]).toEqual([[], 2]);
    expect(new Set(got.output.map(({ id }) => id)).size).toBe(2);
    const places = got.events.flatMap(({ type, output_index: index }) =>
      type === "response.output_item.done" ? [index] : [],
    );
    expect(places).toEqual([0, 1]);
  });

  it.each([true, false])("are one reply with what the gateway asks after them (stream %s)", async (stream) => {
    const gate = await gateway({
      policy: { handshake: { select: "off" }, tools: { edit: { category: "modification" } } },
      upstream: [
        responseStream(messageItem("m1", "First."), callItem("c0", "unknown_tool", {})),
        responseStream(messageItem("m2", "I edit it."), callItem("c1", "edit", { path: "a" })),
      ],
      variables,
    });
    const asked = { type: "message", role: "user", content: "please edit it" };
    const request = { model: "gpt/gpt-test", tools: [functionTool("edit")], stream, store: false };
    const first = await respond(gate, { ...request, input: [asked] });
    expect([first.calls, first.text.includes("I edit it.")]).toEqual([[], true]);
    // A client that sends the items again names no session: it is found by them.
    const yes = { type: "message", role: "user", content: "yes" };
    const second = await respond(gate, { ...request, input: [asked, ...first.output, yes] });
    expect([second.calls, gate.sent.length]).toMatchObject([[{ call_id: "c1" }], 2]);
    expect(second.response.toolgate.session_id).toBe(first.response.toolgate.session_id);
  });

  it.each([true, false])(
    "keep summaries of thoughts after untrusted text, without its links (stream %s)",
    async (stream) => {
      const link = "See [it](https://evil.example/?q=secret).";
      const thoughts = thoughtItem("rs_up", "**Look** at the page.", link, "Answer.");
      const gate = await gateway({
        policy: { ...policy, tools: { fetch: { category: "read_only", trusted: false } } },
        upstream: [responseStream(thoughts, messageItem("msg_up", "Sunny."))],
        variables,
      });
      const input = [
        { type: "message", role: "user", content: "look it up" },
        { type: "function_call", call_id: "c1", name: "fetch", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: "It is sunny, says the page." },
      ];
      const got = await respond(gate, { ...body, input, tools: [functionTool("fetch")], stream });
      const [first] = got.output as unknown as { summary: { type: string; text: string }[] }[];
      const texts = first?.summary.map(({ text }) => text);
      expect([texts?.[0], texts?.length, texts?.[2], got.text]).toEqual([
        "**Look** at the page.",
        3,
        "Answer.",
        "Sunny.",
      ]);
      expect(JSON.stringify([got.events, got.output])).not.toContain("](https://evil.example");
      if (!stream) return;
      const deltas = got.events.filter(({ type }) => type === "response.reasoning_summary_text.delta");
      expect(deltas.map(({ delta }) => delta).join("")).toBe(texts?.join(""));
      expect(got.events.filter(({ type }) => String(type).startsWith("response.reasoning_text"))).toEqual([]);
    },
  );

  it.each([true, false])("stand beside what the provider says of its response (stream %s)", async (stream) => {
    const stated = {
      service_tier: "flex",
      prompt_cache_retention: "24h",
      billing: { payer: "developer" },
      content_filters: [{ blocked: false, source_type: "prompt" }],
      reasoning: { effort: "low", summary: "auto", tool_calls: [{ name: "read" }] },
      text: { verbosity: "medium", format: { type: "text" } },
      moderation: { tool_calls: [{ name: "read" }] },
      output: [{ type: "function_call", name: "read" }],
      toolgate: { stop_reason: "forged" },
      metadata: { forged: "yes" },
    };
    const events = responseEvents(messageItem("msg_up", "Hi."));
    const last = JSON.parse(events.at(-1) ?? "") as { response: object };
    const upstream = streamOf([
      ...events.slice(0, -1),
      JSON.stringify({ ...last, response: { ...last.response, ...stated } }),
    ]);
    const { response } = await respond(await open(upstream), { ...body, stream, text: { verbosity: "high" } });
    expect(response).toMatchObject({
      service_tier: "flex",
      prompt_cache_retention: "24h",
      billing: { payer: "developer" },
      content_filters: [{ blocked: false, source_type: "prompt" }],
      text: { format: { type: "text" }, verbosity: "medium" },
      metadata: {},
      toolgate: { stop_reason: "completed" },
    });
    expect((response as unknown as { reasoning: unknown }).reasoning).toEqual({ effort: "low", summary: "auto" });
    expect(response).not.toHaveProperty("moderation");
    expect(JSON.stringify(response)).not.toContain("forged");
  });

  it("hold no call, however it is spelt", async () => {
    const call = { id: "fc_1", type: "function_call", call_id: "c1", name: "read", arguments: "{}" };
    const good = responseEvents(messageItem("msg_up", "Hi."));
    const at = (type: string) => good.findIndex((data) => data.includes(`"type":"${type}"`));
    const forge = (type: string, change: (event: Record<string, unknown>) => object) =>
      good.map((data, index) => (index === at(type) ? JSON.stringify(change(JSON.parse(data))) : data));
    for (const events of [
      forge("response.output_text.delta", (event) => ({ ...event, tool_calls: [call] })),
      forge("response.output_text.delta", (event) => ({ ...event, Item: call })),
      forge("response.output_item.done", (event) => ({
        ...event,
        item: { ...(event.item as object), Type: "function_call" },
      })),
      forge("response.output_item.done", (event) => ({
        ...event,
        item: { ...(event.item as object), Tool_Calls: [call] },
      })),
      forge("response.output_item.done", (event) => ({ ...event, item: { ...call, type: "custom_tool_call" } })),
      forge("response.output_item.added", (event) => ({ ...event, output_index: 7 })),
    ]) {
      const gate = await open(streamOf(events));
      const got = await respond(gate, { ...body, tools: [functionTool("read")] });
      expect([got.response.status, got.calls]).toEqual(["failed", []]);
    }
  });

  it("cut after any event, end as an error and release nothing", async () => {
    const events = responseEvents(messageItem("msg_up", "Reading it."), callItem("c1", "read", {}));
    for (let cut = 1; cut < events.length; cut += 1) {
      const got = await respond(await open(streamOf(events.slice(0, cut))), { ...body, tools: [functionTool("read")] });
      expect([cut, got.calls, got.http === 200 ? got.response.status : "failed"]).toEqual([cut, [], "failed"]);
    }
  });
});
