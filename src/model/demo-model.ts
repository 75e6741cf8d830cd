/**
 * `toolgate-demo`: a model by rules, so that the gateway can be tried with no provider and tested with no chance. It
 * reads the tools it is offered and the last user message, calls what fits with arguments found in the text, reports
 * the results, and says in every answer of its own that it is the demo model.
 *
 * As a test double it does what the message dictates, even with tools that were never offered and arguments that are
 * no JSON: `demo: call NAME {json}`, `demo: then call NAME {json}`, `demo: say TEXT` (see `demo/directives.ts`).
 *
 * The planning is pure (`demo/plan-demo-turn.ts`); here are only ids, usage and the stream.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Usage } from "@ai-sdk/provider";
import { estimateTokenCount } from "tokenx";
import { planDemoTurn } from "./demo/plan-demo-turn.ts";
import { type DemoReply, type IdentifiedCall, streamPlan } from "./demo/stream-plan.ts";
import type { DemoTool } from "./demo/tool-schema.ts";

export const DEMO_MODEL_ID = "toolgate-demo";

export const demoModel: LanguageModelV4 = {
  specificationVersion: "v4",
  provider: "toolgate",
  modelId: DEMO_MODEL_ID,
  supportedUrls: {},

  async doGenerate(options) {
    options.abortSignal?.throwIfAborted();
    const { id, timestamp, text, calls, finishReason, usage } = reply(options);
    return {
      content: [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map((call) => ({
          type: "tool-call" as const,
          toolCallId: call.id,
          toolName: call.tool,
          input: call.arguments,
        })),
      ],
      finishReason,
      usage,
      warnings: [],
      response: { id, timestamp, modelId: DEMO_MODEL_ID },
    };
  },

  async doStream(options) {
    const { abortSignal } = options;
    abortSignal?.throwIfAborted();
    const parts = streamPlan(reply(options));
    const stream = new ReadableStream({
      pull(controller) {
        if (abortSignal?.aborted) return controller.error(abortSignal.reason);
        const { done, value } = parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return { stream };
  },
};

function reply(options: LanguageModelV4CallOptions): DemoReply {
  const { prompt, responseFormat, toolChoice } = options;
  const tools = (options.tools ?? []).flatMap((tool): DemoTool[] =>
    tool.type === "function"
      ? [{ name: tool.name, description: tool.description ?? "", schema: tool.inputSchema }]
      : [],
  );
  const plan = planDemoTurn(prompt, tools, toolChoice, responseFormat);
  const calls = plan.calls.map((call): IdentifiedCall => ({ ...call, id: `call_demo_${shortId()}` }));
  const text = plan.text ?? "";
  const written = text + calls.map((call) => call.tool + call.arguments).join("");
  const unified = calls.length > 0 ? "tool-calls" : "stop";
  return {
    id: `demo_${shortId()}`,
    timestamp: new Date(),
    text,
    calls,
    finishReason: { unified, raw: calls.length > 0 ? "tool_calls" : "stop" },
    usage: usageOf(estimateTokenCount(JSON.stringify([prompt, tools])), estimateTokenCount(written)),
  };
}

const shortId = () => crypto.randomUUID().replaceAll("-", "").slice(0, 12);

function usageOf(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}
