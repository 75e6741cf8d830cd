/** What a turn keeps between requests, for a page that sends UI messages. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { call, messagesOf, outlineOf, says, selects, toolsOf } from "../support/script.ts";
import { postUi, uiChat, uiMessage } from "./ui-chat.ts";

const tools = [tool("erase", { type: "object", properties: { path: { type: "string" } } })];
const policy = {
  handshake: { select: "off" },
  tools: { erase: { category: "modification", confirm: "auto", trusted: true } },
};
const done = says({ text: "Done." });

describe("a conversation", () => {
  it("keeps the handshake before the call that it led to, and its state from request to request", async () => {
    const gate = await gateway({
      policy: {
        handshake: { select: "model" },
        intents: { TIDY: { description: "tidy up", tools: ["erase"] } },
        tools: policy.tools,
      },
      upstream: [
        says({ text: "I see. ", calls: [selects("TIDY")] }),
        says({ text: "I erase.", calls: [call("c1", "erase", { path: "/tmp" })] }),
        done,
        done,
      ],
    });
    const page = uiChat(gate, { tools, run: () => "erased" });
    await page.chat.sendMessage({ text: "tidy up" });
    await expect.poll(() => [page.replies.length, page.chat.status]).toEqual([2, "ready"]);
    expect(gate.sent.map(toolsOf).slice(0, 3)).toEqual([
      ["select_intent"],
      ["erase", "select_intent"],
      ["erase", "select_intent"],
    ]);
    expect(outlineOf(gate.sent[2]).filter((one) => one !== "system")).toEqual([
      ...["user", "assistant(call_hs)", "tool(call_hs)", "assistant(c1)", "tool(c1)"],
    ]);
    // The handshake is the gateway's own: the page hears of the intent alone.
    expect(JSON.stringify(page.replies)).not.toContain('select_intent","input');
    const note = page.chat.messages.at(-1)?.parts.filter(({ type }) => type === "data-toolgate");
    expect(note).toMatchObject([{ data: { intent: "TIDY", state: "action" } }]);
    expect(page.replies[1]?.[1]).toMatchObject({
      type: "data-toolgate",
      data: { intent: "TIDY", session_id: "chat-1" },
    });
    expect((await gate.fetch("/v1/sessions/chat-1")).status).toBe(200);
  });

  it("gives a signature of the provider's back with its call, and nothing else that a page adds", async () => {
    const signature = { extra_content: { google: { thought_signature: "c2ln" } } };
    const gate = await gateway({
      policy,
      upstream: [says({ calls: [{ ...call("c1", "erase"), extra: signature }] }), done],
    });
    const page = uiChat(gate, { tools, run: () => "erased" });
    await page.chat.sendMessage({ text: "tidy up" });
    await expect.poll(() => page.replies.length).toBe(2);
    expect(messagesOf(gate.sent[1])[1]?.tool_calls).toMatchObject([{ id: "c1", ...signature }]);
    const part = {
      ...page.parts().find(({ type }) => type === "tool-erase"),
      callProviderMetadata: { toolgate: { function: { name: "evil" }, Function: {}, ...signature } },
    };
    await (await postUi(gate, { messages: [uiMessage("user", "x"), uiMessage("assistant", part)], tools })).text();
    expect(messagesOf(gate.sent[2])[1]?.tool_calls).toEqual([
      { id: "c1", type: "function", function: { name: "erase", arguments: "{}" }, ...signature },
    ]);
  });

  it("keeps numbers that a double cannot hold as they were written", async () => {
    const gate = await gateway({ policy, upstream: done });
    const part = (value: string) =>
      `{"type":"tool-erase","toolCallId":"c1","state":"output-available","input":{"id":${value}},"output":{"id":${value}}}`;
    const body = `{"id":"chat-1","model":"m","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"x"}]},
      {"id":"2","role":"assistant","parts":[${part("1234567890123456789")}]}]}`;
    const response = await gate.fetch("/api/chat", { method: "POST", body });
    await response.text();
    expect(JSON.stringify(gate.sent[0])).toContain('\\"id\\":1234567890123456789');
  });

  it("is one for retries: the same request again gets the same call, which is spent once", async () => {
    const gate = await gateway({
      policy: { ...policy, rateLimits: { erase: [{ max: 1, window: "1h" }] } },
      upstream: says({ calls: [call("c1", "erase", { path: "/tmp" })] }),
    });
    const body = { messages: [uiMessage("user", "tidy up")], tools };
    const [first, second] = [await (await postUi(gate, body)).text(), await (await postUi(gate, body)).text()];
    for (const text of [first, second]) expect(text).toContain('"toolCallId":"c1"');
    expect((await gate.decisions()).length).toBe(1);
  });
});

describe("who asks", () => {
  const serviceKey = async (gate: Gateway) =>
    (
      await createKey(
        env.KV,
        { tenant: gate.tenant, user: "backend", role: "user", connections: [], actsFor: true },
        Date.now(),
      )
    ).token;
  const body = { messages: [uiMessage("user", "x")] };

  it("is the `user` of the body where a service key speaks for somebody, and is needed", async () => {
    const gate = await gateway({ policy, upstream: done });
    const authorization = `Bearer ${await serviceKey(gate)}`;
    expect((await postUi(gate, body, { authorization })).status).toBe(400);
    await (await postUi(gate, { ...body, user: "grace" }, { authorization })).text();
    const key = await gate.keyFor("grace", "user");
    expect((await gate.fetch("/v1/sessions/chat-1", { key })).status).toBe(200);
    expect((await gate.fetch("/v1/sessions/chat-1")).status).toBe(404);
    const twice = '{"user":"grace","user":"eve","id":"chat-1","model":"m","messages":[]}';
    const refused = await gate.fetch("/api/chat", { method: "POST", body: twice, headers: { authorization } });
    expect(refused.status).toBe(400);
  });
});
