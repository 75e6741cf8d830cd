/** Reads, checks and compiles a whole policy document, or finds every error in it. Pure. */
import { runYielding } from "../lib/concurrency.ts";
import type { DocumentFault } from "../lib/json/json-document.ts";
import { loadPathCompiler, readJsonPath } from "../lib/json/json-path.ts";
import { toPointer, valueAt } from "../lib/json/json-value.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type CompiledPolicy, compilePolicy } from "./compile.ts";
import { type PolicyDocument, parsePolicyDocument } from "./document/document.ts";
import { type PolicyIssue, type PolicyWarning, sortIssues } from "./document/policy-issue.ts";
import { type Proof, proving } from "./prove/prove.ts";

export interface CheckedPolicy {
  readonly document: PolicyDocument;
  readonly policy: CompiledPolicy;
  readonly warnings: readonly PolicyWarning[];
}

/**
 * @param version content digest of the document.
 * @param faults of its text.
 */
export function checkPolicy(
  input: unknown,
  version: string,
  faults: readonly DocumentFault[] = [],
): Result<CheckedPolicy, readonly PolicyIssue[]> {
  const parsed = parsePolicyDocument(input, faults);
  if (!parsed.ok) return parsed;
  const { document, warnings } = parsed.value;
  const compiled = compilePolicy(document, version);
  return compiled.ok ? ok({ document, policy: compiled.value, warnings }) : compiled;
}

interface NewlyCheckedPolicy extends CheckedPolicy {
  readonly proofs: readonly Proof[];
}

/** For a new document. It also checks the JSON paths, which loads their library, and proves the invariants. */
export async function checkNewPolicy(
  input: unknown,
  version: string,
  faults: readonly DocumentFault[] = [],
): Promise<Result<NewlyCheckedPolicy, readonly PolicyIssue[]>> {
  const checked = checkPolicy(input, version, faults);
  const issues = await jsonPathIssues(input);
  if (!checked.ok || issues.length > 0) return err(sortIssues([...(checked.ok ? [] : checked.error), ...issues]));
  const { document, policy } = checked.value;
  const proofs = await runYielding(proving(policy, document.invariants));
  const broken = proofs.filter(({ proved }) => !proved).map(brokenInvariant);
  return broken.length === 0 ? ok({ ...checked.value, proofs }) : err(broken);
}

const brokenInvariant = ({ index, say, problem, counterexample }: Proof): PolicyIssue => ({
  path: toPointer(["invariants", index]),
  message: problem ?? `is broken (\`${say}\`): ${counterexample?.text}`,
  ...(counterexample ? { turn: counterexample.turn } : {}),
});

/** @param input the document as it was written: its paths are checked even if other parts are wrong. */
async function jsonPathIssues(input: unknown): Promise<readonly PolicyIssue[]> {
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
