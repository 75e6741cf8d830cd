/** A policy document as a whole: read, checked and compiled, or every error that it has. Pure. */
import type { DocumentFault } from "../lib/json/json-document.ts";
import { ok, type Result } from "../lib/result.ts";
import { type CompiledPolicy, compilePolicy } from "./compile.ts";
import { type PolicyDocument, type PolicyIssue, parsePolicyDocument } from "./document/document.ts";
import type { PolicyWarning } from "./document/policy-warning.ts";

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
