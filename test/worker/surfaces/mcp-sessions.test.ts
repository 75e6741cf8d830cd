/** A session of `/mcp` is none of a chat's: what a chat says in it would unlock what an MCP client may call. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { createToolgate } from "../../../src/packages/ai-sdk/index.ts";
import { workerStores } from "../../../src/packages/hono/index.ts";
import { gateway } from "../support/gateway.ts";
import { says } from "../support/script.ts";
import { ask, surfaces } from "./surfaces.ts";

const names = [
  "chat completions, stream",
  "chat completions, JSON",
  "responses, stream",
  "responses, JSON",
  "UI message stream",
];

for (const name of names)
  it(`no chat has it (${name})`, async () => {
    const gate = await gateway({ policy: {}, upstream: says({ text: "hi" }) });
    const surface = surfaces.find((one) => one.name === name);
    for (const session of ["mcp_shared", "mcp_01", "mcp_x.f"]) {
      const headers = { "x-toolgate-session": session };
      const told = surface && (await ask(surface, gate, { text: "hello", tools: [], headers }));
      expect(told?.end).toBe("refused");
    }
    expect(gate.sent).toEqual([]);
  });

it("no chat has it, whichever way it is named", async () => {
  const gate = await gateway({ policy: {}, upstream: says({ text: "hi" }) });
  const body = { messages: [{ role: "user", content: "hi" }], metadata: { session_id: "mcp_shared" } };
  const refused = await gate.chat(body);
  expect([refused.status, ((await refused.json()) as { error: { param: string } }).error.param]).toEqual([
    400,
    "x-toolgate-session",
  ]);
});

it("no program has it", () => {
  const stores = Promise.resolve(workerStores(env));
  const principal = { tenant: "t", user: "u", role: "user" };
  const toolgate = () => createToolgate({ policy: {}, principal, stores, sessionId: "mcp_shared" });
  expect(toolgate).toThrow("is one of `/mcp`");
});
