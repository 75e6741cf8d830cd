/** A planner whose model answers as it is told to, and the three inputs of the reference's exercise. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { workBudget } from "../../src/lib/work-budget.ts";
import { createPlanner, type PlannerRequest } from "../../src/plan/planner.ts";
import { referenceTools } from "./reference-tools.ts";

export const NOW = Date.UTC(2026, 4, 4, 9);

type Answer = string | Error | (() => Promise<string>);

const tokens = (total: number) => ({ total }) as never;

/** @returns the model, and what it was asked so far. A script that has run out answers nothing. */
export function scriptedModel(...answers: readonly Answer[]) {
  const asked: LanguageModelV4CallOptions[] = [];
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    doGenerate: async (options) => {
      const answer = answers[asked.length] ?? "";
      asked.push(options);
      if (answer instanceof Error) throw answer;
      const text = typeof answer === "string" ? answer : await answer();
      return {
        content: [{ type: "text", text }],
        finishReason: { unified: "stop", raw: "stop" },
        usage: { inputTokens: tokens(100), outputTokens: tokens(10) },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("not asked")),
  };
  return { model, asked };
}

export const planWith = (model: LanguageModelV4 | undefined, wish: Partial<PlannerRequest> = {}) =>
  createPlanner(
    () => model,
    () => NOW,
  )({
    input: "Show me emails from John",
    tools: referenceTools,
    connections: ["google-mail-ynxw", "salesforce-ybzg", "google-calendar"],
    maxSteps: 20,
    work: workBudget(),
    signal: new AbortController().signal,
    ...wish,
  });
