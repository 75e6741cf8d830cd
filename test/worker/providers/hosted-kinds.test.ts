/**
 * Each kind of tool that a provider runs itself: offered, withheld, and refused where nobody accepted it, with the same rows.
 * @module-tag attack/requests
 */
import { describe, expect, it } from "vitest";
import { respond } from "../responses/respond.ts";
import { gateway, type Upstream } from "../support/gateway.ts";
import { hostedItem, messageItem, responseStream, type StreamedItem } from "./responses-stream.ts";

const variables = {
  UPSTREAM_PROVIDERS: JSON.stringify({ gpt: { kind: "responses", baseUrl: "https://upstream.test/v1" } }),
  UPSTREAM_GPT_API_KEY: "sk-gpt",
};

interface Kind {
  /** As the client asks for it. */
  readonly tool: object;
  readonly item: StreamedItem;
  /** As the record has its call. */
  readonly arguments: object;
}

const mcp = { type: "mcp", server_label: "docs", server_url: "https://mcp.example.com/sse", require_approval: "never" };
const called = { server_label: "docs", name: "search", arguments: '{"q":"rome"}', output: "Sunny." };

const kinds: Readonly<Record<string, Kind>> = {
  "hosted:web_search": {
    tool: { type: "web_search_preview_2025_03_11" },
    item: hostedItem("web_search_call", "ws_1", { action: { type: "search", query: "rome" } }),
    arguments: { type: "search", query: "rome" },
  },
  "hosted:file_search": {
    tool: { type: "file_search", vector_store_ids: ["vs_1"] },
    item: hostedItem("file_search_call", "fs_1", { queries: ["rome"], results: null }),
    arguments: { queries: ["rome"] },
  },
  "hosted:code_interpreter": {
    tool: { type: "code_interpreter", container: { type: "auto" } },
    item: hostedItem("code_interpreter_call", "ci_1", { code: "1 + 1", container_id: "cntr_1", outputs: null }),
    arguments: { code: "1 + 1" },
  },
  "hosted:image_generation": {
    tool: { type: "image_generation", size: "1024x1024" },
    item: hostedItem("image_generation_call", "ig_1", { revised_prompt: "a cat", result: "QUJD" }),
    arguments: { prompt: "a cat" },
  },
  "hosted:mcp:mcp.example.com": {
    tool: mcp,
    item: hostedItem("mcp_call", "mcp_1", called),
    arguments: { server: "docs", tool: "search", arguments: '{"q":"rome"}' },
  },
};

const words = messageItem("m1", "Done.");

async function asked({ tool }: Kind, policy: object, stream: boolean, upstream: Upstream) {
  const gate = await gateway({ policy: { handshake: { select: "off" }, ...policy }, upstream, variables });
  const got = await respond(gate, { model: "gpt/gpt-test", input: "please", tools: [tool], stream });
  return { gate, got, sent: (gate.sent as { tools?: unknown[] }[]).map(({ tools = [] }) => tools) };
}

for (const stream of [true, false])
  describe.each(Object.entries(kinds))(`%s, ${stream ? "stream" : "JSON"}`, (name, kind) => {
    const allowed = (more: object = {}) => ({
      allowHosted: [name],
      tools: { [name]: { category: "read_only", ...more } },
    });

    it("is offered where the policy accepts it: its item comes as it is, and its call is in the record", async () => {
      const { gate, got, sent } = await asked(kind, allowed(), stream, responseStream(kind.item, words));
      expect([got.http, got.response.status, got.text, sent]).toEqual([200, "completed", "Done.", [[kind.tool]]]);
      expect(got.output[0]).toEqual(kind.item.item);
      expect(await gate.decisions()).toMatchObject([
        { tool: name, call_id: kind.item.item.id, effect: "allow", disposition: "hosted", arguments: kind.arguments },
      ]);
      expect(await gate.turns()).toMatchObject([{ offered: [name], stop_reason: "completed" }]);
    });

    it("is withheld where a rule says so: the provider cannot run it, and is not believed that it did", async () => {
      const guests = allowed({ roles: ["admin"] });
      const policy = { ...guests, roles: ["user", "admin"] };
      const { gate, got, sent } = await asked(kind, policy, stream, responseStream(words));
      expect([got.text, sent]).toEqual(["Done.", [[]]]);
      expect(got.response.toolgate.withheld).toMatchObject([{ name, reasons: ["role_forbids"] }]);
      expect(await gate.turns()).toMatchObject([{ offered: [], stop_reason: "completed" }]);
      const forged = await asked(kind, policy, stream, responseStream(kind.item, words));
      expect([forged.got.http === 200 && forged.got.response.status === "completed", forged.got.text]).toEqual([
        false,
        "",
      ]);
      expect(await forged.gate.decisions()).toEqual([]);
      expect(await forged.gate.turns()).toMatchObject([{ stop_reason: "upstream_error" }]);
    });

    it("is refused where `allowHosted` does not name it, and the provider is not asked", async () => {
      const other = { allowHosted: ["hosted:other"], tools: { [name]: { category: "read_only" } } };
      const { gate, got, sent } = await asked(kind, other, stream, responseStream(words));
      expect([got.http, got.error?.code, got.error?.param, sent]).toEqual([400, "unsupported_tool", "tools", []]);
      expect(got.error?.message).toContain(`add \`${name}\` to the policy's \`allowHosted\``);
      expect(await gate.decisions()).toEqual([]);
    });
  });
