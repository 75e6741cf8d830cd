/**
 * The situations in which every surface is held to decide the same (`test/worker/surfaces`), in whole loops of the three frameworks, each
 * with its own model of OpenAI's: the same tools run, the same records are kept. What the AI SDK does in the Worker is compared with chat
 * completions there.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage } from "@langchain/core/messages";
import { tool as chainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, tool as agentTool, OpenAIChatCompletionsModel, run, setTracingDisabled } from "@openai/agents";
import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool } from "ai";
import { createAgent } from "langchain";
import OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
import { createToolgate as forAiSdk } from "../../src/packages/ai-sdk/index.ts";
import { createToolgate as forLangChain } from "../../src/packages/langchain/index.ts";
import { createToolgate as forAgents } from "../../src/packages/openai-agents/index.ts";
import { memoryStores } from "../../src/packages/stores/late-stores.ts";
import type { StoredRecord } from "../../src/ports/audit-record.ts";
import type { Upstream } from "../worker/support/gateway.ts";
import { says } from "../worker/support/script.ts";
import { off, page, type Situation, situations } from "../worker/surfaces/situations.ts";

beforeAll(() => setTracingDisabled(true));

/** What a tool of the program brings: the model says then that it is done. */
const BROUGHT = "what the program's tool brought";

interface Loop {
  readonly options: Parameters<typeof forAiSdk>[0];
  readonly fetch: typeof fetch;
  readonly text: string;
  readonly tools: readonly string[];
  /** Called with the name of each tool that runs. */
  readonly ran: (name: string) => string;
}

interface LoopEnd {
  readonly audit: () => Promise<readonly StoredRecord[]>;
  /** Throws what the framework throws. */
  readonly run: () => Promise<unknown>;
}

const schema = { type: "object", properties: {} } as const;
const baseURL = "https://upstream.test/v1";

type Framework = (loop: Loop) => LoopEnd;

const aiSdk =
  (stream: boolean): Framework =>
  ({ options, fetch, text, tools, ran }) => {
    const toolgate = forAiSdk(options);
    const provider = createOpenAICompatible({ name: "upstream", baseURL, fetch });
    const set: ToolSet = Object.fromEntries(
      tools.map((name) => [
        name,
        tool({ description: `Does ${name}`, inputSchema: jsonSchema(schema), execute: async () => ran(name) }),
      ]),
    );
    const settings = {
      model: toolgate.model(provider("test-model")),
      tools: toolgate.tools(set),
      stopWhen: isStepCount(8),
      maxRetries: 0,
      prompt: text,
    };
    const streamed = async () => {
      const failures: unknown[] = [];
      const result = streamText({ ...settings, onError: ({ error }) => void failures.push(error) });
      await result.consumeStream();
      if (failures.length > 0) throw failures[0];
    };
    return { audit: toolgate.audit, run: () => (stream ? streamed() : generateText(settings)) };
  };

const langChain: Framework = ({ options, fetch, text, tools, ran }) => {
  const toolgate = forLangChain(options);
  const model = new ChatOpenAI({
    model: "test-model",
    apiKey: "sk",
    maxRetries: 0,
    configuration: { baseURL, fetch },
  });
  const listed = tools.map((name) => chainTool(async () => ran(name), { name, description: `Does ${name}`, schema }));
  const agent = createAgent({ model, tools: listed, middleware: [toolgate.middleware] });
  return { audit: toolgate.audit, run: () => agent.invoke({ messages: [new HumanMessage(text)] }) };
};

const agentsSdk =
  (stream: boolean): Framework =>
  ({ options, fetch, text, tools, ran }) => {
    const toolgate = forAgents(options);
    const client = new OpenAI({ apiKey: "sk", baseURL, fetch, maxRetries: 0 });
    const model = toolgate.model(new OpenAIChatCompletionsModel(client as never, "test-model"));
    const listed = tools.map((name) =>
      agentTool({
        name,
        description: `Does ${name}`,
        parameters: { ...schema, required: [], additionalProperties: true },
        strict: false,
        execute: async () => ran(name),
      }),
    );
    const agent = new Agent({ name: "Desk", model, tools: toolgate.tools(listed) });
    const streamed = async () => (await run(agent, text, { stream: true })).completed;
    return { audit: toolgate.audit, run: () => (stream ? streamed() : run(agent, text)) };
  };

const frameworks: Record<string, Framework> = {
  "the AI SDK": aiSdk(false),
  "the AI SDK, streamed": aiSdk(true),
  LangChain: langChain,
  "the Agents SDK": agentsSdk(false),
  "the Agents SDK, streamed": agentsSdk(true),
};

const said = says({ text: "Done.", usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } });

/** Answers in turn, the last one again and again; after what the program's tools brought it says that it is done. */
function upstreamOf(answers: readonly Upstream[]): typeof fetch {
  let asked = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(baseURL)) return page();
    const body = (await request.clone().json()) as { readonly messages: readonly { readonly content: unknown }[] };
    if (JSON.stringify(body.messages.slice(-2)).includes(BROUGHT)) return said(body, request);
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return (answer ?? said)(body, request);
  };
}

async function play(framework: Framework, situation: Situation) {
  const { policy = off, text = "please do it" } = situation;
  const ran: string[] = [];
  const fetch = upstreamOf(situation.upstream);
  const loop = framework({
    options: {
      policy,
      principal: { user: "ada", role: "user" },
      stores: memoryStores(),
      settings: { TOOL_DNS: "off" },
      fetch,
    },
    fetch,
    text,
    tools: situation.tools ?? ["read_file", "edit_file", "wipe", "send_mail"],
    ran(name) {
      ran.push(name);
      return BROUGHT;
    },
  });
  const threw = await loop.run().then(
    () => false,
    () => true,
  );
  return { ran, threw, records: (await loop.audit()).flatMap(steady) };
}

/** What of a record is the same in every framework. */
function steady(record: StoredRecord): readonly Record<string, unknown>[] {
  const of = (...members: readonly string[]) => [
    Object.fromEntries(
      ["kind", ...members].map((name) => [name, (record as unknown as Record<string, unknown>)[name]]),
    ),
  ];
  switch (record.kind) {
    case "decision":
      return of("tool", "effect", "reasons", "callId", "disposition", "origins");
    case "approval":
      return of("event", "tool", "channel", "via", "asks");
    case "run":
      return of("tool", "status");
    case "turn": {
      const [turn] = of("stopReason", "stateOpened", "stateClosed", "intents", "steps", "offered", "withheld");
      // Some frameworks count nothing as none.
      const { total_tokens: tokens = 0 } = (record.usage ?? {}) as { readonly total_tokens?: number };
      return [
        {
          ...turn,
          tokens,
          settled: (record.settled as readonly { readonly outcome: string }[]).map(({ outcome }) => outcome),
        },
      ];
    }
    default:
      return [];
  }
}

// A framework demands a tool in a way of its own.
const table = Object.entries(situations).filter(([, { force }]) => force === undefined);

/** LangChain hands over the values of the arguments, which its tools get: no second reader reads their text. */
const skips = (framework: string, situation: string): boolean =>
  framework === "LangChain" && situation === "broken arguments";

describe.each(table)("%s", (name, situation) => {
  it("is decided and kept in every framework alike", async () => {
    const [first, ...others] = await Promise.all(
      Object.entries(frameworks).map(async ([on, framework]) => ({ on, ...(await play(framework, situation)) })),
    );
    expect([first?.ran, first?.threw]).toEqual([situation.released, situation.end !== "clean"]);
    for (const other of others) if (!skips(other.on, name)) expect(other).toEqual({ ...first, on: other.on });
  });
});
