/** What the user must tell before a plan can run: which placeholders stand where, and what their places take. Pure. */
import { canonicalJson } from "../lib/json/canonical-json.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { compileSchema } from "../policy/arguments/argument-schema.ts";
import { ABSENT, mapTexts } from "./map-texts.ts";
import { placeSchema } from "./place-schema.ts";
import { type Place, soleUse, templatePlaces } from "./places.ts";
import type { Placeholder, PlanStep } from "./plan.ts";
import type { PlanTools } from "./plan-tool.ts";
import { readTemplate } from "./template.ts";
import { templateIssues } from "./template-issues.ts";

const TEXT = { type: "string" };

/** In the order in which they stand. Throws `WorkSpent`. */
export function placeholdersOf(steps: readonly PlanStep[], tools: PlanTools, work: WorkBudget): readonly Placeholder[] {
  const found = new Map<string, Use[]>();
  for (const step of steps) {
    const parameters = tools.get(step.tool)?.parameters;
    for (const place of templatePlaces(step.arguments.input)) {
      if (place.key) continue;
      const names = new Set(place.parts.flatMap((part) => (part.kind === "placeholder" ? [part.name] : [])));
      for (const name of names) found.set(name, [...(found.get(name) ?? []), useOf(step, place, parameters, work)]);
    }
  }
  return [...found].map(([name, uses]) => ({
    name,
    schema: joined(uses),
    optional: mayStayOpen(name, uses, work),
    places: uses.map(({ step, path }) => ({ step: step.id, path })),
  }));
}

/** Where every place is known, and each step would do without. */
function mayStayOpen(name: string, uses: readonly Use[], work: WorkBudget): boolean {
  if (uses.some(({ schema }) => schema === undefined || schema === "text")) return false;
  const steps = new Map(uses.map(({ step, parameters }) => [step, parameters]));
  return [...steps].every(([step, parameters]) => templateIssues(parameters, without(step, name), work).length === 0);
}

interface Use {
  readonly step: PlanStep;
  readonly path: string;
  readonly parameters: unknown;
  /** `text`: it stands within a longer text. Undefined: nothing is said of its place. */
  readonly schema: unknown;
}

function useOf(step: PlanStep, place: Place, parameters: unknown, work: WorkBudget): Use {
  const schema = soleUse(place) ? placeSchema(parameters, place.tokens, work) : "text";
  return { step, path: place.path, parameters, schema };
}

/** All that is said must hold. A text takes whatever the other places take. */
function joined(uses: readonly Use[]): unknown {
  const said = new Map<string, unknown>();
  for (const { schema } of uses) if (schema !== undefined && schema !== "text") said.set(canonicalJson(schema), schema);
  const schemas = [...said.values()];
  if (schemas.length === 0) return TEXT;
  if (schemas.length === 1) return schemas[0];
  // In one schema two roots cannot be referred to: the tools' own schemas are asked again when the step runs.
  const rootless = [...said].filter(([text]) => !text.includes('"$ref"')).map(([, schema]) => schema);
  return rootless.length === 0 ? {} : { allOf: rootless };
}

/** The step's input where nobody fills the placeholder in. */
function without(step: PlanStep, name: string): unknown {
  return mapTexts(step.arguments.input, (text) => {
    const sole = soleUse({ parts: readTemplate(text) });
    return sole?.kind === "placeholder" && sole.name === name ? ABSENT : text;
  });
}

/** Those that a run cannot do without and nobody has filled in. */
export function missingPlaceholders(
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, unknown>>,
): readonly Placeholder[] {
  return placeholders.filter(({ name, optional }) => !optional && !Object.hasOwn(values, name));
}

export interface ValueIssue {
  /** The placeholder's name. */
  readonly name: string;
  /** JSON pointer into its value, "" for the whole. */
  readonly path: string;
  readonly message: string;
}

/** UTF-16 units of all values together, as JSON. */
const MAX_VALUES = 256 * 1024;

/** What is wrong with values that a user fills in; each is judged by its placeholder's schema. No issue holds a value. */
export function valueIssues(
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, unknown>>,
  work: WorkBudget,
): readonly ValueIssue[] {
  const known = new Map(placeholders.map((one) => [one.name, one]));
  if (lengthOf(values) > MAX_VALUES)
    return [{ name: "", path: "", message: `the values are longer than ${MAX_VALUES} characters` }];
  return Object.entries(values).flatMap(([name, value]) => {
    const placeholder = known.get(name);
    if (!placeholder) return [{ name, path: "", message: "is not a placeholder of this plan" }];
    const schema = compileSchema(placeholder.schema, work);
    // The step's own schema is asked again when it runs.
    const issues = schema.ok ? schema.value.validate(value, work) : [];
    return issues.map(({ path, message }) => ({ name, path, message }));
  });
}

function lengthOf(values: unknown): number {
  try {
    return canonicalJson(values).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
