/**
 * Reads the policy document: one JSON document a tenant. Pure.
 * An invalid one is refused as a whole, with every error and its path; the one in force stays in force.
 */
import { err, ok, type Result } from "../lib/result.ts";
import { checkDocument } from "./document-checks.ts";
import type { PolicyDocument } from "./document-schema.ts";
import { readShape } from "./document-shape.ts";
import { warnDocument } from "./document-warnings.ts";
import { type PolicyIssue, sortIssues } from "./policy-issue.ts";

export type { PolicyDocument } from "./document-schema.ts";
export type { PolicyIssue } from "./policy-issue.ts";

/** @returns the document with warnings of what its author may not mean, or every error, sorted by path. */
export function parsePolicyDocument(
  input: unknown,
): Result<{ document: PolicyDocument; warnings: readonly PolicyIssue[] }, readonly PolicyIssue[]> {
  const { document, malformed, issues } = readShape(input);
  const errors = document === undefined ? issues : [...issues, ...checkDocument(document, malformed)];
  if (document === undefined || errors.length > 0) return err(sortIssues(errors));
  return ok({ document, warnings: warnDocument(document, input) });
}
