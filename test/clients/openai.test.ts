/** The official OpenAI client, with nothing changed but its base URL. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import OpenAI, {
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from "openai";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { usage } from "../../src/cli/write-answer.ts";
import { modelSelects } from "./support/policies.ts";
import type { ScriptedUpstream } from "./support/upstream.ts";
import {
  answersJson,
  begins,
  callsTools,
  failsWith,
  neverEnds,
  says,
  startUpstream,
  toolNames,
} from "./support/upstream.ts";
import { type Gateway, startGateway } from "./support/worker.ts";

const fixture = new URL("../fixtures/coding-agent-tools.json", import.meta.url);
const tools = JSON.parse(readFileSync(fixture, "utf8")) as ChatCompletionTool[];
const edit = { path: "src/a.ts", edits: [{ old_text: "one", new_text: "two" }] };

let upstream: ScriptedUpstream;
let gateway: Gateway;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({ upstream: upstream.url });
});

afterAll(async () => {
  await gateway?.stop();
  await upstream?.stop();
});

/** Not retried: a retry would hide what the first answer was. */
async function newClient(policy?: unknown): Promise<OpenAI> {
  return new OpenAI({ baseURL: gateway.baseURL, apiKey: await gateway.key({ policy }), maxRetries: 0 });
}

const asks = (content: string): ChatCompletionMessageParam[] => [{ role: "user", content }];

describe("answers", () => {
  it("come as one JSON body", async () => {
    const client = await newClient();
    upstream.script(says("Hello there"));
    const completion = await client.chat.completions.create({ model: "gpt", messages: asks("hi") });
    expect(completion.choices[0]).toMatchObject({ message: { content: "Hello there" }, finish_reason: "stop" });
    expect(completion.usage).toEqual(usage);
    expect(completion).toMatchObject({ toolgate: { stop_reason: "completed", decisions: [] } });
  });

  it("come as a stream", async () => {
    const client = await newClient();
    upstream.script(says("Hello there my friend"));
    const stream = await client.chat.completions.create({
      model: "gpt",
      messages: asks("hi"),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean)).toEqual([
      "Hello ",
      "there ",
      "my ",
      "friend",
    ]);
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    expect(chunks.at(-1)?.usage).toEqual(usage);
  });

  it("come through the streaming helper with its events", async () => {
    const client = await newClient();
    upstream.script(says("one two"), callsTools({ name: "read_file", arguments: { path: "a.ts" } }));
    const seen: string[] = [];
    const stream = client.chat.completions.stream({ model: "gpt", messages: asks("count") });
    stream.on("content", (delta) => seen.push(delta));
    expect(await stream.finalContent()).toBe("one two");
    expect(seen).toEqual(["one ", "two"]);

    const called: unknown[] = [];
    const calling = client.chat.completions.stream({ model: "gpt", messages: asks("read a.ts"), tools });
    calling.on("tool_calls.function.arguments.done", (call) => called.push([call.name, call.arguments]));
    const completion = await calling.finalChatCompletion();
    expect(called).toEqual([["read_file", '{"path":"a.ts"}']]);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });
});

interface Turn {
  readonly message: OpenAI.ChatCompletionMessage;
  readonly finish: string;
}

