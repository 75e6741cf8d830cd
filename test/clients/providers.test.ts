/** The official OpenAI client at Anthropic's and Google's models, through the Worker as it is deployed. */
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, MODEL, PROVIDERS, type ProviderName, type WireStep } from "../support/provider-wire.ts";
import type { Answer, ScriptedUpstream } from "./support/upstream.ts";
import { failsWith, says, startUpstream } from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

const policy = {
  handshake: { select: "off" },
  tools: { weather: { category: "read_only" }, purge: { category: "external", roles: ["admin"] } },
};
const city = { type: "object", properties: { city: { type: "string" } } };

let upstream: ScriptedUpstream;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await startUpstream();
  const near = { baseUrl: upstream.url };
  gateway = await startGateway({
    upstream: upstream.url,
    settings: {
      UPSTREAM_PROVIDERS: JSON.stringify({ anthropic: near, google: near }),
      UPSTREAM_ANTHROPIC_API_KEY: "sk-ant",
      UPSTREAM_GOOGLE_API_KEY: "sk-goog",
      UPSTREAM_ROUTES: JSON.stringify({ smart: [MODEL.anthropic, MODEL.google, "gpt"] }),
    },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

const sends =
  (provider: ProviderName, step: WireStep): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(PROVIDERS[provider](step).join(""));
  };
const newClient = async () =>
  new OpenAI({ baseURL: gateway.baseURL, apiKey: await gateway.key({ policy }), maxRetries: 0 });

describe.each(["anthropic", "google"] as const)("%s", (provider) => {
  const thinking = { text: "Which city?", signature: "c2ln" };
  const calls = [call("c1", "weather", { city: "Bern" }, "c2ln")];
  const asked: unknown[] = [];
  const tools = [
    {
      type: "function" as const,
      function: {
        name: "weather",
        description: "Tells the weather",
        parameters: city,
        parse: JSON.parse,
        function: (args: unknown) => {
          asked.push(args);
          return "sunny";
        },
      },
    },
    {
      type: "function" as const,
      function: { name: "purge", description: "Purges", parameters: city, function: () => "no" },
    },
  ];

  it.each([true, false])("runs a whole loop of tools (stream %s)", async (stream) => {
    asked.length = 0;
    upstream.script(sends(provider, { thinking, calls }), sends(provider, { text: ["It is ", "sunny."] }));
    const client = await newClient();
    const messages = [{ role: "user" as const, content: "the weather in Bern?" }];
    const body = { model: MODEL[provider], messages, tools };
    const runner = stream
      ? client.chat.completions.runTools({ ...body, stream: true })
      : client.chat.completions.runTools({ ...body, stream: false });
    expect(await runner.finalContent()).toBe("It is sunny.");
    expect(asked).toEqual([{ city: "Bern" }]);
    const [first, second] = upstream.requests;
    expect(JSON.stringify(first?.body.tools)).not.toContain("purge");
    expect(JSON.stringify(second?.body)).toContain("sunny");
    // The client keeps what stands beside the function of a call.
    if (provider === "google") expect(JSON.stringify(second?.body)).toContain('"thoughtSignature":"c2ln"');
    else expect(JSON.stringify(second?.body)).toContain('"signature":"c2ln"');
  });

  it("has a stream that breaks off told as an error", async () => {
    upstream.script((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(
        PROVIDERS[provider]({ text: ["It", " is"], calls })
          .slice(0, -1)
          .join(""),
      );
      response.destroy();
    });
    const client = await newClient();
    const stream = client.chat.completions.stream({
      model: MODEL[provider],
      messages: [{ role: "user", content: "the weather?" }],
      tools: [{ type: "function", function: { name: "weather", parameters: city } }],
    });
    await expect(stream.finalChatCompletion()).rejects.toThrow();
  });
});

it("a route goes on from kind to kind", async () => {
  upstream.script(
    failsWith(529, { message: "Overloaded" }),
    failsWith(503, { message: "down" }),
    says("from the third"),
  );
  const client = await newClient();
  const body = { model: "smart", messages: [{ role: "user" as const, content: "hi" }] };
  const { data, response } = await client.chat.completions.create(body).withResponse();
  expect(data.choices[0]?.message.content).toBe("from the third");
  expect([response.headers.get("x-toolgate-upstream"), response.headers.get("x-toolgate-upstream-attempts")]).toEqual([
    "1",
    "3",
  ]);
});
