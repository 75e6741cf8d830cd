/**
 * What a policy's JSON path (RFC 9535) selects of an answer. Pure.
 *
 * The answer is somebody else's, so the path may cost no more than reading it a few times: patterns run in linear time, and a
 * path whose work could grow faster than the answer is refused. Loaded where a tool has a path.
 */
import { type FilterFunction, FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { err, ok, type Result } from "../../lib/result.ts";
import { compilePattern } from "../../policy/linear-pattern.ts";
import { costOf } from "../../policy/managed/json-path-syntax.ts";

const { LogicalType, ValueType } = FunctionExpressionType;

/** `match` and `search` with patterns that cannot be made to hang. One that is none matches nothing, as the RFC has it. */
const linear = (around: (pattern: string) => string): FilterFunction => ({
  argTypes: [ValueType, ValueType],
  returnType: LogicalType,
  call(text: unknown, pattern: unknown): boolean {
    if (typeof text !== "string" || typeof pattern !== "string") return false;
    const compiled = compilePattern(around(pattern));
    return compiled.ok && compiled.value.test(text);
  },
});

const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });
environment.functionRegister.set(
  "match",
  linear((pattern) => `^(?:${pattern})$`),
);
environment.functionRegister.set(
  "search",
  linear((pattern) => pattern),
);

const compiled = new Map<string, Result<JSONPathQuery, string>>();
const MAX_COMPILED = 200;

/** JSON text: of a path that can only mean one value that value, of any other the list of all. */
export function selectJson(value: unknown, path: string): Result<string, string> {
  const query = compile(path);
  if (!query.ok) return query;
  try {
    const found = query.value.query(value as never).values();
    if (!query.value.singularQuery()) return ok(JSON.stringify(found));
    return found.length === 0 ? err(`the answer has nothing at \`${path}\``) : ok(JSON.stringify(found[0]));
  } catch {
    return err(`\`${path}\` cannot be followed in this answer`);
  }
}

function compile(path: string): Result<JSONPathQuery, string> {
  const known = compiled.get(path);
  if (known) return known;
  const query = read(path);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(path, query);
  return query;
}

function read(path: string): Result<JSONPathQuery, string> {
  const fault = costOf(path);
  if (fault !== undefined) return err(fault);
  try {
    return ok(environment.compile(path));
  } catch {
    return err(`\`${path}\` is no JSON path (RFC 9535)`);
  }
}
