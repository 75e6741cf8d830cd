/** The answer that a planning model is asked for. Pure. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { PlanTools } from "./plan-tool.ts";

type JsonFormat = Extract<NonNullable<LanguageModelV4CallOptions["responseFormat"]>, { type: "json" }>;

/** By it the demo model knows what it is asked. */
export const PLAN_FORMAT = "toolgate_plan";

export function planFormat(tools: PlanTools, maxSteps: number): JsonFormat {
  const step: NonNullable<JsonFormat["schema"]> = {
    type: "object",
    properties: {
      id: { type: "string", description: "letters, digits, `_` and `-`; once in the plan" },
      intent: { type: "string", description: "what the step does, in words" },
      tool: { type: "string", enum: [...tools.keys()] },
      arguments: {
        type: "object",
        properties: { input: { type: "object", description: "the tool's own arguments", additionalProperties: true } },
        required: ["input"],
        additionalProperties: false,
      },
    },
    required: ["id", "intent", "tool", "arguments"],
    additionalProperties: false,
  };
  return {
    type: "json",
    name: PLAN_FORMAT,
    description: "the steps that do what the user asks for, in their order",
    schema: {
      type: "object",
      properties: { plan: { type: "array", items: step, maxItems: maxSteps } },
      required: ["plan"],
      additionalProperties: false,
    },
  };
}
