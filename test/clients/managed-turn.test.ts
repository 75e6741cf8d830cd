/** Tools that the gateway runs itself, for a client that knows nothing of them: the official OpenAI client. */
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpProcess, startEverything, startToolService, type ToolService } from "./support/tool-servers.ts";
import { callsTools, type ScriptedUpstream, says, startUpstream, toolNames } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

let upstream: ScriptedUpstream;
let service: ToolService;
let everything: McpProcess;
let gateway: Gateway;

beforeAll(async () => {
  [upstream, service, everything] = await Promise.all([startUpstream(), startToolService(), startEverything()]);
  gateway = await startGateway({ upstream: upstream.url });
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all([upstream?.stop(), service?.stop(), everything?.stop()]);
});

const gets = (path: string) => ({
  category: "read_only",
  trusted: true,
  parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
  run: { kind: "http", method: "GET", url: `${service.url}/${path}/{{arguments.of}}`, allowPrivate: true },
});

const policy = () => ({
  handshake: { select: "off" },
  mcpServers: { everything: { url: everything.url, tools: ["echo"], allowPrivate: true } },
  tools: {
    weather: gets("weather"),
    trains: gets("trains"),
    hotels: gets("hotels"),
    mcp__everything__echo: { category: "read_only" },
  },
});

const newClient = async () =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey: await gateway.key({ policy: policy() }), maxRetries: 0 });

const step = () =>
  callsTools(
    { name: "weather", arguments: { of: "bern" } },
    { name: "trains", arguments: { of: "basel" } },
    { name: "hotels", arguments: { of: "chur" } },
    { name: "mcp__everything__echo", arguments: { message: "grüezi" } },
  );

const asked = { model: "gpt", messages: [{ role: "user" as const, content: "plan my trip" }] };

/** What the model was sent of its calls' results. */
const results = () =>
  upstream.requests[1]?.body.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));

describe("three HTTP tools and one of an MCP server, called in one step", () => {
  it("are run at once inside the turn, and the client gets the answer", async () => {
    const client = await newClient();
    service.gather(3);
    upstream.script(step(), says("A fine trip."));
    const completion = await client.chat.completions.create(asked);
    expect(completion.choices).toMatchObject([{ message: { content: "A fine trip." }, finish_reason: "stop" }]);
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined();
    expect(upstream.requests.map(toolNames)).toEqual(
      Array(2).fill(["weather", "trains", "hotels", "mcp__everything__echo"]),
    );
    expect([...service.asked].sort()).toEqual(["/hotels/chur", "/trains/basel", "/weather/bern"]);
    expect(results()).toEqual([
      '{"answered":"/weather/bern"}',
      '{"answered":"/trains/basel"}',
      '{"answered":"/hotels/chur"}',
      expect.stringMatching(/not instructions[\s\S]*Echo: grüezi/),
    ]);
  });

  it("are told of in a stream that asks for it, and in the conversation that goes on", async () => {
    const client = await newClient();
    service.gather(3);
    upstream.script(step(), says("A fine trip."), says("You are welcome."));
    const headers = { "x-toolgate-runs": "tell", "x-toolgate-session": "trip" };
    const stream = await client.chat.completions.create({ ...asked, stream: true }, { headers });
    let text = "";
    let told: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      told = (chunk as { toolgate?: { runs?: unknown } }).toolgate?.runs ?? told;
    }
    expect(text).toBe("A fine trip.");
    const runs = ["weather", "trains", "hotels", "mcp__everything__echo"];
    expect(told).toMatchObject(runs.map((tool) => ({ tool, status: "succeeded", trusted: !tool.startsWith("mcp") })));
    const history = [...asked.messages, { role: "assistant" as const, content: "A fine trip." }];
    const messages = [...history, { role: "user" as const, content: "thanks" }];
    await client.chat.completions.create({ ...asked, messages }, { headers });
    const roles = upstream.requests.at(-1)?.body.messages.map(({ role }) => role);
    // First the sentence on the marks around what an untrusted tool brought.
    expect(roles).toEqual(["system", "user", "assistant", "tool", "tool", "tool", "tool", "assistant", "user"]);
  });
});
