/**
 * Reads a plan from a model's answer: tolerant of its form, strict about its content. Pure. Source: `parsePlan` of
 * reference/intent-analysis-planner.md.
 *
 * JSON that two readers could read differently is refused, as in a call's arguments. So are invalid and repeated ids: changing
 * one here could make a reference mean another step.
 */
import { memberSchema } from "../lib/json/json-schema.ts";
import { isObject } from "../lib/json/json-value.ts";
import { type JsonFault, parseStrictJson } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { visible } from "../lib/text/visible-text.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import type { PlanArguments, PlanFault, PlanFaultCode, PlanStep, PlanTools } from "./plan.ts";
import { isStepId } from "./template.ts";
import { templateIssues } from "./template-issues.ts";

/** UTF-16 units of the model's answer. */
const MAX_TEXT = 128 * 1024;
const MAX_INTENT = 500;
const MAX_TOOL = 256;

export interface PlanReading {
  readonly maxSteps: number;
  readonly tools: PlanTools;
  readonly work: WorkBudget;
}

export function readPlan(text: string, reading: PlanReading): Result<readonly PlanStep[], PlanFault> {
  if (text.length > MAX_TEXT) return fault("plan_too_large", `the plan is longer than ${MAX_TEXT} characters`);
  const json = readJson(text);
  if (!json.ok) return fault("not_understood", json.error);
  const written = Array.isArray(json.value) ? (json.value as readonly unknown[]) : memberOf(json.value, "plan");
  if (!Array.isArray(written)) return fault("not_understood", "the plan has no list `plan` of steps");
  if (written.length === 0) return fault("nothing_to_do", "the plan has no steps: none of the tools fits the request");
  const { maxSteps } = reading;
  if (written.length > maxSteps)
    return fault("plan_too_large", `the plan has ${written.length} steps, and ${maxSteps} are allowed`);
  const givenIds = new Set(written.map((step) => String(memberOf(step, "id"))));
  const steps: PlanStep[] = [];
  for (const [index, one] of written.entries()) {
    const step = readStep(one, index + 1, givenIds, reading);
    if (!step.ok) return step;
    const { id } = step.value;
    if (steps.some((before) => before.id === id)) return fault("not_understood", `two steps have the id \`${id}\``);
    steps.push(step.value);
  }
  return ok(steps);
}

const JSON_FAULTS: Readonly<Record<JsonFault["problem"], string>> = {
  syntax: "the answer is not valid JSON",
  duplicate_key: "the plan has a key twice",
  proto_key: "the plan has the key `__proto__`",
  number: "the plan has a number that cannot be read exactly",
  depth: "the plan is nested too deeply",
};

function readJson(text: string): Result<unknown, string> {
  for (const candidate of jsonCandidates(text)) {
    const parsed = parseStrictJson(candidate);
    if (parsed.ok) return parsed;
    if (parsed.error.problem !== "syntax") return err(JSON_FAULTS[parsed.error.problem]);
  }
  return err(JSON_FAULTS.syntax);
}

/** The texts that may be the plan: the answer itself, the content of its fence, and JSON between words. Linear in the text. */
function* jsonCandidates(text: string): Generator<string> {
  yield text;
  // Some providers leave the model's thoughts in its answer.
  const answer = text.slice(text.lastIndexOf("</think>") + 1);
  const [fence, end] = [answer.indexOf("```"), answer.lastIndexOf("```")];
  if (fence >= 0 && end > fence) yield answer.slice(fence + 3, end).replace(/^json\b/i, "");
  const [first, last] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf("}"), answer.lastIndexOf("]"))];
  if (first >= 0 && last > first) yield answer.slice(first, last + 1);
}

function readStep(
  written: unknown,
  number: number,
  givenIds: ReadonlySet<string>,
  { tools, work }: PlanReading,
): Result<PlanStep, PlanFault> {
  const id = readId(memberOf(written, "id"), number, givenIds);
  if (id === undefined || !isStepId(id))
    return fault("not_understood", `the id of step ${number} must be letters, digits, \`_\` and \`-\``);
  const tool = memberOf(written, "tool");
  if (typeof tool !== "string" || tool === "" || tool.length > MAX_TOOL)
    return fault("not_understood", `step \`${id}\` names no tool`, id);
  const args = readArguments(memberOf(written, "arguments"));
  if (args === undefined) return fault("not_understood", `the arguments of step \`${id}\` are not a JSON object`, id);
  const input = unwrapInput(args, tools.get(tool)?.parameters, work);
  const intent = memberOf(written, "intent");
  const words = typeof intent === "string" ? visible(intent).replace(/\s+/g, " ").trim() : "";
  return ok({ id, intent: words.slice(0, MAX_INTENT) || `Step ${number}`, tool, arguments: { input } });
}

function readId(id: unknown, number: number, givenIds: ReadonlySet<string>): string | undefined {
  if (typeof id === "string" && id !== "") return id;
  if (typeof id === "number") return String(id);
  if (id !== undefined && id !== null && id !== "") return undefined;
  let made = `step_${number}`;
  while (givenIds.has(made)) made += "_";
  return made;
}

/** Some models write them as a text of JSON, as in a call. */
function readArguments(written: unknown): PlanArguments | undefined {
  if (written === undefined || written === null) return {};
  if (typeof written !== "string") return isObject(written) ? written : undefined;
  const parsed = parseStrictJson(written);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** The format wraps arguments in `input`. Some planners leave the wrapper out, and some tools have an `input` of their own. */
function unwrapInput(written: PlanArguments, parameters: unknown, work: WorkBudget): PlanArguments {
  const { input } = written;
  if (!Object.hasOwn(written, "input") || !isObject(input) || Object.keys(written).length > 1) return written;
  const isToolsOwn = memberSchema(parameters, parameters, "input", work) !== undefined;
  return isToolsOwn && templateIssues(parameters, input, work).length > 0 ? written : input;
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const fault = (code: PlanFaultCode, message: string, step?: string) =>
  err({ code, message, ...(step === undefined ? {} : { step }) });
