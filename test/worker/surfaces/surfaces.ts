/** One request, asked on each surface that clients of chats speak, and what each client makes of the reply. */

import { env } from "cloudflare:test";
import type { LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { compatibleModel } from "../../../src/model/sdk/compatible-sdk.ts";
import { createToolgate } from "../../../src/packages/ai-sdk/index.ts";
import { workerStores } from "../../../src/packages/hono/index.ts";
import { functionTool, readResponded } from "../responses/respond.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { readAnswer } from "../support/script.ts";
import { eventsOf, postUi, type UiEvent, uiMessage } from "../ui/ui-chat.ts";

export interface Asking {
  readonly text: string;
  /** Names of the client's tools. */
  readonly tools: readonly string[];
  readonly headers?: Record<string, string>;
}

export interface Told {
  /** Calls that the client may run. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly words: string;
  /** `refused`: with a status of its own; `error`: a stream that no client takes for whole. */
  readonly end: "clean" | "error" | "refused";
}

export interface SurfaceClient {
  readonly name: string;
  ask(gate: Gateway, asking: Asking): Promise<Told>;
}

const parsed = (args: unknown): unknown => (typeof args === "string" ? JSON.parse(args) : args);

const chat = (stream: boolean): SurfaceClient => ({
  name: `chat completions, ${stream ? "stream" : "JSON"}`,
  async ask(gate, { text, tools, headers }) {
    const body = { messages: [{ role: "user", content: text }], tools: tools.map((name) => tool(name)), stream };
    const answer = await readAnswer(await gate.chat(body, headers));
    return {
      calls: answer.calls.map(({ id, name, arguments: args }) => ({ id, name, args: parsed(args) })),
      words: answer.text,
      end: answer.status !== 200 ? "refused" : answer.error ? "error" : "clean",
    };
  },
});

const responses = (stream: boolean): SurfaceClient => ({
  name: `responses, ${stream ? "stream" : "JSON"}`,
  async ask(gate, { text, tools, headers = {} }) {
    const json = { model: "test-model", input: text, tools: tools.map((name) => functionTool(name)), stream };
    const got = await readResponded(await gate.fetch("/v1/responses", { json, headers }));
    if (got.http !== 200) return { calls: [], words: "", end: "refused" };
    return {
      calls: got.calls.map((item) => ({
        id: String(item.call_id),
        name: String(item.name),
        args: parsed(item.arguments),
      })),
      words: got.text,
      end: got.response.status === "failed" ? "error" : "clean",
    };
  },
});

const ui: SurfaceClient = {
  name: "UI message stream",
  async ask(gate, { text, tools, headers }) {
    const listed = Object.fromEntries(tools.map((name) => [name, { inputSchema: { type: "object", properties: {} } }]));
    const response = await postUi(gate, { messages: [uiMessage("user", text)], tools: listed }, headers);
    if (response.status !== 200) return { calls: [], words: "", end: "refused" };
    const events = await eventsOf(response);
    const of = (type: string): UiEvent[] => events.filter((event) => event.type === type);
    return {
      calls: of("tool-input-available")
        .filter(({ providerExecuted }) => providerExecuted !== true)
        .map(({ toolCallId, toolName, input }) => ({ id: String(toolCallId), name: String(toolName), args: input })),
      words: of("text-delta")
        .map(({ delta }) => delta)
        .join(""),
      end: of("error").length > 0 ? "error" : "clean",
    };
  },
};

type Part = LanguageModelV4StreamPart | LanguageModelV4Content;

const callsIn = (parts: readonly Part[]): Told["calls"] =>
  parts.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, args: parsed(part.input) }] : [],
  );

/** The same stores and upstream, without the gateway's HTTP. */
const inProcess = (stream: boolean): SurfaceClient => ({
  name: `in process, ${stream ? "stream" : "whole"}`,
  async ask({ tenant, user, policy, asks }, { text, tools }) {
    const principal = { tenant, user, role: "user" };
    const settings = { TOOL_DNS: "off" };
    const stores = Promise.resolve(workerStores(env));
    const toolgate = createToolgate({ policy, principal, settings, stores, fetch: asks });
    const provider = { name: "upstream", baseURL: "https://upstream.test/v1", fetch: asks };
    const model = toolgate.model(compatibleModel(provider, "test-model"));
    const inputSchema = { type: "object" as const, properties: {} };
    const options: LanguageModelV4CallOptions = {
      prompt: [{ role: "user", content: [{ type: "text", text }] }],
      tools: tools.map((name) => ({ type: "function", name, description: `Does ${name}`, inputSchema })),
    };
    try {
      if (!stream) {
        const { content } = await model.doGenerate(options);
        const words = content.map((part) => (part.type === "text" ? part.text : "")).join("");
        return { calls: callsIn(content), words, end: "clean" };
      }
      const parts = await Array.fromAsync((await model.doStream(options)).stream);
      const words = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
      return { calls: callsIn(parts), words, end: parts.some(({ type }) => type === "error") ? "error" : "clean" };
    } catch {
      return { calls: [], words: "", end: "refused" };
    }
  },
});

/** The first is what the others are compared with. */
export const surfaces: readonly SurfaceClient[] = [
  chat(true),
  chat(false),
  responses(true),
  responses(false),
  ui,
  inProcess(true),
  inProcess(false),
];
