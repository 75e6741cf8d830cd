/**
 * Checks before a run whether a plan can run: tools that may be used, arguments that fit, references to earlier steps
 * only. Pure. Each call is vetted again when its step runs. Source: `validatePlan` of reference/intent-analysis-planner.md.
 */
import { err, ok, type Result } from "../lib/result.ts";
import { visible } from "../lib/text/visible-text.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { placeholderFault, placeholdersOf } from "./placeholders.ts";
import type { Placeholder, PlanFault, PlanStep, PlanTools } from "./plan.ts";
import { type TemplatePart, type TemplatePlace, templatePlaces } from "./template.ts";
import { templateIssues } from "./template-issues.ts";

const MAX_PLACEHOLDERS = 64;
/** Texts with double braces in one plan. */
const MAX_PLACES = 256;

/** @returns the plan's placeholders, or at most one fault a step. Throws `WorkSpent`. */
export function validatePlan(
  steps: readonly PlanStep[],
  tools: PlanTools,
  work: WorkBudget,
): Result<readonly Placeholder[], readonly PlanFault[]> {
  const places = steps.map(({ arguments: { input } }) => templatePlaces(input));
  if (places.flat().length > MAX_PLACES) return err([tooMany("places to fill in", MAX_PLACES)]);
  const faults = steps.flatMap((step, index) => {
    const earlier = new Set(steps.slice(0, index).map(({ id }) => id));
    const later = new Set(steps.slice(index).map(({ id }) => id));
    const fault =
      toolFault(step, tools) ??
      places[index]?.flatMap((place) => placeFaults(step, place, earlier, later))[0] ??
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
  const message = `step \`${id}\` names the tool ${quoted(tool)}, which is not one of those that can be used`;
  return { code: "tool_unknown", message, step: id };
}

type Ids = ReadonlySet<string>;

function placeFaults({ id: step }: PlanStep, { parts, path, isName }: TemplatePlace, earlier: Ids, later: Ids) {
  return parts.flatMap((part): readonly PlanFault[] => {
    const inName = isName && part.kind !== "text" ? "stands in a name, where nothing is put in" : undefined;
    const problem = inName ?? partProblem(part, earlier, later);
    if (problem === undefined) return [];
    const source = part.kind === "text" ? "a reference" : quoted(part.source);
    return [{ code: "reference_invalid", message: `in step \`${step}\`, ${source} ${problem}`, step, path }];
  });
}

function partProblem(part: TemplatePart, earlier: Ids, later: Ids): string | undefined {
  switch (part.kind) {
    case "placeholder":
      return undefined;
    case "invalid":
      return "is neither `{{PLACEHOLDER_name}}` nor `{{step.result.path}}`";
    case "reference":
      if (earlier.has(part.step)) return undefined;
      return later.has(part.step) ? "names a step that runs no earlier" : "names a step that the plan does not have";
    case "text": {
      const names = [...part.text.matchAll(/\{\{\s{0,8}([\w-]{1,64})\s{0,8}\}\}/g)].map(([, name = ""]) => name);
      return names.some((name) => earlier.has(name) || later.has(name)) ? "to a step lacks `.result`" : undefined;
    }
  }
}

function argumentsFault({ id: step, tool, arguments: { input } }: PlanStep, tools: PlanTools, work: WorkBudget) {
  const issues = templateIssues(tools.get(tool)?.parameters, input, work);
  const [issue] = issues;
  if (issue === undefined) return undefined;
  const list = issues.map(({ path, message }) => (path === "" ? message : `${quoted(path)} ${message}`)).join("; ");
  const message = `the arguments of step \`${step}\` do not fit \`${tool}\`: ${list}`;
  return { code: "arguments_invalid" as const, message, step, path: issue.path };
}

/** A model's text in a message: short, and unable to end the quotation. */
const quoted = (text: string): string => `\`${visible(text.slice(0, 120)).replaceAll("`", "'")}\``;
