/** One conversation on each surface that clients of chats speak, and what each client makes of the replies. */

import { env } from "cloudflare:test";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { compatibleModel } from "../../../src/model/sdk/compatible-sdk.ts";
import { createToolgate } from "../../../src/packages/ai-sdk/index.ts";
import { workerStores } from "../../../src/packages/hono/index.ts";
import { functionTool, type Item, output, readResponded } from "../responses/respond.ts";
import { type Gateway, tool } from "../support/gateway.ts";
import { readAnswer } from "../support/script.ts";
import { eventsOf, postUi, type UiEvent } from "../ui/ui-chat.ts";

interface Client {
  /** Names of the client's tools. */
  readonly tools: readonly string[];
  readonly headers?: Record<string, string>;
  /** The tool that the application demands. */
  readonly force?: string;
}

export interface Asking extends Client {
  readonly text: string;
}

export interface Told {
  /** Calls that the client may run. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly words: string;
  /** `refused`: with a status of its own; `error`: a stream that no client takes for whole. */
  readonly end: "clean" | "error" | "refused";
}

export interface PersonsAnswer {
  readonly action: "approve" | "deny" | "edit";
  readonly arguments?: Record<string, unknown>;
}

export interface Conversation {
  say(text: string): Promise<Told>;
  /** Sends `ok` for each call of the last reply. */
  results(): Promise<Told>;
  /** Answers all that waits, as data. */
  answer(answer: PersonsAnswer): Promise<Told>;
}

export interface SurfaceClient {
  readonly name: string;
  /** Whether it takes answers as data, and can hold a reply open. */
  readonly isServed: boolean;
  readonly streams: boolean;
  open(gate: Gateway, client: Client): Conversation;
}

export const ask = (surface: SurfaceClient, gate: Gateway, { text, ...client }: Asking): Promise<Told> =>
  surface.open(gate, client).say(text);

const parsed = (args: unknown): unknown => (typeof args === "string" ? JSON.parse(args) : args);
const REFUSED: Told = { calls: [], words: "", end: "refused" };

const chat = (stream: boolean): SurfaceClient => ({
  name: `chat completions, ${stream ? "stream" : "JSON"}`,
  isServed: true,
  streams: stream,
  open(gate, { tools, headers, force }) {
    const messages: Record<string, unknown>[] = [];
    let [last, waiting]: [Told, readonly string[]] = [REFUSED, []];
    const send = async (more: Record<string, unknown> = {}): Promise<Told> => {
      const choice = force === undefined ? {} : { tool_choice: { type: "function", function: { name: force } } };
      const body = { messages, tools: tools.map((name) => tool(name)), stream, ...choice, ...more };
      const answer = await readAnswer(await gate.chat(body, headers));
      if (answer.status !== 200) return REFUSED;
      messages.push(answer.message);
      waiting = idsOf(answer.note);
      last = {
        calls: answer.calls.map(({ id, name, arguments: args }) => ({ id, name, args: parsed(args) })),
        words: answer.text,
        end: answer.error ? "error" : "clean",
      };
      return last;
    };
    return {
      say(text) {
        messages.push({ role: "user", content: text });
        return send();
      },
      results() {
        for (const { id } of last.calls) messages.push({ role: "tool", tool_call_id: id, content: "ok" });
        return send();
      },
      answer: (answer) => send({ toolgate: { approvals: waiting.map((id) => ({ id, ...answer })) } }),
    };
  },
});

const idsOf = (note: unknown): readonly string[] =>
  ((note as { approvals?: readonly { id: string }[] } | undefined)?.approvals ?? []).map(({ id }) => id);

const responses = (stream: boolean): SurfaceClient => ({
  name: `responses, ${stream ? "stream" : "JSON"}`,
  isServed: true,
  streams: stream,
  open(gate, { tools, headers = {}, force }) {
    const items: Record<string, unknown>[] = [];
    let [last, waiting]: [Told, readonly Item[]] = [REFUSED, []];
    const send = async (more: Record<string, unknown> = {}): Promise<Told> => {
      const choice = force === undefined ? {} : { tool_choice: { type: "function", name: force } };
      const listed = tools.map((name) => functionTool(name));
      const json = { model: "test-model", input: items, tools: listed, stream, ...choice, ...more };
      const got = await readResponded(await gate.fetch("/v1/responses", { json, headers }));
      if (got.http !== 200) return REFUSED;
      items.push(...got.output);
      waiting = got.output.filter(({ type }) => type === "mcp_approval_request");
      const calls = got.calls.map((item) => ({
        id: String(item.call_id),
        name: String(item.name),
        args: parsed(item.arguments),
      }));
      last = { calls, words: got.text, end: got.response.status === "failed" ? "error" : "clean" };
      return last;
    };
    return {
      say(text) {
        items.push({ type: "message", role: "user", content: text });
        return send();
      },
      results() {
        items.push(...last.calls.map(({ id }) => output(id, "ok")));
        return send();
      },
      answer(answer) {
        if (answer.action === "edit")
          return send({ toolgate: { approvals: waiting.map(({ id }) => ({ id, ...answer })) } });
        const approve = answer.action === "approve";
        for (const { id } of waiting) items.push({ type: "mcp_approval_response", approval_request_id: id, approve });
        return send();
      },
    };
  },
});

