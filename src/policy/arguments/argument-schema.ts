/**
 * Checks arguments against a tool's JSON Schema. Pure. Nothing is fetched, and all work is paid from the request's budget.
 * If a schema cannot be checked, no call of its tool passes.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { ArgumentIssue } from "../reasons.ts";
import type { SchemaFault } from "./schema/read-keyword.ts";
import { readSchema } from "./schema/read-schema.ts";
import { holds, type SchemaNode, type Visit } from "./schema/schema-node.ts";

/** A compiled schema, whole and local. */
interface ArgumentSchema {
  /** @returns no issues, or at most five; their messages are for the model. */
  validate(value: unknown, work: WorkBudget): readonly ArgumentIssue[];
  /** Throws `WorkSpent`. The error says why it cannot be checked: "it does not match" would be a guess. */
  matches(value: unknown, work: WorkBudget): Result<boolean, string>;
}

const MAX_LENGTH = 262_144;

type CompiledSchema = Result<ArgumentSchema, readonly SchemaFault[]>;

const known = boundedCache<CompiledSchema>({ maxBytes: CACHE_BYTES.schemas });

/** @returns the compiled schema, cached by its text; or why calls cannot be checked against it (worded for the model). */
export function compileSchema(parameters: unknown, work: WorkBudget): Result<ArgumentSchema, string> {
  const found = lookUp(parameters, work);
  return found.ok ? found : err(faultText(found.error));
}

/** All reasons why calls cannot be checked against the schema; none if they can. */
export function schemaFaults(parameters: unknown, work: WorkBudget): readonly SchemaFault[] {
  const found = lookUp(parameters, work);
  return found.ok ? [] : found.error;
}

export function faultText([fault = { path: "", message: "it cannot be read" }]: readonly SchemaFault[]): string {
  const place = fault.path === "" ? "" : ` (at \`${fault.path.slice(0, 200)}\`)`;
  return `the schema is not valid: ${fault.message}${place}`;
}

/** Each step of a turn looks up all its tools, and to serialise 60 KB of schema takes half a millisecond. */
const texts = new WeakMap<object, string>();

function lookUp(parameters: unknown, work: WorkBudget): CompiledSchema {
  try {
    const text = (isObject(parameters) ? texts.get(parameters) : undefined) ?? textOf(parameters, work);
    if (text === undefined) return refused("it is not JSON");
    if (text.length > MAX_LENGTH) return refused(`it is longer than ${MAX_LENGTH} characters`);
    return known.get(text) ?? compile(text, parameters, work);
  } catch (error) {
    // Not cached: another request's budget may be enough.
    return refused(error instanceof WorkSpent ? "it is too costly to check" : "it cannot be read");
  }
}

function textOf(parameters: unknown, work: WorkBudget): string | undefined {
  // Before the text is written: a request without budget must not cause even that work.
  work.spend(1);
  const text: string | undefined = JSON.stringify(parameters);
  work.spend(Math.min(text?.length ?? 0, MAX_LENGTH) / 50);
  if (isObject(parameters) && text !== undefined) texts.set(parameters, text);
  return text;
}

const refused = (message: string): CompiledSchema => err([{ path: "", message }]);

function compile(text: string, parameters: unknown, work: WorkBudget): CompiledSchema {
  const read = readSchema(parameters, work);
  const schema = read.ok ? ok(validator(read.value.node)) : read;
  known.set(text, schema, read.ok ? read.value.bytes : bytesOf(read.error));
  return schema;
}

const bytesOf = (faults: readonly SchemaFault[]): number =>
  faults.reduce((bytes, { path, message }) => bytes + 200 + 2 * (path.length + message.length), 0);

const visitOf = (value: unknown, work: WorkBudget, issues: ArgumentIssue[] | undefined): Visit => ({
  value,
  place: undefined,
  run: { work, depth: 0, names: new Map() },
  issues,
  evaluated: undefined,
});

const validator = (node: SchemaNode): ArgumentSchema => ({
  validate(value, work) {
    const issues: ArgumentIssue[] = [];
    try {
      holds(node, visitOf(value, work, issues));
      return issues;
    } catch (error) {
      return [{ path: "", message: error instanceof Error ? error.message.slice(0, 200) : "cannot be checked" }];
    }
  },
  matches(value, work) {
    try {
      return ok(holds(node, visitOf(value, work, undefined)));
    } catch (error) {
      if (error instanceof WorkSpent || !(error instanceof Error)) throw error;
      return err(error.message.slice(0, 200));
    }
  },
});
