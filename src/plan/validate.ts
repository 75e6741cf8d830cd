/**
 * Whether a plan can be run as far as can be told before it runs: tools that may be used, arguments that fit wherever they
 * are known, references to earlier steps alone (so that nothing goes round in circles). Pure. Every call of it is vetted again
 * when it is made. Source: `validatePlan` of reference/intent-analysis-planner.md.
 */
import { err, ok, type Result } from "../lib/result.ts";
import { visible } from "../lib/text/visible-text.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { placeholderFault } from "./placeholder-fault.ts";
import { placeholdersOf } from "./placeholders.ts";
import { type Place, templatePlaces } from "./places.ts";
import type { Placeholder, PlanFault, PlanStep } from "./plan.ts";
import type { PlanTools } from "./plan-tool.ts";
import type { TemplatePart } from "./template.ts";
import { templateIssues } from "./template-issues.ts";

const MAX_PLACEHOLDERS = 64;
/** Of one plan: texts with double braces. */
const MAX_PLACES = 256;

/** @returns what the user must fill in, or what is wrong: one fault a step, in their order. */
export function validatePlan(
  steps: readonly PlanStep[],
  tools: PlanTools,
  work: WorkBudget,
): Result<readonly Placeholder[], readonly PlanFault[]> {
  const places = steps.map(({ arguments: { input } }) => templatePlaces(input));
  if (places.flat().length > MAX_PLACES) return err([tooMany("places to fill in", MAX_PLACES)]);
  const order = new Map(steps.map(({ id }, index) => [id, index]));
  const faults = steps.flatMap((step, index) => {
    const fault =
      toolFault(step, tools) ??
      first(places[index] ?? [], (place) => placeFault(step, index, place, order)) ??
      argumentsFault(step, tools, work);
    return fault ? [fault] : [];
  });
  if (faults.length > 0) return err(faults);
  const placeholders = placeholdersOf(steps, tools, work);
  if (placeholders.length > MAX_PLACEHOLDERS) return err([tooMany("placeholders", MAX_PLACEHOLDERS)]);
  const unfillable = placeholders.flatMap((one) => placeholderFault(one) ?? []);
  return unfillable.length > 0 ? err(unfillable) : ok(placeholders);
}

const tooMany = (what: string, most: number): PlanFault => ({
  code: "plan_too_large",
  message: `the plan has more than ${most} ${what}`,
});

function toolFault({ id, tool }: PlanStep, tools: PlanTools): PlanFault | undefined {
  if (tools.has(tool)) return undefined;
  const message = `step \`${id}\` names the tool ${code(tool)}, which is none of those that can be used`;
  return { code: "tool_unknown", message, step: id };
}

function placeFault(
  { id: step }: PlanStep,
  index: number,
  { parts, path, key }: Place,
  order: ReadonlyMap<string, number>,
): PlanFault | undefined {
  return first(parts, (part) => {
    const why = key && part.kind !== "text" ? "stands in a name, where nothing is put in" : faultOf(part, index, order);
    if (why === undefined) return undefined;
    const source = part.kind === "text" ? "a reference" : code(part.source);
    return { code: "reference_invalid", message: `in step \`${step}\`, ${source} ${why}`, step, path };
  });
}

function faultOf(part: TemplatePart, index: number, order: ReadonlyMap<string, number>): string | undefined {
  switch (part.kind) {
    case "placeholder":
      return undefined;
    case "invalid":
      return "is neither `{{PLACEHOLDER_name}}` nor `{{step.result.path}}`";
    case "reference": {
      const at = order.get(part.step);
      if (at === undefined) return "names a step that the plan does not have";
      return at < index ? undefined : "names a step that runs no earlier";
    }
    case "text": {
      const named = [...part.text.matchAll(/\{\{\s{0,8}([\w-]{1,64})\s{0,8}\}\}/g)];
      return named.some(([, name = ""]) => order.has(name)) ? "to a step lacks `.result`" : undefined;
    }
  }
}

function argumentsFault(
  { id: step, tool, arguments: { input } }: PlanStep,
  tools: PlanTools,
  work: WorkBudget,
): PlanFault | undefined {
  const issues = templateIssues(tools.get(tool)?.parameters, input, work);
  const [issue] = issues;
  if (issue === undefined) return undefined;
  const told = issues.map(({ path, message }) => (path === "" ? message : `${code(path)} ${message}`)).join("; ");
  const message = `the arguments of step \`${step}\` do not fit \`${tool}\`: ${told}`;
  return { code: "arguments_invalid", message, step, path: issue.path };
}

/** A model's text in a message: short, and nothing of it ends the quotation. */
const code = (text: string): string => `\`${visible(text.slice(0, 120)).replaceAll("`", "'")}\``;

function first<T, U>(items: readonly T[], find: (item: T) => U | undefined): U | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