type Part = Record<string, unknown> & { readonly type: string };

const ui: SurfaceClient = {
  name: "UI message stream",
  isServed: true,
  streams: true,
  open(gate, { tools, headers, force }) {
    const messages: UIMessage[] = [];
    const inputSchema = { type: "object", properties: {} };
    const listed = Object.fromEntries(tools.map((name) => [name, { description: `Does ${name}`, inputSchema }]));
    const choice = force === undefined ? {} : { tool_choice: { type: "function", function: { name: force } } };
    const send = async (more: Record<string, unknown> = {}): Promise<Told> => {
      const response = await postUi(gate, { messages, tools: listed, ...choice, ...more }, headers);
      if (response.status !== 200) return REFUSED;
      const events = await eventsOf(response);
      await keep(messages, events);
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
    };
    /** Changes the parts of calls in the last message, as the SDK does. */
    const change = (state: string, to: (part: Part) => Part) => {
      const last = messages.at(-1);
      if (last) last.parts = (last.parts as Part[]).map((part) => (part.state === state ? to(part) : part)) as never;
    };
    return {
      say(text) {
        messages.push({ id: `m${messages.length}`, role: "user", parts: [{ type: "text", text }] });
        return send();
      },
      results() {
        change("input-available", (part) => ({ ...part, state: "output-available", output: "ok" }));
        return send();
      },
      answer(answer) {
        const ids: string[] = [];
        change("approval-requested", (part) => {
          const { id } = part.approval as { id: string };
          ids.push(id);
          return { ...part, state: "approval-responded", approval: { id, approved: answer.action !== "deny" } };
        });
        return send(answer.action === "edit" ? { toolgate: { approvals: ids.map((id) => ({ id, ...answer })) } } : {});
      },
    };
  },
};

/** What the SDK makes of a reply: the last assistant message goes on, or there is a new one. */
async function keep(messages: UIMessage[], events: readonly UiEvent[]): Promise<void> {
  const before = messages.at(-1);
  const chunks = events.filter(({ type }) => type !== "[DONE]") as unknown as UIMessageChunk[];
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const goesOn = before?.role === "assistant" ? { message: before } : {};
  let kept: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream, onError: () => undefined, ...goesOn })) kept = message;
  if (!kept) return;
  if (before?.role === "assistant") messages.pop();
  messages.push({ ...structuredClone(kept), id: `m${messages.length}` });
}

type SdkPart = LanguageModelV4StreamPart | LanguageModelV4Content;

const callsIn = (parts: readonly SdkPart[]): Told["calls"] =>
  parts.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, args: parsed(part.input) }] : [],
  );

/** The same stores and upstream, without the gateway's HTTP. */
const inProcess = (stream: boolean): SurfaceClient => ({
  name: `in process, ${stream ? "stream" : "whole"}`,
  isServed: false,
  streams: stream,
  open({ tenant, user, policy, asks }, { tools, force }) {
    const principal = { tenant, user, role: "user" };
    const settings = { TOOL_DNS: "off" };
    const stores = Promise.resolve(workerStores(env));
    const toolgate = createToolgate({ policy, principal, settings, stores, fetch: asks });
    const provider = { name: "upstream", baseURL: "https://upstream.test/v1", fetch: asks };
    const model = toolgate.model(compatibleModel(provider, "test-model"));
    const prompt: LanguageModelV4Prompt = [];
    let last = REFUSED;
    const send = async (): Promise<Told> => {
      try {
        last = await read();
      } catch {
        last = REFUSED;
      }
      const words = last.words === "" ? [] : [{ type: "text" as const, text: last.words }];
      const calls = last.calls.map(({ id, name, args }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input: args,
      }));
      if (last.end === "clean") prompt.push({ role: "assistant", content: [...words, ...calls] });
      return last;
    };
    const read = async (): Promise<Told> => {
      const inputSchema = { type: "object" as const, properties: {} };
      const options: LanguageModelV4CallOptions = {
        prompt,
        tools: tools.map((name) => ({ type: "function", name, description: `Does ${name}`, inputSchema })),
        ...(force === undefined ? {} : { toolChoice: { type: "tool" as const, toolName: force } }),
      };
      if (!stream) {
        const { content } = await model.doGenerate(options);
        const words = content.map((part) => (part.type === "text" ? part.text : "")).join("");
        return { calls: callsIn(content), words, end: "clean" };
      }
      const parts = await Array.fromAsync((await model.doStream(options)).stream);
      const words = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
      return { calls: callsIn(parts), words, end: parts.some(({ type }) => type === "error") ? "error" : "clean" };
    };
    return {
      say(text) {
        prompt.push({ role: "user", content: [{ type: "text", text }] });
        return send();
      },
      results() {
        const content = last.calls.map(({ id, name }) => ({
          type: "tool-result" as const,
          toolCallId: id,
          toolName: name,
          output: { type: "text" as const, value: "ok" },
        }));
        prompt.push({ role: "tool", content });
        return send();
      },
      answer: () => Promise.reject(new Error("a program answers by `toolApproval`")),
    };
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
