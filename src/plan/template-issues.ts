/** Checks a step's input against its tool's schema while parts of it are still open. Pure. */
import { mapSchemas } from "../lib/json/json-schema.ts";
import { isObject } from "../lib/json/json-value.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import { compileSchema } from "../policy/arguments/argument-schema.ts";
import type { ArgumentIssue } from "../policy/reasons.ts";
import { isOpen, mapTexts, readTemplate } from "./template.ts";

/**
 * Issues that no value in the open positions can fix. Doubts are no issues: the step's call is vetted in full when it runs.
 * @param parameters JSON Schema; absent: any object. Throws `WorkSpent`.
 */
export function templateIssues(parameters: unknown, input: unknown, work: WorkBudget): readonly ArgumentIssue[] {
  if (parameters === undefined || parameters === null) return [];
  const schema = compileSchema(parameters, work);
  if (!schema.ok) return [{ path: "", message: schema.error }];
  let open = false;
  const known = mapTexts(input, (text) => {
    if (!text.includes("{{") || !isOpen(readTemplate(text))) return text;
    open = true;
    return null;
  });
  const issues = schema.value.validate(input, work);
  if (!open || issues.length === 0) return issues;
  const relaxed = compileSchema(relaxedSchema(parameters, work), work);
  if (!relaxed.ok) return [];
  const unmendable = relaxed.value.validate(known, work);
  // In the words of the tool's own schema, if it objects to the same position.
  return unmendable.map((issue) => issues.find(({ path }) => path === issue.path) ?? issue);
}

/** Keywords whose outcome depends on a value that is not known yet, or on the number of branches that hold. */
const DROPPED = new Set("not if then else uniqueItems maxContains unevaluatedItems unevaluatedProperties".split(" "));

/** By schema: a plan has many steps of the same tool, and compiled schemas are cached by their object. */
const relaxedSchemas = new WeakMap<object, unknown>();

function relaxedSchema(schema: unknown, work: WorkBudget): unknown {
  if (!isObject(schema)) return schema;
  const known = relaxedSchemas.get(schema);
  if (known !== undefined) return known;
  work.spend(JSON.stringify(schema).length / 2);
  const relaxed = relax(schema);
  relaxedSchemas.set(schema, relaxed);
  return relaxed;
}

/** The same schema, but `null`, which replaces open positions, is valid everywhere. */
function relax(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  // Entries are defined, not assigned: a property may be called `__proto__`.
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (DROPPED.has(keyword) || (keyword === "oneOf" && schema.anyOf !== undefined)) return [];
      if (keyword === "type") return [["type", [...new Set([value, "null"].flat())]]];
      if (keyword === "const") return isObject(value) || Array.isArray(value) ? [] : [["enum", [value, null]]];
      if (keyword === "enum") return relaxEnum(value);
      if (keyword === "oneOf") return [["anyOf", mapSchemas("oneOf", value, relax)]];
      if (keyword !== "propertyNames") return [[keyword, mapSchemas(keyword, value, relax)]];
      return [[keyword, value]];
    }),
  );
}

/** A composite value may have open positions in it. */
function relaxEnum(values: unknown): [string, unknown][] {
  const comparable = Array.isArray(values) && !values.some((value) => typeof value === "object" && value !== null);
  return comparable ? [["enum", [...values, null]]] : [];
}