async function streamedTurn(client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Turn> {
  const [choice] = (await client.chat.completions.stream({ model: "gpt", messages, tools }).finalChatCompletion())
    .choices;
  if (!choice) throw new Error("no choice");
  return { message: choice.message, finish: choice.finish_reason };
}

async function wholeTurn(client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Turn> {
  const [choice] = (await client.chat.completions.create({ model: "gpt", messages, tools })).choices;
  if (!choice) throw new Error("no choice");
  return { message: choice.message, finish: choice.finish_reason };
}

const namesOf = ({ message }: Turn): string[] =>
  (message.tool_calls ?? []).map((call) => (call.type === "function" ? call.function.name : call.type));

/** The turn's message and a result for each of its calls. */
const withResults = (messages: ChatCompletionMessageParam[], turn: Turn): ChatCompletionMessageParam[] => [
  ...messages,
  turn.message,
  ...(turn.message.tool_calls ?? []).map(({ id }) => ({
    role: "tool" as const,
    tool_call_id: id,
    content: `done ${id}`,
  })),
];

describe.each([
  ["streamed", streamedTurn],
  ["in one body", wholeTurn],
])("a loop of tools, %s", (_, turn) => {
  it("hides the handshake, releases safe tools before it and destructive ones after", async () => {
    const client = await newClient(modelSelects);
    upstream.script(
      callsTools({ name: "read_file", arguments: { path: "src/a.ts" } }),
      callsTools({ name: "select_intent", arguments: { intent: "CODE" } }),
      callsTools(
        { name: "edit_file", arguments: edit },
        { name: "create_note", arguments: { title: "edited", content: "one is two" } },
      ),
      says("All is done."),
    );
    const first = await turn(client, asks("replace one by two in the file src/a.ts"));
    expect(namesOf(first)).toEqual(["read_file"]);
    const afterRead = withResults(asks("replace one by two in the file src/a.ts"), first);
    const second = await turn(client, afterRead);
    expect(namesOf(second)).toEqual(["edit_file", "create_note"]);
    expect(second.finish).toBe("tool_calls");
    const afterEdit = withResults(afterRead, second);
    const third = await turn(client, afterEdit);
    expect(third.message.content).toBe("All is done.");
    expect(namesOf(third)).toEqual([]);

    const [before, selecting, acting, last] = upstream.requests;
    if (!before || !selecting || !acting || !last) throw new Error("four requests were to come");
    expect(toolNames(before)).toContain("select_intent");
    expect(toolNames(before)).not.toContain("edit_file");
    expect(toolNames(selecting)).toEqual(toolNames(before));
    expect(toolNames(acting)).toEqual([...tools.map(nameOf), "select_intent"]);
    // What the client never saw is there again where the model had it.
    expect(last.body.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool"],
      ...["assistant", "tool"],
      ...["assistant", "tool", "tool"],
    ]);
    const hidden = last.body.messages[3]?.tool_calls?.map((call) => call.function.name);
    expect(hidden).toEqual(["select_intent"]);
    expect(afterEdit).toHaveLength(6);
  });

  it("releases destructive tools at once where the user's words name the intent", async () => {
    const client = await newClient();
    upstream.script(callsTools({ name: "edit_file", arguments: edit }), says("All is done."));
    const asked = asks("replace one by two in the file src/a.ts");
    const first = await turn(client, asked);
    expect(namesOf(first)).toEqual(["edit_file"]);
    const second = await turn(client, withResults(asked, first));
    expect(second.message.content).toBe("All is done.");
    const everything = [...tools.map(nameOf), "select_intent"];
    expect(upstream.requests.map(toolNames)).toEqual([everything, everything]);
  });

  it("refuses a destructive tool before an intent, and tells the model alone", async () => {
    const client = await newClient();
    upstream.script(callsTools({ name: "edit_file", arguments: edit }), says("I may not."));
    const reply = await turn(client, asks("replace one by two"));
    expect(namesOf(reply)).toEqual([]);
    expect(reply.message.content).toBe("I may not.");
    expect(upstream.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: "tool",
      content:
        "tool_policy_blocked: `edit_file` is not available: use the tools that were given; where one of them selects what the user wants, it may make others available",
    });
  });

  it("decides a parallel batch call by call", async () => {
    const client = await newClient();
    upstream.script(
      callsTools(
        { name: "read_file", arguments: { path: "a.ts" } },
        { name: "delete_file", arguments: { path: "a.ts" } },
        { name: "grep", arguments: { pattern: "one" } },
      ),
    );
    const reply = await turn(client, asks("look at a.ts"));
    expect(namesOf(reply)).toEqual(["read_file", "grep"]);
  });
});

const nameOf = (tool: ChatCompletionTool): string => (tool.type === "function" ? tool.function.name : "");

