/** Reads, checks and compiles a whole policy document, or finds every error in it. Pure. */
import type { DocumentFault } from "../lib/json/json-document.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { type CompiledPolicy, compilePolicy } from "./compile.ts";
import { jsonPathIssues } from "./document/checks/json-path-checks.ts";
import { type PolicyDocument, type PolicyIssue, parsePolicyDocument } from "./document/document.ts";
import { type PolicyWarning, sortIssues } from "./document/policy-issue.ts";

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

/** For a document that somebody has just written. It also checks the JSON paths, whose library is loaded for it. */
export async function checkNewPolicy(
  input: unknown,
  version: string,
  faults: readonly DocumentFault[] = [],
): Promise<Result<CheckedPolicy, readonly PolicyIssue[]>> {
  const checked = checkPolicy(input, version, faults);
  const issues = await jsonPathIssues(input);
  return issues.length === 0 ? checked : err(sortIssues([...(checked.ok ? [] : checked.error), ...issues]));
}
