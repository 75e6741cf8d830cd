/**
 * What a policy's JSON path (RFC 9535) selects of an answer. Pure.
 *
 * The answer is somebody else's, so the path may cost no more than reading it a few times: patterns run in linear time, and a
 * path whose work could grow faster than the answer is refused. The library is loaded where a tool has a path.
 */
import type { JSONPathNode, JSONPathQuery } from "json-p3";
import { mayLoseNumbers, parseExact } from "../../lib/json/exact-json.ts";
import { loadPathCompiler, readJsonPath } from "../../lib/json/json-path.ts";
import type { MatchText, PathCompiler } from "../../lib/json/json-path-environment.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import { compilePattern, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";

let environment: PathCompiler | undefined;

const compiled = new Map<string, Result<JSONPathQuery, string>>();
const MAX_COMPILED = 200;

/**
 * Of a path that can only mean one value that value, of any other the list of all, as JSON text. Filters compare numbers as
 * doubles; what is selected has its numbers as they were written.
 */
export async function selectJson(text: string, path: string): Promise<Result<string, string>> {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    return err("the answer is not JSON");
  }
  environment ??= await loadPathCompiler(matches);
  const query = compile(environment, path);
  if (!query.ok) return query;
  paying = { work: workBudget(), patterns: new Map() };
  try {
    const found = valuesAt([...query.value.query(plain as never)], text);
    if (!query.value.singularQuery()) return ok(JSON.stringify(found));
    return found.length === 0 ? err(`the answer has nothing at \`${path}\``) : ok(JSON.stringify(found[0]));
  } catch {
    return err(`\`${path}\` cannot be followed in this answer`);
  }
}

interface Search {
  readonly work: WorkBudget;
  /** By their text: a filter asks with each item, and the pattern may stand in the answer. */
  readonly patterns: Map<string, LinearPattern | undefined>;
}

/** Of the query that runs: queries are synchronous. */
let paying: Search = { work: workBudget(), patterns: new Map() };

const matches: MatchText = (text, pattern) => {
  const { work, patterns } = paying;
  if (!patterns.has(pattern)) {
    const compiled = compilePattern(pattern, work);
    patterns.set(pattern, compiled.ok ? compiled.value : undefined);
  }
  return patterns.get(pattern)?.test(text, work) ?? false;
};

/** The library would take a number that is kept as it was written for an object, so only its locations are used then. */
function valuesAt(nodes: readonly JSONPathNode[], text: string): readonly unknown[] {
  if (!mayLoseNumbers(text)) return nodes.map(({ value }) => value);
  const exact = parseExact(text);
  return nodes.map(({ location }) =>
    location.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], exact),
  );
}

function compile(environment: PathCompiler, path: string): Result<JSONPathQuery, string> {
  const known = compiled.get(path);
  if (known) return known;
  const query = readJsonPath(environment, path);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(path, query);
  return query;
}
