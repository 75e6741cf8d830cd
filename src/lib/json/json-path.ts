/**
 * JSON paths (RFC 9535) whose cost is bounded. Pure.
 *
 * The library takes milliseconds to load, so it is loaded when a path is first used.
 */
import type { JSONPathQuery } from "json-p3";
import { err, ok, type Result } from "../result.ts";
import type { MatchText, PathCompiler } from "./json-path-environment.ts";

/** @param matches for the functions `match` and `search` of a filter. */
export const loadPathCompiler = async (matches: MatchText): Promise<PathCompiler> =>
  (await import("./json-path-environment.ts")).newEnvironment(matches);

/** The error says why the path cannot be used, for its author. */
export function readJsonPath(compiler: PathCompiler, path: string): Result<JSONPathQuery, string> {
  const fault = costFault(path);
  if (fault !== undefined) return err(fault);
  try {
    return ok(compiler.compile(path));
  } catch {
    return err(`\`${path}\` is not a JSON path (RFC 9535)`);
  }
}

/** Selectors of a list; and slices and wildcards among them, each of which selects everything again. */
const MAX_LISTED = 16;
const MAX_WIDE = 2;

/**
 * Each `..` reads everything below, and so does each filter: one of them is linear, but one inside or after another is not.
 * A list of selectors multiplies the input of the next selector.
 */
function costFault(path: string): string | undefined {
  const bare = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
  const descents = bare.split("..").length - 1;
  const filters = bare.split("?").length - 1;
  const lists = bare.match(/\[[^\]?]*,[^\]]*\]/g) ?? [];
  const [list = ""] = lists;
  if (descents > 1) return `\`${path}\` descends (\`..\`) more than once`;
  if (filters > 1) return `\`${path}\` has more than one filter`;
  if (lists.length > 1) return `\`${path}\` has more than one list of selectors`;
  if (list.split(",").length > MAX_LISTED) return `\`${path}\` lists more than ${MAX_LISTED} selectors`;
  if (list.split(",").filter((selector) => /[:*]/.test(selector)).length > MAX_WIDE)
    return `\`${path}\` lists more than ${MAX_WIDE} slices or wildcards`;
  const inFilter = bare.slice(bare.indexOf("?") + 1);
  if (filters === 1 && /\.\.|\*|\$/.test(inFilter.slice(0, endOfFilter(inFilter))))
    return `the filter of \`${path}\` looks at more than the item's own members`;
  return undefined;
}

/** The offset of the bracket that closes the filter. */
function endOfFilter(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && depth-- === 0) return at;
  }
  return text.length;
}
