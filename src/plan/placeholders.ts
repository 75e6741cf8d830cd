/** The placeholders of a plan: their positions, the values that these take, and what is wrong with given values. Pure. */
import { canonicalJson } from "../lib/json/canonical-json.ts";
import { followReference, memberSchema } from "../lib/json/json-schema.ts";
import { isObject, memberOf } from "../lib/json/json-value.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { compileSchema } from "../policy/arguments/argument-schema.ts";
import type { Placeholder, PlanFault, PlanStep, PlanTools } from "./plan.ts";
import { ABSENT, mapTexts, readTemplate, soleUse, templatePlaces } from "./template.ts";
import { templateIssues } from "./template-issues.ts";

interface Use {
  readonly step: PlanStep;
  readonly path: string;
  /** The input schema of the step's tool. */
  readonly parameters: unknown;
  /** The schema of the position; undefined within a longer text, or if the tool's schema does not describe it. */
  readonly schema: unknown;
}

/** In order of their first position. Throws `WorkSpent`. */
export function placeholdersOf(steps: readonly PlanStep[], tools: PlanTools, work: WorkBudget): readonly Placeholder[] {
  const usesOf = new Map<string, Use[]>();
  for (const step of steps) {
    const parameters = tools.get(step.tool)?.parameters;
    for (const { tokens, path, parts, isName } of templatePlaces(step.arguments.input)) {
      if (isName) continue;
      const schema = soleUse(parts) && placeSchema(parameters, tokens, work);
      const names = new Set(parts.flatMap((part) => (part.kind === "placeholder" ? [part.name] : [])));
      for (const name of names) usesOf.set(name, [...(usesOf.get(name) ?? []), { step, path, parameters, schema }]);
    }
  }
  return [...usesOf].map(([name, uses]) => ({
    name,
    schema: jointSchema(uses),
    optional: isOptional(name, uses, work),
    places: uses.map(({ step, path }) => ({ step: step.id, path })),
  }));
}

/** A value must satisfy every position. */
function jointSchema(uses: readonly Use[]): unknown {
  const schemas = new Map(
    uses.flatMap(({ schema }) => (schema === undefined ? [] : [[canonicalJson(schema), schema] as const])),
  );
  if (schemas.size === 0) return { type: "string" };
  if (schemas.size === 1) return [...schemas.values()][0];
  // One schema has one root for its references: what has any is checked when the step runs.
  const withoutRefs = [...schemas].filter(([text]) => !text.includes('"$ref"')).map(([, schema]) => schema);
  return withoutRefs.length === 0 ? {} : { allOf: withoutRefs };
}

function isOptional(name: string, uses: readonly Use[], work: WorkBudget): boolean {
  if (uses.some(({ schema }) => schema === undefined)) return false;
  const steps = new Map(uses.map(({ step, parameters }) => [step, parameters]));
  return [...steps].every(([step, parameters]) => templateIssues(parameters, without(step, name), work).length === 0);
}

function without(step: PlanStep, name: string): unknown {
  return mapTexts(step.arguments.input, (text) => {
    const sole = soleUse(readTemplate(text));
    return sole?.kind === "placeholder" && sole.name === name ? ABSENT : text;
  });
}

/** The fault of a placeholder whose positions take values of different types: the planner should use two. */
export function placeholderFault({ name, schema, places: [place] }: Placeholder): PlanFault | undefined {
  const all = isObject(schema) ? memberOf(schema, "allOf") : undefined;
  const [first, ...others] = Array.isArray(all) ? all.flatMap(typesOf) : [];
  if (first === undefined || first.some((type) => others.every((types) => types.includes(type)))) return undefined;
  const message = `the places of \`{{PLACEHOLDER_${name}}}\` take values of different types: write a placeholder for each`;
  return { code: "arguments_invalid", message, step: place?.step, path: place?.path };
}

