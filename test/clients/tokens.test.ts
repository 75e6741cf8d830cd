/** What hiding saves: the tools that reached the upstream against those that the client sent, counted as a model would. */
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import OpenAI from "openai";
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { describe, expect, it } from "vitest";
import { toolFacts } from "../../src/turn/open/tool-facts.ts";
import { trusting } from "./support/policies.ts";
import { scriptedGateway } from "./support/scripted-gateway.ts";
import { callsTools, says } from "./support/upstream.ts";

const fixture = new URL("../fixtures/coding-agent-tools.json", import.meta.url);
const codingTools = JSON.parse(readFileSync(fixture, "utf8")) as ChatCompletionFunctionTool[];

const scripted = scriptedGateway();

const functionTool = (name: string, description: string, parameters: Record<string, unknown>) => ({
  type: "function" as const,
  function: { name, description, parameters },
});

const subjects = ["invoice", "customer", "shipment", "contract", "ticket", "meeting", "supplier", "warehouse"] as const;
const verbs = ["find", "create", "update", "archive"] as const;

/** Little schema, a page of prose: as tools of assistants are written whose authors want them used with care. */
const wordyTools = subjects.flatMap((subject) =>
  verbs
    .slice(0, 2)
    .map((verb) =>
      functionTool(
        `${verb}_${subject}`,
        [
          `Use this tool to ${verb} a single ${subject} on behalf of the person you are talking with.`,
          `Before calling it, make sure you understand which ${subject} is meant; if there is any doubt, ask a question first.`,
          `The tool does not guess: when the reference is ambiguous it answers with a list of candidates, and you should`,
          `present those to the user rather than choosing one yourself. Don't call it more than once per message, and never`,
          `call it merely to check whether you have permission; permissions are evaluated separately and failures are logged.`,
          `Results are returned as Markdown, newest first, and may be truncated; say so when you summarise them.`,
        ].join(" "),
        { type: "object", properties: { reference: { type: "string" } }, required: ["reference"] },
      ),
    ),
);

/** Hardly a sentence, but deep schemas: as generated from an API's description. */
const schemaTools = subjects.flatMap((subject) =>
  verbs.map((verb) =>
    functionTool(`${verb}${subject[0]?.toUpperCase()}${subject.slice(1)}`, `${verb} ${subject}`, schemaOf(subject)),
  ),
);

function schemaOf(subject: string): Record<string, unknown> {
  const text = { type: "string", maxLength: 255 };
  const address = {
    type: "object",
    properties: {
      street_line_1: text,
      street_line_2: text,
      postalCode: { type: "string", pattern: "^[0-9A-Z -]{3,10}$" },
      countryCode: { type: "string", minLength: 2, maxLength: 2 },
    },
    required: ["street_line_1", "postalCode", "countryCode"],
    additionalProperties: false,
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      [`${subject}Id`]: { type: "string", format: "uuid" },
      status: { type: "string", enum: ["DRAFT", "IN_REVIEW", "APPROVED", "REJECTED", "ARCHIVED"] },
      billingAddress: address,
      lineItems: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: {
          type: "object",
          properties: {
            sku: text,
            quantity: { type: "integer", minimum: 1, maximum: 9999 },
            unitPriceCents: { type: "integer", minimum: 0 },
          },
          required: ["sku", "quantity"],
        },
      },
      metadata: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      },
      createdAfter: { type: ["string", "null"], format: "date-time", default: null },
    },
    required: [`${subject}Id`, "status"],
    additionalProperties: false,
  };
}

const safe = (tools: readonly ChatCompletionFunctionTool[]) => ({
  tools: Object.fromEntries(
    tools
      .filter((tool) => tool.function.name.startsWith("find"))
      .map((tool) => [tool.function.name, { category: "read_only" }]),
  ),
});

interface ToolSet {
  readonly name: string;
  readonly tools: ChatCompletionFunctionTool[];
  readonly policy: unknown;
  /** A safe tool of the set, and an intent. */
  readonly call: { readonly name: string; readonly arguments: unknown };
  readonly intent: string;
}

