/** What a turn held is let go of once it is over: the runtime would let a request that is kept by another grow the isolate. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { callsTools, type ScriptedUpstream, says, startUpstream } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;

beforeAll(async () => {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = "--expose-gc";
  upstream = await startUpstream();
  gateway = await startGateway({ upstream: upstream.url, entry: "test/fixtures/held-requests.ts" });
});

afterAll(async () => {
  delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
  await gateway?.stop();
  await upstream?.stop();
});

const held = async (): Promise<unknown> => (await fetch(new URL("/held", gateway.baseURL))).json();

const definition = { name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } };
const tools = [{ type: "function", function: definition }];
const reads = callsTools({ name: "read_file", arguments: { path: "a.ts" } });

it.each([
  ["streamed words", true, says("fine"), "fine"],
  ["words in a JSON body", false, says("fine"), "fine"],
  ["streamed calls", true, reads, "read_file"],
  ["calls in a JSON body", false, reads, "read_file"],
])("no request is held after %s", async (_name, stream, answer, told) => {
  const headers = { authorization: `Bearer ${await gateway.key()}`, "content-type": "application/json" };
  const questions = Array.from({ length: 20 }, (_, i) => `question ${i}`);
  upstream.script(...questions.map(() => answer));
  for (const content of questions) {
    const body = JSON.stringify({ model: "gpt", stream, messages: [{ role: "user", content }], tools });
    const response = await fetch(`${gateway.baseURL}/chat/completions`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(told);
  }
  // The last ones may not have been let go of yet: their records are written after their replies.
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(3);
});
