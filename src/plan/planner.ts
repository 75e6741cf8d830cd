/**
 * Makes a plan of a user's wish. A planning model is called once, and once more with the reasons if its plan cannot be used.
 * Never throws: a failure leaves an empty plan with the reason. Source: `generatePlan` of reference/intent-analysis-planner.md.
 */
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4Usage } from "@ai-sdk/provider";
import { startDeadline } from "../lib/deadline.ts";
import { describeError, log } from "../lib/log.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type WorkBudget, withinBudget } from "../lib/work-budget.ts";
import { usageToOpenAi } from "../wire/openai-usage.ts";
import type { Placeholder, PlanFault, PlanStep, PlanTools } from "./plan.ts";
import { correction, planFormat, plannerPrompt } from "./planner-prompt.ts";
import { type PlanReading, readPlan } from "./read-plan.ts";
import { validatePlan } from "./validate.ts";

export interface PlannerRequest {
  /** The wish, in the user's words. */
  readonly input: string;
  /** The tools that the user could use now. */
  readonly tools: PlanTools;
  /** The providers that the user has linked. */
  readonly connections: readonly string[];
  readonly maxSteps: number;
  readonly modelRequest?: ModelRequest | undefined;
  /** A plan that is too costly to check is refused. */
  readonly work: WorkBudget;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

interface ModelRequest {
  /** The model that the client named. */
  readonly model?: string | undefined;
  /** Sent to the upstream; an `authorization` among them is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** OpenAI's `usage`. */
interface PlanUsage extends Record<string, unknown> {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

interface PlannerResult {
  /** Empty if there is a fault. */
  readonly steps: readonly PlanStep[];
  readonly placeholders: readonly Placeholder[];
  readonly fault: PlanFault | null;
  /** Calls of the model, failed ones included. */
  readonly modelCalls: number;
  /** The usage of all calls together. */
  readonly usage: PlanUsage | null;
  /** The client has gone away; the fault is not the plan's. */
  readonly aborted: boolean;
}

export type Planner = (request: PlannerRequest) => Promise<PlannerResult>;

/**
 * The planning model for one request, or undefined if none is named.
 * @param onRetry is called for each call that the model makes in addition to those of the planner.
 */
type ModelForPlans = (request: ModelRequest | undefined, onRetry: () => void) => LanguageModelV4 | undefined;

const TEMPERATURE = 0.1;
const MAX_OUTPUT_TOKENS = 8_192;
/** Time limit of one call. */
const TIME_LIMIT_MS = 90_000;
const MAX_ATTEMPTS = 2;
/** UTF-16 units of an unusable plan that are shown to the model again. */
const MAX_SHOWN = 16_000;

const CORRIGIBLE: ReadonlySet<string> = new Set([
  "tool_unknown",
  "arguments_invalid",
  "reference_invalid",
  "not_understood",
]);

export function createPlanner(modelFor: ModelForPlans, now: () => number): Planner {
  return async (request) => {
    if (request.tools.size === 0) return empty(NO_TOOLS);
    let modelCalls = 0;
    const countCall = (): void => {
      modelCalls += 1;
    };
    const model = modelFor(request.modelRequest, countCall);
    if (model === undefined) return empty(NO_MODEL);
    const planned = await makePlan(model, request, countCall, now());
    return { ...planned, modelCalls };
  };
}

async function makePlan(
  model: LanguageModelV4,
  request: PlannerRequest,
  countCall: () => void,
  now: number,
): Promise<PlannerResult> {
  const { input, tools, signal } = request;
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: plannerPrompt({ ...request, now }) },
    { role: "user", content: [{ type: "text", text: input }] },
  ];
  let usage: PlanUsage | null = null;
  for (let attempt = 1; ; attempt += 1) {
    countCall();
    const answer = await callModel(model, prompt, request);
    if (!answer.ok) return { ...empty(answer.error), usage, aborted: signal.aborted };
    const { text, isCut } = answer.value;
    usage = addUsage(usage, answer.value.usage);
    const plan = withinBudget<ReturnType<typeof readAndValidate>>(
      () => readAndValidate(text, request),
      () => err([TOO_COSTLY]),
    );
    if (plan.ok) return { ...empty(null), ...plan.value, usage };
    const [fault = NO_ANSWER] = plan.error;
    const cut = isCut && fault.code === "not_understood";
    if (attempt >= MAX_ATTEMPTS || !CORRIGIBLE.has(fault.code)) return { ...empty(cut ? CUT : fault), usage };
    if (text !== "") prompt.push({ role: "assistant", content: [{ type: "text", text: text.slice(0, MAX_SHOWN) }] });
    const faults = correction(cut ? [CUT] : plan.error, tools);
    prompt.push({ role: "user", content: [{ type: "text", text: faults }] });
  }
}

function readAndValidate(text: string, reading: PlanReading) {
  const steps = readPlan(text, reading);
  if (!steps.ok) return err([steps.error]);
  const placeholders = validatePlan(steps.value, reading.tools, reading.work);
  return placeholders.ok ? ok({ steps: steps.value, placeholders: placeholders.value }) : placeholders;
}

interface Answer {
  readonly text: string;
  /** The answer ended at its limit of tokens. */
  readonly isCut: boolean;
  readonly usage: LanguageModelV4Usage;
}

async function callModel(
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
  { input, tools, maxSteps, signal }: PlannerRequest,
): Promise<Result<Answer, PlanFault>> {
  const deadline = startDeadline(TIME_LIMIT_MS, signal);
  try {
    const generate = async () =>
      model.doGenerate({
        prompt: [...prompt],
        temperature: TEMPERATURE,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        responseFormat: planFormat(tools, maxSteps),
        abortSignal: deadline.signal,
      });
    const { content, finishReason, usage } = await deadline.race(generate());
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return ok({ text, isCut: finishReason.unified === "length", usage });
  } catch (error) {
    if (!signal.aborted) log("warn", "planning_model_failed", failureLine(error, input));
    return err(
      deadline.ended === "timeout" ? modelFailed(`did not answer within ${TIME_LIMIT_MS / 1000}s`) : faultOf(error),
    );
  } finally {
    deadline.stop();
  }
}

function addUsage(sum: PlanUsage | null, used: LanguageModelV4Usage): PlanUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usageToOpenAi(used);
  return {
    prompt_tokens: (sum?.prompt_tokens ?? 0) + prompt_tokens,
    completion_tokens: (sum?.completion_tokens ?? 0) + completion_tokens,
    total_tokens: (sum?.total_tokens ?? 0) + total_tokens,
  };
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
  message: "the plan was cut at the limit of its length: write fewer steps",
};

