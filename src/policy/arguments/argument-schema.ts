/**
 * Arguments against a tool's JSON Schema. Pure. Nothing is fetched, and all work is paid from the request's budget.
 * A schema that cannot be checked lets no call by.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { ArgumentIssue } from "../reasons.ts";
import type { SchemaFault } from "./schema/read-keyword.ts";
import { readSchema } from "./schema/read-schema.ts";
import { holds, type SchemaNode } from "./schema/schema-node.ts";

/** A schema that can be checked against, whole and local. */
export interface ArgumentSchema {
  /** @returns no issues, or at most five; their messages are for the model. */
  validate(value: unknown, work: WorkBudget): readonly ArgumentIssue[];
}

const MAX_LENGTH = 262_144;

type CompiledSchema = Result<ArgumentSchema, readonly SchemaFault[]>;

const known = boundedCache<CompiledSchema>({ maxBytes: CACHE_BYTES.schemas });

/** @returns the compiled schema, cached by its text; or why calls cannot be checked against it (worded for the model). */
export function compileSchema(parameters: unknown, work: WorkBudget): Result<ArgumentSchema, string> {
  const found = lookUp(parameters, work);
  return found.ok ? found : err(faultText(found.error));
}

/** Each step of a turn asks about all its tools. Nothing changes their schemas. */
const sound = new WeakSet<object>();

/** Everything for which calls cannot be checked against the schema; none where they can. */
export function schemaFaults(parameters: unknown, work: WorkBudget): readonly SchemaFault[] {
  if (isObject(parameters) && sound.has(parameters)) return [];
  const found = lookUp(parameters, work);
  return found.ok ? [] : found.error;
}

export function faultText([fault = { path: "", message: "it cannot be read" }]: readonly SchemaFault[]): string {
  const place = fault.path === "" ? "" : ` (at \`${fault.path.slice(0, 200)}\`)`;
  return `the schema is not valid: ${fault.message}${place}`;
}

/** A plan asks about the same schema at each step, and to write 60 KB of it takes half a millisecond. Gone with the request. */
const ofRequest = new WeakMap<WorkBudget, Map<unknown, CompiledSchema>>();

function lookUp(parameters: unknown, work: WorkBudget): CompiledSchema {
  const found = ofRequest.get(work)?.get(parameters);
  if (found) return found;
  const read = lookUpText(parameters, work);
  if (!read.ok || !isObject(parameters)) return read;
  ofRequest.set(work, (ofRequest.get(work) ?? new Map<unknown, CompiledSchema>()).set(parameters, read));
  return read;
}

function lookUpText(parameters: unknown, work: WorkBudget): CompiledSchema {
  try {
    // Before the text is written: a request whose budget is spent must not go on paying for that.
    work.spend(1);
    const text = JSON.stringify(parameters);
    if (text === undefined) return refused("it is not JSON");
    if (text.length > MAX_LENGTH) return refused(`it is longer than ${MAX_LENGTH} characters`);
    work.spend(text.length / 50);
    const found = known.get(text) ?? compile(text, parameters, work);
    if (found.ok && isObject(parameters)) sound.add(parameters);
    return found;
  } catch (error) {
    // Not kept: of another request's budget there may be enough left.
    return refused(error instanceof WorkSpent ? "it is too costly to check" : "it cannot be read");
  }
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