/** A list of type names; empty if the schema names no type. */
function typesOf(schema: unknown): readonly unknown[][] {
  const type = isObject(schema) ? memberOf(schema, "type") : undefined;
  return type === undefined ? [] : [[type].flat().flatMap((one) => (one === "number" ? ["number", "integer"] : [one]))];
}

/** The placeholders that a run needs and that have no value. */
export const missingPlaceholders = (
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, unknown>>,
): readonly Placeholder[] => placeholders.filter(({ name, optional }) => !optional && !Object.hasOwn(values, name));

interface ValueIssue {
  /** The placeholder's name; "" for all values together. */
  readonly name: string;
  /** JSON pointer into the value. */
  readonly path: string;
  /** Holds no value. */
  readonly message: string;
}

/** UTF-16 units of all values as JSON. */
const MAX_VALUES = 256 * 1024;

export function valueIssues(
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, unknown>>,
  work: WorkBudget,
): readonly ValueIssue[] {
  if (JSON.stringify(values).length > MAX_VALUES)
    return [{ name: "", path: "", message: `the values are longer than ${MAX_VALUES} characters` }];
  return Object.entries(values).flatMap(([name, value]): readonly ValueIssue[] => {
    const placeholder = placeholders.find((one) => one.name === name);
    if (!placeholder) return [{ name, path: "", message: "is not a placeholder of this plan" }];
    const schema = compileSchema(placeholder.schema, work);
    // A schema that cannot be checked separately is checked with its tool's when the step runs.
    return schema.ok ? schema.value.validate(value, work).map((issue) => ({ name, ...issue })) : [];
  });
}

/** Alternatives that are looked at, in all. */
const MAX_LOOKED = 64;

/** A schema that can be used on its own; undefined if there is none for the position. Throws `WorkSpent`. */
function placeSchema(root: unknown, tokens: readonly string[], work: WorkBudget): unknown {
  let schemas: readonly unknown[] = [root];
  for (const token of tokens) {
    const budget = { left: MAX_LOOKED, work };
    schemas = schemas.flatMap((schema) => childSchemas(root, schema, token, budget)).slice(0, MAX_LOOKED);
  }
  const found = schemas.map((schema) => followReference(root, schema) ?? schema).filter((schema) => schema !== true);
  if (found.length === 0) return undefined;
  return withDefinitions(root, found.length === 1 ? found[0] : { anyOf: found });
}

/** The schema's own for the member or item, else those of its alternatives. */
function childSchemas(
  root: unknown,
  schema: unknown,
  token: string,
  budget: { left: number; readonly work: WorkBudget },
): readonly unknown[] {
  budget.left -= 1;
  const at = budget.left < 0 ? undefined : followReference(root, schema);
  if (at === undefined) return [];
  const own = memberSchema(root, at, token, budget.work) ?? itemSchema(at, token);
  if (own !== undefined) return [own];
  const alternatives = ["anyOf", "oneOf"].flatMap((keyword) => memberOf(at, keyword) ?? []) as unknown[];
  const found = alternatives.flatMap((one) => childSchemas(root, one, token, budget));
  if (found.length > 0) return found;
  const additional = memberOf(at, "additionalProperties");
  return isObject(additional) ? [additional] : [];
}

function itemSchema(schema: Readonly<Record<string, unknown>>, token: string): unknown {
  if (!/^\d+$/.test(token)) return undefined;
  const items = memberOf(schema, "items");
  // Before 2020-12 a tuple was a list of `items`.
  const tuple = memberOf(schema, "prefixItems") ?? items;
  const own: unknown = Array.isArray(tuple) ? tuple[Number(token)] : undefined;
  return own ?? (isObject(items) ? items : undefined);
}

/** With the definitions that its references need. */
function withDefinitions(root: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(root) || !JSON.stringify(schema).includes('"$ref"')) return schema;
  const names = ["$schema", "$defs", "definitions"].filter((name) => Object.hasOwn(root, name));
  return { ...Object.fromEntries(names.map((name) => [name, root[name]])), ...schema };
}
