/** The call that the user's words fill. Pure; never a value that the schema refuses. */
import { fillDefaults } from "../../approvals/edit/fill-defaults.ts";
import type { Entity } from "../../intent/detection.ts";
import { fillArguments, namesTwice } from "../../intent/entities/fill-arguments.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import type { Arguments } from "../step/read-arguments.ts";

export type FilledCall =
  | { readonly kind: "whole"; readonly arguments: Arguments }
  | { readonly kind: "missing"; readonly filled: Arguments; readonly missing: readonly string[] }
  /** The schema is unknown or wants something that words cannot give, or the words give two values for one argument. */
  | { readonly kind: "unfit" };

export function fillCall(schema: unknown, entities: readonly Entity[], work: WorkBudget): FilledCall {
  try {
    return fill(schema, entities, work);
  } catch (error) {
    if (error instanceof WorkSpent) return { kind: "unfit" };
    throw error;
  }
}

function fill(schema: unknown, entities: readonly Entity[], work: WorkBudget): FilledCall {
  if (!isSchema(schema)) return { kind: "unfit" };
  const compiled = compileSchema(schema, work);
  if (!compiled.ok || namesTwice(schema, entities)) return { kind: "unfit" };
  const filled = fillArguments(schema, entities, work);
  const complete = fillDefaults(schema, filled, work);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter(
    (name: unknown): name is string => typeof name === "string" && !Object.hasOwn(complete, name),
  );
  if (missing.length > 0) return { kind: "missing", filled, missing };
  return compiled.value.validate(complete, work).length === 0
    ? { kind: "whole", arguments: filled }
    : { kind: "unfit" };
}

interface Schema extends Readonly<Record<string, unknown>> {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const isSchema = (schema: unknown): schema is Schema =>
  isObject(schema) && (schema.properties === undefined || isObject(schema.properties));
