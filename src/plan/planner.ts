/**
 * Makes a plan of what a user wants: a planning model is asked once, and once more where its plan cannot be used, told why.
 * Never throws: what fails leaves an empty plan with the reason. Source: `generatePlan` of reference/intent-analysis-planner.md.
 */
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { startDeadline } from "../lib/deadline.ts";
import { log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../lib/work-budget.ts";
import type { Placeholder, PlanFault, PlanStep } from "./plan.ts";
import { planFormat } from "./plan-format.ts";
import type { PlanTools } from "./plan-tool.ts";
import { addUsage, type PlanUsage } from "./plan-usage.ts";
import { correction, plannerPrompt } from "./planner-prompt.ts";
import { failureLine, faultOf, modelFailed } from "./planning-failure.ts";
import { type PlanReading, readPlan } from "./read-plan.ts";
import { validatePlan } from "./validate.ts";

/** What a model must know of the request that it is asked for. */
export interface PlanAsking {
  /** The model that the client named. */
  readonly model?: string | undefined;
  /** For the upstream: an `authorization` among them is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PlanWish {
  /** In the user's words. */
  readonly input: string;
  /** Those that the user could use now. */
  readonly tools: PlanTools;
  /** The providers that the user has linked. */
  readonly connections: readonly string[];
  readonly maxSteps: number;
  readonly asking?: PlanAsking | undefined;
  /** Of the request: a plan that is too costly to check is none. */
  readonly work: WorkBudget;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Planned {
  /** None where there is a fault. */
  readonly steps: readonly PlanStep[];
  readonly placeholders: readonly Placeholder[];
  readonly fault: PlanFault | null;
  /** Calls of the model that were made, those that failed or were refused included. */
  readonly modelCalls: number;
  /** Of all of them, as OpenAI's `usage`. */
  readonly usage: PlanUsage | null;
  /** The client has gone: there is nobody to tell, and the fault is not the plan's. */
  readonly aborted: boolean;
}

export type Planner = (wish: PlanWish) => Promise<Planned>;

/**
 * The model to ask for one request, or undefined where none is named.
 * @param again called where it asks once more than it was asked.
 */
export type ModelForPlans = (asking: PlanAsking | undefined, again: () => void) => LanguageModelV4 | undefined;

const TEMPERATURE = 0.1;
const MAX_OUTPUT_TOKENS = 8_192;
/** Of one call. */
const TIME_LIMIT_MS = 90_000;
const ASKS = 2;
/** Of a plan that cannot be used, so much is shown to the model again. */
const MAX_SHOWN = 16_000;

const CORRIGIBLE: ReadonlySet<string> = new Set([
  "tool_unknown",
  "arguments_invalid",
  "reference_invalid",
  "not_understood",
]);

export function createPlanner(modelFor: ModelForPlans, now: () => number): Planner {
  return async (wish) => {
    if (wish.tools.size === 0) return empty(NO_TOOLS);
    const calls = { made: 0 };
    const model = modelFor(wish.asking, () => {
      calls.made += 1;
    });
    if (model === undefined) return empty(NO_MODEL);
    const planned = await ask(model, wish, calls, now());
    return { ...planned, modelCalls: calls.made };
  };
}

interface Calls {
  made: number;
}

/** @param calls counts what is asked. */
async function ask(
  model: LanguageModelV4,
  wish: PlanWish,
  calls: Calls,
  now: number,
): Promise<Omit<Planned, "modelCalls">> {
  const { input, tools } = wish;
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: plannerPrompt({ ...wish, now }) },
    { role: "user", content: [{ type: "text", text: input }] },
  ];
  let usage: PlanUsage | null = null;
  for (let asks = 1; ; asks += 1) {
    calls.made += 1;
    const answered = await answerOf(model, prompt, wish);
    if (!answered.ok) return { ...empty(answered.error), usage, aborted: wish.signal.aborted };
    const { text, cut } = answered.value;
    usage = addUsage(usage, answered.value.usage);
    const made = planOf(text, wish);
    if (made.ok) return { ...made.value, usage, fault: null, aborted: false };
    const [fault = NO_ANSWER] = made.error;
    const told = cut && fault.code === "not_understood" ? CUT : fault;
    if (asks >= ASKS || !CORRIGIBLE.has(fault.code)) return { ...empty(told), usage };
    const again = correction(told === fault ? made.error : [told], tools);
    if (text !== "") prompt.push({ role: "assistant", content: [{ type: "text", text: text.slice(0, MAX_SHOWN) }] });
    prompt.push({ role: "user", content: [{ type: "text", text: again }] });
  }
}

function planOf(text: string, reading: PlanReading) {
  try {
    const read = readPlan(text, reading);
    if (!read.ok) return err([read.error]);
    const valid = validatePlan(read.value, reading.tools, reading.work);
    return valid.ok ? ok({ steps: read.value, placeholders: valid.value }) : valid;
  } catch (error) {
    if (error instanceof WorkSpent) return err([TOO_COSTLY]);
    throw error;
  }
}

interface Answered {
  readonly text: string;
  /** It ended at the limit of its length. */
  readonly cut: boolean;
  readonly usage: Parameters<typeof addUsage>[1];
}

async function answerOf(
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
  { input, tools, maxSteps, signal }: PlanWish,
): Promise<Result<Answered, PlanFault>> {
  const deadline = startDeadline(TIME_LIMIT_MS, signal);
  try {
    const asked = async () =>
      model.doGenerate({
        prompt: [...prompt],
        temperature: TEMPERATURE,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        responseFormat: planFormat(tools, maxSteps),
        abortSignal: deadline.signal,
      });
    const { content, finishReason, usage } = await deadline.race(asked());
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return ok({ text, cut: finishReason.unified === "length", usage });
  } catch (error) {
    if (!signal.aborted) log("warn", "planning_model_failed", failureLine(error, input));
    return err(
      deadline.ended === "timeout" ? modelFailed(`did not answer within ${TIME_LIMIT_MS / 1000}s`) : faultOf(error),
    );
  } finally {
    deadline.stop();
  }
}

const TOO_COSTLY: PlanFault = {
  code: "plan_too_large",
  message: "the plan is too costly to check: write fewer steps, with fewer placeholders",
};
const NO_TOOLS: PlanFault = {
  code: "no_tools",
  message: "there is no tool to plan with: link an account, send `tools`, or choose another mode",
};
const NO_MODEL: PlanFault = {
  code: "model_failed",
  message: "there is no planning model: name one in `model`, or set PLANNER_MODEL or UPSTREAM_MODEL",
};
const NO_ANSWER: PlanFault = { code: "not_understood", message: "the answer is not a plan" };
const CUT: PlanFault = {
  code: "not_understood",
  message: "the plan broke off at the limit of its length: write fewer steps",
};

const empty = (fault: PlanFault): Planned => ({
  steps: [],
  placeholders: [],
  fault,
  modelCalls: 0,
  usage: null,
  aborted: false,
});