const sets: readonly ToolSet[] = [
  {
    name: "a coding agent's",
    tools: codingTools,
    policy: trusting("read_file"),
    call: { name: "read_file", arguments: { path: "a" } },
    intent: "CODE",
  },
  {
    name: "with long descriptions",
    tools: wordyTools,
    policy: safe(wordyTools),
    call: { name: "find_invoice", arguments: { reference: "7" } },
    intent: "general",
  },
  {
    name: "with big schemas",
    tools: schemaTools,
    policy: safe(schemaTools),
    call: { name: "findInvoice", arguments: { invoiceId: "0198f7a4-6c1e-7d2a-9f5b-3c8e21d4a7b6", status: "DRAFT" } },
    intent: "general",
  },
];

const tokensOf = (tools: unknown): number => (tools === undefined ? 0 : countTokens(JSON.stringify(tools)));

describe.each(sets)("a tool set $name", ({ tools, policy, call, intent }) => {
  interface TurnCount {
    /** Of each of the turn's requests to the model. */
    readonly sent: readonly number[];
    readonly estimate: number;
    readonly message: OpenAI.ChatCompletionMessage;
  }

  const all = tokensOf(tools);

  async function countTurn(client: OpenAI, messages: ChatCompletionMessageParam[]): Promise<TurnCount> {
    const before = scripted.upstream.requests.length;
    const completion = await client.chat.completions.create({ model: "gpt", messages, tools });
    const { tokens_saved } = (completion as unknown as { toolgate: { tokens_saved: number } }).toolgate;
    const sent = scripted.upstream.requests.slice(before).map(({ body }) => tokensOf(body.tools));
    const message = completion.choices[0]?.message;
    if (!message) throw new Error("no message");
    return { sent, estimate: tokens_saved, message };
  }

  it("is smaller in every request before an intent stands, and the estimate is within 12 % of it", async () => {
    const client = new OpenAI({
      baseURL: scripted.gateway.baseURL,
      apiKey: await scripted.gateway.key({ policy }),
      maxRetries: 0,
    });
    scripted.upstream.script(
      callsTools(call),
      callsTools(call),
      callsTools({ name: "select_intent", arguments: { intent } }),
      says("There is nothing to do."),
      says("Still nothing."),
    );
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "good morning" }];
    const turns: TurnCount[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const counted = await countTurn(client, messages);
      turns.push(counted);
      messages.push(counted.message);
      const results = (counted.message.tool_calls ?? []).map(({ id }) => ({
        role: "tool" as const,
        tool_call_id: id,
        content: "ok",
      }));
      messages.push(...(results.length > 0 ? results : [{ role: "user" as const, content: "thank you" }]));
    }

    expect(turns.map(({ sent }) => sent.length)).toEqual([1, 1, 2, 1]);
    const [first, second, third, fourth] = turns.map(({ sent }) => sent);
    // Without an intent at least a third of the tools' tokens stays out, and the prefix is the same turn by turn.
    for (const sent of [first?.[0], second?.[0], third?.[0], fourth?.[0]]) expect(sent).toBeLessThan((all * 2) / 3);
    expect([second?.[0], third?.[0], fourth?.[0]]).toEqual([first?.[0], first?.[0], first?.[0]]);
    // With one, all are there, and the handshake.
    expect(third?.[1]).toBeGreaterThan(all);

    for (const { sent, estimate } of turns) {
      const saved = sent.reduce((sum, tokens) => sum + all - tokens, 0);
      expect(Math.abs(estimate - saved) / saved, `estimated ${estimate}, counted ${saved}`).toBeLessThan(0.12);
    }
  });

  it("is estimated tool by tool within 20 %, in all within 10 %", () => {
    const pairs = tools.map((tool) => {
      const { name, parameters } = tool.function;
      return { counted: tokensOf(tool), estimate: toolFacts({ name, parameters, wire: tool }).tokens };
    });
    for (const { counted, estimate } of pairs) expect(Math.abs(estimate / counted - 1)).toBeLessThan(0.2);
    const sum = (of: "counted" | "estimate") => pairs.reduce((total, pair) => total + pair[of], 0);
    expect(Math.abs(sum("estimate") / sum("counted") - 1)).toBeLessThan(0.1);
  });
});
