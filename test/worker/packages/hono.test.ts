/** The gateway inside another Worker, and a model in that Worker's own code that the same stores govern. */

import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { generateText, jsonSchema, tool } from "ai";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Env } from "../../../src/deps.ts";
import { createToolgate } from "../../../src/packages/ai-sdk/index.ts";
import { toolgateHandler, workerStores } from "../../../src/packages/hono/index.ts";
import { gateway, tool as wireTool } from "../support/gateway.ts";
import { says } from "../support/script.ts";

const policy = {
  tools: { look_up: { category: "read_only", rateLimits: [{ max: 1, window: "1h" }] } },
  detection: { layers: ["keywords"] },
};

describe("the gateway in another app", () => {
  it("answers below the path that it is mounted at, and nowhere else", async () => {
    const { key, tenant } = await gateway({ policy });
    const app = new Hono<{ Bindings: Env }>();
    app.get("/mine", (c) => c.text("mine"));
    app.mount(
      "/ai",
      toolgateHandler({ fetch: async () => says({ text: "Hello." })({}, new Request("https://x.test")) }),
    );
    const ctx = createExecutionContext();
    const ask = (path: string, body?: object) =>
      app.fetch(
        new Request(`https://app.test${path}`, {
          method: body ? "POST" : "GET",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
        env,
        ctx,
      );
    expect(await (await ask("/mine")).text()).toBe("mine");
    expect((await ask("/v1/me")).status).toBe(404);
    expect(await (await ask("/ai/v1/me")).json()).toMatchObject({ tenant });
    const chat = await ask("/ai/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "Hi" }] });
    expect(await chat.json()).toMatchObject({ choices: [{ message: { content: "Hello." } }] });
    await waitOnExecutionContext(ctx);
  });
});

/** Calls the tool once, then says so. */
function lookingUp(): LanguageModelV4 {
  let asked = 0;
  const answer = (content: LanguageModelV4GenerateResult["content"]): LanguageModelV4GenerateResult => ({
    content,
    finishReason: { unified: content[0]?.type === "tool-call" ? "tool-calls" : "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  });
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    doGenerate: async () => {
      asked += 1;
      return answer(
        asked === 1
          ? [{ type: "tool-call", toolCallId: "a", toolName: "look_up", input: "{}" }]
          : [{ type: "text", text: "Done." }],
      );
    },
    doStream: () => Promise.reject(new Error("not streamed")),
  };
}

describe("a toolgate on the Worker's own stores", () => {
  it("shares a user's limits with the gateway", async () => {
    const chats = await gateway({
      policy,
      upstream: [says({ calls: [{ id: "g", name: "look_up" }] }), says({ text: "I may not." })],
    });
    const { tenant, user } = chats;
    const ran: string[] = [];
    const look = async () => {
      const principal = { tenant, user, role: "user" };
      const toolgate = createToolgate({ policy, principal, stores: Promise.resolve(workerStores(env as Env)) });
      const tools = toolgate.tools({
        look_up: tool({
          description: "Does look_up",
          inputSchema: jsonSchema({ type: "object", properties: {} }),
          execute: async () => ran.push("look_up"),
        }),
      });
      return generateText({ model: toolgate.model(lookingUp()), tools, prompt: "Look it up" });
    };
    await look();
    expect(ran).toEqual(["look_up"]);
    const body = { messages: [{ role: "user", content: "Look it up" }], tools: [wireTool("look_up")] };
    const content = expect.stringMatching(/^I may not\.\n\nToolgate: `look_up` has reached its limit \(1 in /);
    expect(await (await chats.chat(body)).json()).toMatchObject({ choices: [{ message: { content } }] });
    const decisions = await chats.decisions();
    expect(decisions.map(({ tool: name, effect }) => [name, effect])).toEqual([
      ["look_up", "allow"],
      ["look_up", "deny"],
    ]);
  });
});