const empty = (fault: PlanFault | null): PlannerResult => ({
  steps: [],
  placeholders: [],
  fault,
  modelCalls: 0,
  usage: null,
  aborted: false,
});

/** UTF-16 units of an upstream's message. */
const MAX_REASON = 200;

/** Keys that upstreams quote: by their usual prefixes, after `Bearer`, and any long mix of letters and digits. */
const KEYS =
  /\b(?:sk|pk|rk|gsk|xai|key|tg)[-_][^\s"'`]+|\bBearer\s+[^\s"'`]+|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/gi;

/** Without the upstream's own words: they may hold the request, or a key. */
function faultOf(error: unknown): PlanFault {
  const status = statusOf(error);
  if (status === undefined) return modelFailed("could not be reached or read");
  const isPermanent = status < 500 && status !== 408 && status !== 429;
  const advice = isPermanent ? "check that the upstream has this `model` and accepts its key" : undefined;
  return modelFailed(`gave no plan: the upstream answered ${status}`, advice);
}

const modelFailed = (what: string, advice = "try again later"): PlanFault => ({
  code: "model_failed",
  message: `the planning model ${what}; ${advice}`,
});

/**
 * One log line, so that an operator sees why no plan is made: the upstream's message, cut, without keys.
 * @param input the user's words, which an upstream may quote.
 */
function failureLine(error: unknown, input: string) {
  const { error: name, message } = describeError(error);
  // Only this error of the SDK carries the upstream's message; others quote what could not be read.
  const text = name === "AI_APICallError" && error instanceof Error ? error.message : message;
  return { error: name, status: statusOf(error) ?? null, reason: text === undefined ? null : redacted(text, input) };
}

function redacted(text: string, input: string): string {
  // Bounds the search, however long the message is.
  const start = text.slice(0, 8 * MAX_REASON);
  const wish = input.trim();
  return (wish === "" ? start : start.replaceAll(wish, "[input]")).replace(KEYS, "[secret]").slice(0, MAX_REASON);
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  // An answer that could not be read has the status 200: the upstream refused nothing.
  return typeof status === "number" && status >= 300 ? status : undefined;
}