function runnable(name: string, run: (args: object) => unknown) {
  const tool = tools.find((one) => nameOf(one) === name);
  if (tool?.type !== "function") throw new Error(`no tool \`${name}\``);
  const { description = name, parameters = {} } = tool.function;
  return {
    type: "function" as const,
    function: {
      name,
      description,
      parameters,
      parse: (text: string) => JSON.parse(text) as object,
      function: run,
    },
  };
}

describe("runTools", () => {
  it.each([false, true])("runs several tools to the final answer (stream: %s)", async (stream) => {
    const client = await newClient(modelSelects);
    upstream.script(
      callsTools({ name: "read_file", arguments: { path: "a.ts" } }, { name: "grep", arguments: { pattern: "one" } }),
      callsTools({ name: "select_intent", arguments: { intent: "CODE" } }),
      callsTools({ name: "edit_file", arguments: edit }),
      says("edited"),
    );
    const ran: [string, object][] = [];
    const runTool = (name: string) =>
      runnable(name, (args) => {
        ran.push([name, args]);
        return `result of ${name}`;
      });
    const body = {
      model: "gpt",
      messages: asks("edit the file a.ts"),
      tools: ["read_file", "grep", "edit_file"].map(runTool),
    };
    const runner = stream
      ? client.chat.completions.runTools({ ...body, stream: true })
      : client.chat.completions.runTools(body);
    expect(await runner.finalContent()).toBe("edited");
    expect(ran).toEqual([
      ["read_file", { path: "a.ts" }],
      ["grep", { pattern: "one" }],
      ["edit_file", edit],
    ]);
    const results = upstream.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool");
    expect(results?.map(({ content }) => content)).toEqual([
      "result of read_file",
      "result of grep",
      expect.stringContaining("selected"),
      "result of edit_file",
    ]);
  });
});

