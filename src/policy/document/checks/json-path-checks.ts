/** The JSON paths of a policy document: their syntax and their cost. */
import { loadPathCompiler, readJsonPath } from "../../../lib/json/json-path.ts";
import { toPointer, valueAt } from "../../../lib/json/json-value.ts";
import type { PolicyIssue } from "../policy-issue.ts";

/** @param input the document as it was written: each path is checked, whatever else is wrong with the document. */
export async function jsonPathIssues(input: unknown): Promise<readonly PolicyIssue[]> {
  const tools = valueAt(input, ["tools"]);
  const paths = Object.keys(tools ?? {}).flatMap((name) => {
    const { kind, result: path } = (valueAt(tools, [name, "run"]) ?? {}) as { kind?: unknown; result?: unknown };
    return kind === "http" && typeof path === "string"
      ? [{ at: toPointer(["tools", name, "run", "result"]), path }]
      : [];
  });
  if (paths.length === 0) return [];
  const compiler = await loadPathCompiler(() => false);
  return paths.flatMap(({ at, path }) => {
    const read = readJsonPath(compiler, path);
    return read.ok ? [] : [{ path: at, message: read.error }];
  });
}
