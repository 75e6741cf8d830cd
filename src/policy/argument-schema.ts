/**
 * Arguments against a tool's JSON Schema. Pure. Nothing is fetched, and all work is paid from the request's budget.
 * A schema that cannot be checked lets no call by.
 */
import { boundedCache } from "../lib/bounded-cache.ts";
import { CACHE_BYTES } from "../lib/cache-bytes.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../lib/work-budget.ts";
import { readSchema } from "./json-schema/read-schema.ts";
import { holds, type SchemaNode } from "./json-schema/schema-node.ts";
import type { ArgumentIssue } from "./reasons.ts";

/** A schema that can be checked against, whole and local. */
export interface ArgumentSchema {
  /** @returns no issues, or at most five; their messages are for the model. */
  validate(value: unknown, work: WorkBudget): readonly ArgumentIssue[];
}

const MAX_LENGTH = 262_144;

const compiled = boundedCache<Result<ArgumentSchema, string>>({ maxBytes: CACHE_BYTES.schemas });

/** @returns the compiled schema, cached by its text; or why calls cannot be checked against it (worded for the model). */
export function compileSchema(parameters: unknown, work: WorkBudget): Result<ArgumentSchema, string> {
  try {
    // Before the text is written: a request whose budget is spent must not go on paying for that.
    work.spend(1);
    const text = JSON.stringify(parameters);
    if (text === undefined) return err("the schema is not valid: it is not JSON");
    if (text.length > MAX_LENGTH) return err(`the schema is longer than ${MAX_LENGTH} characters`);
    work.spend(text.length / 50);
    return compiled.get(text) ?? compile(text, parameters, work);
  } catch (error) {
    // Not kept: of another request's budget there may be enough left.
    return err(error instanceof WorkSpent ? "the schema is too costly to check" : "the schema is not valid");
  }
}

function compile(text: string, parameters: unknown, work: WorkBudget): Result<ArgumentSchema, string> {
  const read = readSchema(parameters, work);
  const schema: Result<ArgumentSchema, string> = read.ok ? ok(validator(read.value.node)) : read;
  compiled.set(text, schema, read.ok ? read.value.bytes : 0);
  return schema;
}

const validator = (node: SchemaNode): ArgumentSchema => ({
  validate(value, work) {
    const issues: ArgumentIssue[] = [];
    try {
      holds(node, { value, place: undefined, run: { work, depth: 0, names: new Map() }, issues, evaluated: undefined });
      return issues;
    } catch (error) {
      return [{ path: "", message: error instanceof Error ? error.message.slice(0, 200) : "cannot be checked" }];
    }
  },
});
