/** Faults of an upstream over real connections, as the official client sees them. */
import { request } from "node:http";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { chunk, sse } from "../support/sse.ts";
import { type Answer, answersJson, type ScriptedUpstream, says, startUpstream } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

let upstream: ScriptedUpstream;
let gateway: Gateway;
let client: OpenAI;
const hi = { model: "gpt", messages: [{ role: "user" as const, content: "hi" }] };

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    upstream: upstream.url,
    settings: {
      UPSTREAM_RETRIES: "1",
      UPSTREAM_CONNECT_TIMEOUT: "300ms",
      UPSTREAM_IDLE_TIMEOUT: "300ms",
      UPSTREAM_FIRST_BYTE_TIMEOUT: "300ms",
    },
  });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

beforeEach(async () => {
  client = new OpenAI({ baseURL: gateway.baseURL, apiKey: await gateway.key(), maxRetries: 0 });
});

const drops: Answer = (response) => response.destroy();
const dropsAfterHeaders: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  response.destroy();
};
const silent: Answer = () => {};
const silentAfterWords: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(sse([chunk({ role: "assistant", content: "He" })]));
};

async function textOf(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<string> {
  let text = "";
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
  return text;
}

it.each([
  ["is dropped", drops],
  ["is dropped after its headers", dropsAfterHeaders],
])("a connection that %s is made again", async (_, answer) => {
  upstream.script(answer, says("All is well."));
  expect(await textOf(await client.chat.completions.create({ ...hi, stream: true }))).toBe("All is well.");
  expect(upstream.requests.length).toBe(2);
});

it("an upstream that does not answer is a 504, and its connection is closed", async () => {
  for (const stream of [true, false]) {
    upstream.script(silent);
    const failed = client.chat.completions.create({ ...hi, stream }).catch((error: unknown) => error);
    const { gone } = await upstream.arrival();
    expect(await failed).toMatchObject({ status: 504, code: "upstream_timeout" });
    expect(await gone).toBe(true);
  }
});

it("an upstream that falls silent after words ends the stream with an error, and its connection is closed", async () => {
  upstream.script(silentAfterWords);
  const reading = client.chat.completions.create({ ...hi, stream: true }).then(textOf);
  await expect(reading).rejects.toMatchObject({ code: "upstream_timeout" });
  expect(await (await upstream.arrival()).gone).toBe(true);
});

it("a dead upstream's place is taken by the next, in streams, bodies and lists", async () => {
  const behind = await startGateway({
    // Nobody listens there.
    upstream: "http://127.0.0.1:1/v1",
    settings: { UPSTREAM_2_BASE_URL: upstream.url, UPSTREAM_2_API_KEY: "sk-2", UPSTREAM_2_MODEL: "other" },
  });
  try {
    const other = new OpenAI({ baseURL: behind.baseURL, apiKey: await behind.key(), maxRetries: 0 });
    upstream.script(says("one"), says("two"), answersJson({ object: "list", data: [] }));
    expect(await textOf(await other.chat.completions.create({ ...hi, stream: true }))).toBe("one");
    const { data, response } = await other.chat.completions.create(hi).withResponse();
    expect([data.choices[0]?.message.content, response.headers.get("x-toolgate-upstream")]).toEqual(["two", "2"]);
    expect((await other.models.list()).data).toEqual([]);
    expect(upstream.requests[0]).toMatchObject({ body: { model: "other" }, headers: { authorization: "Bearer sk-2" } });
  } finally {
    await behind.stop();
  }
});

it("a GET with a body is answered as one without, and no upstream is taken for unreachable", async () => {
  upstream.script(answersJson({ object: "list", data: [] }));
  const headers = { authorization: `Bearer ${client.apiKey}`, "content-length": "2" };
  const status = await new Promise((resolve) => {
    const asked = request(`${gateway.baseURL}/models`, { headers }, (answer) => resolve(answer.resume().statusCode));
    asked.end("{}");
  });
  expect([status, upstream.requests.length]).toEqual([200, 1]);
});
