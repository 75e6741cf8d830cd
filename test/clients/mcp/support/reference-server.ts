/**
 * The server that MCP's conformance suite describes, scenario by scenario: its tools, resources and prompts, over Streamable HTTP in the
 * protocol of 2025. The gateway relays it, and the suite asks the gateway.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Server, type ServerContext, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

export interface ReferenceServer {
  readonly url: string;
  /** Names of its tools. */
  readonly tools: readonly string[];
  stop(): Promise<void>;
}

type Arguments = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, unknown>>;

interface Tool {
  readonly inputSchema: object;
  readonly run: (args: Arguments, ctx: ServerContext) => Content[] | Promise<Content[]>;
}

const text = (said: string): Content => ({ type: "text", text: said });
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAD//w==";
const image: Content = { type: "image", data: PNG, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, said: string): Content => ({
  type: "resource",
  resource: { uri, mimeType, text: said },
});

const NOTHING = { type: "object", properties: {} };
const texts = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: [...names],
});

const tool = (run: Tool["run"], inputSchema: object = NOTHING): Tool => ({ inputSchema, run });

const asksForm = (message: string, properties: object, required: readonly string[] = []): Tool["run"] => {
  const requestedSchema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  return async (_, { mcpReq }) => {
    const { action, content } = await mcpReq.elicitInput({ message, requestedSchema } as never);
    return [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)];
  };
};

const titled = (list: readonly string[], name: string) =>
  list.map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${name}` }));
const options = ["option1", "option2", "option3"];

const tools: Readonly<Record<string, Tool>> = {
  test_simple_text: tool(() => [text("This is a simple text response for testing.")]),
  test_image_content: tool(() => [image]),
  test_audio_content: tool(() => [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
  test_embedded_resource: tool(() => [
    resource("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]),
  test_multiple_content_types: tool(() => [
    text("Multiple content types test:"),
    image,
    resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]),
  test_tool_with_logging: tool(async (_, { mcpReq }) => {
    await mcpReq.log("info", "Tool execution started");
    await pause(50);
    await mcpReq.log("info", "Tool processing data");
    await pause(50);
    await mcpReq.log("info", "Tool execution completed");
    return [text("It has logged.")];
  }),
  test_tool_with_progress: tool(async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
      await pause(50);
    }
    return [text("It has told its progress.")];
  }),
  test_error_handling: tool(() => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  test_sampling: tool(async ({ prompt }, { mcpReq }) => {
    const message = { role: "user", content: { type: "text", text: String(prompt) } };
    const said = await mcpReq.requestSampling({ messages: [message], maxTokens: 100 } as never);
    return [text(`LLM response: ${(said.content as { readonly text?: string }).text ?? ""}`)];
  }, texts("prompt")),
  test_elicitation: tool(async ({ message }, { mcpReq }) => {
    const requestedSchema = texts("username", "email");
    const { action, content } = await mcpReq.elicitInput({ message: String(message), requestedSchema } as never);
    return [text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)];
  }, texts("message")),
  test_elicitation_sep1034_defaults: tool(
    asksForm("Is all of this right?", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  ),
  test_elicitation_sep1330_enums: tool(
    asksForm("Which of these?", {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled(["First", "Second", "Third"], "Option") },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled(["First", "Second", "Third"], "Choice") } },
    }),
  ),
  json_schema_2020_12_tool: tool(() => [text("It has a schema.")], {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  }),
};

const prompts: Readonly<
  Record<string, { readonly arguments: readonly string[]; readonly get: (values: Arguments) => Content[] }>
> = {
  test_simple_prompt: { arguments: [], get: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    get: ({ resourceUri }) => [
      resource(String(resourceUri), "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { arguments: [], get: () => [image, text("Please analyze the image above.")] },
};

const resources: Readonly<Record<string, Content>> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "It may change." },
};

function contentAt(uri: string): Content {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const said = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: "application/json", text: said };
  }
  const found = resources[uri];
  if (!found) throw new Error(`there is no resource ${uri}`);
  return { uri, ...found };
}

function makeServer(): Server {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: "reference", version: "1" }, { capabilities });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { inputSchema }]) => ({
      name,
      description: `Scenario ${name}`,
      inputSchema: inputSchema as never,
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    try {
      const called = tools[params.name];
      if (!called) throw new Error(`there is no tool ${params.name}`);
      return { content: (await called.run(params.arguments ?? {}, ctx)) as never };
    } catch (error) {
      return { content: [{ type: "text", text: (error as Error).message }], isError: true };
    }
  });
  server.setRequestHandler("resources/list", () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: `Scenario ${uri}`,
      mimeType: String(mimeType),
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "data", description: "Scenario of data" }],
  }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [contentAt(params.uri) as never] }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: names }]) => ({
      name,
      description: `Scenario ${name}`,
      arguments: names.map((one) => ({ name: one, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: (prompts[params.name]?.get(params.arguments ?? {}) ?? []).map((content) => ({
      role: "user" as const,
      content: content as never,
    })),
  }));
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["paris", "park", "party"] } }));
  return server;
}

export async function startReferenceServer(): Promise<ReferenceServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  async function transportFor(request: Request): Promise<WebStandardStreamableHTTPServerTransport> {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known) return known;
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await makeServer().connect(transport);
    return transport;
  }
  const http = createServer(async (incoming, outgoing) => {
    const request = requestOf(incoming);
    const response = await (await transportFor(request)).handleRequest(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    const body = response.body && Readable.fromWeb(response.body as never);
    outgoing.once("close", () => body?.destroy());
    if (body) body.on("error", () => outgoing.destroy()).pipe(outgoing);
    else outgoing.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools: Object.keys(tools),
    async stop() {
      for (const transport of sessions.values()) await transport.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function requestOf(incoming: IncomingMessage): Request {
  const hasBody = incoming.method === "POST";
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming) as never, duplex: "half" as const } : {}),
  } as RequestInit);
}
