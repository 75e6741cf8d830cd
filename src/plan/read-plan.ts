/**
 * A plan out of what a model wrote: tolerant in its form, strict in what it holds. Pure. Source: `parsePlan` of
 * reference/intent-analysis-planner.md.
 *
 * JSON that two readers could take for different things is refused, as a call's arguments are. So are ids that are none and
 * ids given twice: were they changed here, a reference could come to mean another step than the one that it was written for.
 */

import { isObject } from "../lib/json/json-object.ts";
import { parseStrictJson } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { visible } from "../lib/text/visible-text.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { ownArguments } from "./own-arguments.ts";
import type { PlanArguments, PlanFault, PlanFaultCode, PlanStep } from "./plan.ts";
import { planJson } from "./plan-json.ts";
import type { PlanTools } from "./plan-tool.ts";
import { isStepId } from "./template.ts";

/** UTF-16 units of the model's answer. */
const MAX_TEXT = 128 * 1024;
const MAX_INTENT = 500;
const MAX_TOOL = 256;

export interface PlanReading {
  readonly maxSteps: number;
  /** Whose schemas tell what their own arguments are. */
  readonly tools: PlanTools;
  readonly work: WorkBudget;
}

export function readPlan(text: string, { maxSteps, tools, work }: PlanReading): Result<readonly PlanStep[], PlanFault> {
  if (text.length > MAX_TEXT) return fault("plan_too_large", `the plan is longer than ${MAX_TEXT} characters`);
  const json = planJson(text);
  if (!json.ok) return fault("not_understood", json.error);
  const written: unknown = Array.isArray(json.value) ? json.value : memberOf(json.value, "plan");
  if (!Array.isArray(written)) return fault("not_understood", "the plan has no list `plan` of steps");
  if (written.length === 0) return fault("nothing_to_do", "the plan has no steps: none of the tools fits the request");
  if (written.length > maxSteps)
    return fault("plan_too_large", `the plan has ${written.length} steps, and ${maxSteps} are allowed`);
  return readSteps(written, tools, work);
}

function readSteps(
  written: readonly unknown[],
  tools: PlanTools,
  work: WorkBudget,
): Result<readonly PlanStep[], PlanFault> {
  const given = new Set(written.map((step) => String(memberOf(step, "id"))));
  const steps: PlanStep[] = [];
  const ids = new Set<string>();
  for (const [index, one] of written.entries()) {
    const number = index + 1;
    const id = readId(memberOf(one, "id"), number, given);
    if (id === undefined || !isStepId(id))
      return fault("not_understood", `step ${number} has an id that is not of letters, digits, \`_\` and \`-\``);
    if (ids.has(id)) return fault("not_understood", `two steps have the id \`${id}\``);
    ids.add(id);
    const tool = memberOf(one, "tool");
    if (typeof tool !== "string" || tool === "" || tool.length > MAX_TOOL)
      return fault("not_understood", `step \`${id}\` names no tool`, id);
    const args = readArguments(memberOf(one, "arguments"));
    if (args === undefined) return fault("not_understood", `the arguments of step \`${id}\` are not a JSON object`, id);
    const input = ownArguments(args, tools.get(tool)?.parameters, work);
    steps.push({ id, intent: readIntent(memberOf(one, "intent"), number), tool, arguments: { input } });
  }
  return ok(steps);
}

function readId(id: unknown, number: number, given: ReadonlySet<string>): string | undefined {
  if (typeof id === "string" && id !== "") return id;
  if (typeof id === "number") return String(id);
  if (id !== undefined && id !== null && id !== "") return undefined;
  // A name that another step has given itself is that step's.
  let made = `step_${number}`;
  while (given.has(made)) made += "_";
  return made;
}

function readIntent(intent: unknown, number: number): string {
  const said = typeof intent === "string" ? visible(intent).replace(/\s+/g, " ").trim() : "";
  return said === "" ? `Step ${number}` : said.slice(0, MAX_INTENT);
}

/** Some models write them as a text of JSON, as they do in a call. */
function readArguments(written: unknown): PlanArguments | undefined {
  if (written === undefined || written === null) return {};
  if (typeof written !== "string") return isObject(written) ? written : undefined;
  const parsed = parseStrictJson(written);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const fault = (code: PlanFaultCode, message: string, step?: string) =>
  err({ code, message, ...(step === undefined ? {} : { step }) });