describe("aborting", () => {
  it("a stream closes the connection to the upstream", async () => {
    const client = await newClient();
    upstream.script(neverEnds);
    const stream = await client.chat.completions.create({ model: "gpt", messages: asks("count"), stream: true });
    for await (const chunk of stream) {
      expect(chunk.choices[0]?.delta.content).toBe("more ");
      stream.controller.abort();
    }
    expect(await (await upstream.arrival()).gone).toBe(true);
  });

  it("a request that is still without an answer throws at once", async () => {
    const client = await newClient();
    upstream.script(() => {});
    const controller = new AbortController();
    const reply = client.chat.completions.create({ model: "gpt", messages: asks("hi") }, { signal: controller.signal });
    const refused = expect(reply).rejects.toBeInstanceOf(APIUserAbortError);
    await upstream.arrival();
    controller.abort();
    await refused;
  });

  it("a connection that is reset while the upstream thinks closes that to the upstream", async () => {
    const key = await gateway.key();
    upstream.script(() => {});
    const { hostname, port, pathname, host } = new URL(`${gateway.baseURL}/chat/completions`);
    const body = JSON.stringify({ model: "gpt", messages: asks("hi") });
    const socket = connect(Number(port), hostname);
    const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${key}`];
    socket.write([...head, `content-length: ${Buffer.byteLength(body)}`, "", body].join("\r\n"));
    const { gone } = await upstream.arrival();
    socket.resetAndDestroy();
    expect(await gone).toBe(true);
  });
});

/** What the request throws; a failure of the test if it does not. */
const failure = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => {
      throw new Error("the request succeeded");
    },
    (error: unknown) => error,
  );

describe("errors", () => {
  const hi = { model: "gpt", messages: asks("hi") };

  it("401 is an AuthenticationError, and reaches no upstream", async () => {
    upstream.script();
    const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: "sk-wrong", maxRetries: 0 });
    const error = await failure(client.chat.completions.create(hi));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
    expect(upstream.requests).toEqual([]);
  });

  it("400 is a BadRequestError that names the parameter", async () => {
    const client = await newClient();
    upstream.script();
    const error = await failure(client.chat.completions.create({ ...hi, n: 2, tools }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, param: "n", code: "unsupported_parameter" });
    const choice = { type: "function" as const, function: { name: "delete_file" } };
    const policy = { modes: { default: { allow: ["*"], deny: ["delete_file"] } } };
    const withheld = await failure(
      (await newClient(policy)).chat.completions.create({ ...hi, tools, tool_choice: choice }),
    );
    expect(withheld).toBeInstanceOf(BadRequestError);
    expect(withheld).toMatchObject({ param: "tool_choice", code: "tool_policy_blocked" });
    expect(upstream.requests).toEqual([]);
  });

  it.each([false, true])("429 of the upstream is passed on with its retry-after (stream: %s)", async (stream) => {
    const client = await newClient();
    upstream.script(failsWith(429, { message: "slow down", code: "rate_limit_exceeded" }, { "retry-after": "17" }));
    const error = await failure(client.chat.completions.create({ ...hi, stream }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: "rate_limit_exceeded", message: "429 slow down" });
    expect(error instanceof APIError && error.headers?.get("retry-after")).toBe("17");
  });

  it.each([
    [500, false],
    [503, true],
  ])("%i of the upstream keeps its status (stream: %s)", async (status, stream) => {
    const client = await newClient();
    upstream.script(failsWith(status, { message: "the provider is broken" }));
    const error = await failure(client.chat.completions.create({ ...hi, stream }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status, message: `${status} the provider is broken` });
  });

  it("an upstream that dies between words makes the client throw after them", async () => {
    const client = await newClient();
    upstream.script(begins([{ role: "assistant", content: "one " }], (response) => response.destroy()));
    const stream = await client.chat.completions.create({ ...hi, stream: true });
    const seen: (string | null | undefined)[] = [];
    const error = await failure(
      (async () => {
        for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content, chunk.choices[0]?.finish_reason);
      })(),
    );
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: "upstream_stream_disorderly" });
    expect(seen).toEqual(["one ", null]);
  });

  it("an upstream that dies within a call releases nothing of it", async () => {
    const client = await newClient();
    const opening = {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "read_file", arguments: '{"path":' },
    };
    upstream.script(begins([{ role: "assistant", tool_calls: [opening] }], (response) => response.destroy()));
    const stream = client.chat.completions.stream({ ...hi, tools });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    stream.on("chunk", (chunk) => chunks.push(chunk));
    expect(await failure(stream.finalChatCompletion())).toBeInstanceOf(APIError);
    expect(chunks.filter((chunk) => chunk.choices[0]?.delta.tool_calls)).toEqual([]);
  });

  it("an upstream that dies in a JSON body is no answer", async () => {
    const client = await newClient();
    upstream.script((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"choices":[', () => response.destroy());
    });
    const error = await failure(client.chat.completions.create(hi));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 502 });
  });
});

describe("what is passed through", () => {
  it("models.list", async () => {
    const client = await newClient();
    const models = ["gpt", "gpt-small"].map((id) => ({ id, object: "model", created: 1, owned_by: "test" }));
    upstream.script(answersJson({ object: "list", data: models }));
    expect((await Array.fromAsync(client.models.list())).map(({ id }) => id)).toEqual(["gpt", "gpt-small"]);
    expect(upstream.requests[0]).toMatchObject({
      path: "/v1/models",
      headers: { authorization: "Bearer sk-upstream" },
    });
  });

  it("embeddings", async () => {
    const client = await newClient();
    const vector = Buffer.from(new Float32Array([0.5, -0.25]).buffer).toString("base64");
    upstream.script(
      answersJson({
        object: "list",
        model: "embed",
        data: [{ object: "embedding", index: 0, embedding: vector }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
    const { data } = await client.embeddings.create({ model: "embed", input: "hello" });
    expect(data[0]?.embedding).toEqual([0.5, -0.25]);
    expect(upstream.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      body: { model: "embed", input: "hello", encoding_format: "base64" },
    });
  });
});
