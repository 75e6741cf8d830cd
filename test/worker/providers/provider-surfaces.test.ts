/** The other surfaces at providers that have a protocol of their own. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { call, MODEL, PROVIDERS, type ProviderName, type WireStep } from "../../support/provider-wire.ts";
import { functionTool, output, respond } from "../responses/respond.ts";
import { tool } from "../support/gateway.ts";
import { uiChat } from "../ui/ui-chat.ts";
import { answers, providers, stream } from "./provider-gateway.ts";

const path = { type: "object", properties: { path: { type: "string" } } };
const policy = {
  handshake: { select: "off" },
  results: { mark: false },
  tools: { read_file: { category: "read_only" } },
};
const thinking = { text: "I look.", signature: "c2ln" };
const calls = [call("c1", "read_file", { path: "a.txt" }, "c2ln"), call("c2", "delete_all")];
const step: WireStep = { thinking, text: ["Let me ", "see."], calls };

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));

const steps = (provider: ProviderName, ...all: WireStep[]) =>
  providers({ policy, upstream: all.map((one) => answers(provider, one)) });

describe.each(["anthropic", "google"] as const)("%s", (provider) => {
  const signed = provider === "anthropic" ? '"signature":"c2ln"' : '"thoughtSignature":"c2ln"';

  it.each([true, false])("the Responses API: words, thoughts, a call and its result (stream %s)", async (streams) => {
    const gate = await steps(provider, step, { text: ["Hi."] });
    const body = { model: MODEL[provider], stream: streams, tools: [functionTool("read_file", path)] };
    const first = await respond(gate, { ...body, input: "read a.txt" });
    expect([first.http, first.text]).toEqual([200, "Let me see."]);
    expect(first.calls).toMatchObject([{ call_id: "c1", name: "read_file", arguments: '{"path":"a.txt"}' }]);
    expect(first.output.some(({ type }) => type === "reasoning")).toBe(true);
    const next = { ...body, previous_response_id: first.response.id, input: [output("c1", "hi")] };
    expect((await respond(gate, next)).text).toBe("Hi.");
    expect(JSON.stringify(gate.sent[1])).toContain(signed);
  });

  it("the AI SDK's chat: words, thoughts, a call and its result", async () => {
    const gate = await steps(provider, step, { text: ["Hi."] });
    const ui = uiChat(gate, { tools: [tool("read_file", path)], body: { model: MODEL[provider] }, run: () => "hi" });
    await ui.chat.sendMessage({ text: "read a.txt" });
    await vi.waitFor(() => expect(ui.chat.status).toBe("ready"));
    expect(ui.ran).toEqual([{ id: "c1", tool: "read_file", input: { path: "a.txt" } }]);
    const parts = ui.parts();
    expect(parts.filter(({ type }) => type === "text").map(({ text }) => text)).toEqual(["Let me see.", "Hi."]);
    expect(JSON.stringify(gate.sent[1])).toContain(signed);
  });

  it("neither releases anything of a stream that is cut at any event", async () => {
    const events = PROVIDERS[provider](step);
    for (let at = 0; at < events.length - 1; at += 1) {
      const cut = () => stream(events.slice(0, at + 1));
      const gate = await providers({ policy, upstream: cut });
      const body = { model: MODEL[provider], stream: true, tools: [functionTool("read_file", path)] };
      const replied = await respond(gate, { ...body, input: "read a.txt" });
      expect([at, replied.calls]).toEqual([at, []]);
      if (replied.http === 200) expect([at, replied.response.status]).toEqual([at, "failed"]);
      const ui = uiChat(gate, { tools: [tool("read_file", path)], body: { model: MODEL[provider] }, run: () => "hi" });
      await ui.chat.sendMessage({ text: "read a.txt" });
      expect([at, ui.ran, ui.chat.status]).toEqual([at, [], "error"]);
    }
  });
});
