/** The official OpenAI client on the Responses API, with nothing changed but its base URL. */
import OpenAI, { APIError, BadRequestError, NotFoundError } from "openai";
import type { Response, ResponseInputItem, ResponseStreamEvent, Tool } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { answers, begins, callsTools, says } from "./support/upstream.ts";

const policy = {
  handshake: { select: "off" },
  tools: {
    read_note: { category: "read_only", trusted: true },
    edit_note: { category: "modification", description: "Change a note", trusted: true },
  },
};
const parameters = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
  additionalProperties: false,
};
const tools: Tool[] = ["read_note", "edit_note"].map((name) => ({ type: "function", name, parameters, strict: true }));
const note = { title: "plan" };

const scripted = scriptedGateway();

async function newClient(): Promise<OpenAI> {
  return new OpenAI({
    baseURL: scripted.gateway.baseURL,
    apiKey: await scripted.gateway.key({ policy }),
    maxRetries: 0,
  });
}

const callIn = ({ output }: Response) => output.find((item) => item.type === "function_call");
const outputOf = (response: Response, output: string): ResponseInputItem => ({
  type: "function_call_output",
  call_id: callIn(response)?.call_id ?? "none",
  output,
});

describe("create", () => {
  it("answers with one response, read through the client's own short forms", async () => {
    const client = await newClient();
    scripted.upstream.script(says("Hello there"));
    const response = await client.responses.create({ model: "gpt", input: "hi", instructions: "Be kind." });
    expect([response.output_text, response.status, response.usage?.total_tokens]).toEqual([
      "Hello there",
      "completed",
      expect.any(Number),
    ]);
    expect(scripted.upstream.requests[0]?.body.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "hi" },
    ]);
    expect((await client.responses.retrieve(response.id)).output_text).toBe("Hello there");
    const items = await client.responses.inputItems.list(response.id);
    expect(items.data).toMatchObject([{ role: "user", content: "hi" }]);
    await client.responses.delete(response.id);
    await expect(client.responses.retrieve(response.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it("goes through a loop of tools and a question, by the ids alone", async () => {
    const client = await newClient();
    scripted.upstream.script(
      callsTools({ name: "read_note", arguments: note }),
      callsTools({ name: "edit_note", arguments: note }),
      says("It is changed."),
    );
    const ask = (input: string | ResponseInputItem[], previous?: Response) =>
      client.responses.create({ model: "gpt", input, tools, previous_response_id: previous?.id ?? null });
    const first = await ask("please read and change my note");
    expect(callIn(first)).toMatchObject({ name: "read_note", arguments: '{"title":"plan"}' });
    const second = await ask([outputOf(first, "the plan")], first);
    expect([callIn(second), second.output_text]).toEqual([undefined, expect.stringContaining("Change a note")]);
    const third = await ask("yes", second);
    expect(callIn(third)).toMatchObject({ name: "edit_note" });
    const fourth = await ask([outputOf(third, "done")], third);
    expect([fourth.output_text, scripted.upstream.requests.length]).toEqual(["It is changed.", 3]);
  });

  it("is refused with the place that is wrong", async () => {
    const client = await newClient();
    scripted.upstream.script();
    const refused = client.responses.create({ model: "gpt", input: "hi", tools: [{ type: "web_search" }] });
    await expect(refused).rejects.toMatchObject({ status: 400, code: "unsupported_tool", param: "tools" });
    await expect(refused).rejects.toBeInstanceOf(BadRequestError);
  });
});

describe("streams", () => {
  it("are put together by the client's helper into the response that was sent", async () => {
    const client = await newClient();
    scripted.upstream.script(answers({ text: "Let me read.", calls: [{ name: "read_note", arguments: note }] }));
    const stream = client.responses.stream({ model: "gpt", input: "please read my note", tools });
    const types = new Set<string>();
    let text = "";
    stream.on("event", (event) => types.add(event.type));
    stream.on("response.output_text.delta", ({ delta }) => (text += delta));
    const response = await stream.finalResponse();
    expect([text, response.output_text, callIn(response)?.arguments]).toEqual([
      "Let me read.",
      "Let me read.",
      '{"title":"plan"}',
    ]);
    expect([...types]).toEqual(expect.arrayContaining(["response.created", "response.completed"]));
  });

  it("that break off throw, and are no response", async () => {
    const client = await newClient();
    scripted.upstream.script(begins([{ role: "assistant", content: "Once" }], (response) => response.destroy()));
    const seen: ResponseStreamEvent[] = [];
    const read = async () => {
      for await (const event of await client.responses.create({ model: "gpt", input: "hi", stream: true }))
        seen.push(event);
    };
    await expect(read()).rejects.toBeInstanceOf(APIError);
    expect(seen.map(({ type }) => type)).not.toContain("response.completed");
  });

  it("are cut off at the provider when the client goes away", async () => {
    const client = await newClient();
    scripted.upstream.script(begins([{ role: "assistant", content: "Once" }], () => {}));
    const abort = new AbortController();
    const stream = await client.responses.create({ model: "gpt", input: "hi", stream: true }, { signal: abort.signal });
    for await (const event of stream) if (event.type === "response.output_text.delta") break;
    abort.abort();
    expect(await (await scripted.upstream.arrival()).gone).toBe(true);
  });
});

it("keeps a conversation for the client", async () => {
  const client = await newClient();
  scripted.upstream.script(says("Hello Ada"), says("You are Ada"));
  const { id } = await client.conversations.create({
    items: [{ type: "message", role: "user", content: "I am Ada." }],
  });
  await client.responses.create({ model: "gpt", input: "hi", conversation: id });
  const second = await client.responses.create({ model: "gpt", input: "who am I?", conversation: { id } });
  expect(second.output_text).toBe("You are Ada");
  expect(scripted.upstream.requests[1]?.body.messages.length).toBe(4);
  const items = [];
  for await (const item of client.conversations.items.list(id, { order: "asc" })) items.push(item.type);
  expect(items).toEqual(["message", "message", "message", "message", "message"]);
  await client.conversations.delete(id);
  await expect(client.conversations.retrieve(id)).rejects.toBeInstanceOf(NotFoundError);
});
