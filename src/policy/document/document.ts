/**
 * Reads the policy document: one JSON document a tenant. Pure.
 * An invalid document is refused as a whole, with every error and its path; the previous one stays in force.
 */
import type { DocumentFault } from "../../lib/json/json-document.ts";
import { toPointer } from "../../lib/json/json-value.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { REQUEST_WORK, withinBudget, workBudget } from "../../lib/work-budget.ts";
import { checkDocument } from "./checks/check-document.ts";
import { warnDocument } from "./checks/warn-document.ts";
import type { PolicyDocument } from "./document-schema.ts";
import { readShape } from "./document-shape.ts";
import { type MalformedParts, type PolicyIssue, type PolicyWarning, sortIssues } from "./policy-issue.ts";

export type { PolicyDocument } from "./document-schema.ts";
export type { PolicyIssue } from "./policy-issue.ts";

/** With warnings about settings that its author may not mean. */
export function parsePolicyDocument(
  input: unknown,
  faults: readonly DocumentFault[] = [],
): Result<{ document: PolicyDocument; warnings: readonly PolicyWarning[] }, readonly PolicyIssue[]> {
  const document = readPolicyDocument(input, faults);
  return document.ok ? ok({ document: document.value, warnings: warnDocument(document.value, input) }) : document;
}

/**
 * @param faults of the document's text: the value no longer shows a repeated key.
 * @returns the document, or every error, sorted by path.
 */
export function readPolicyDocument(
  input: unknown,
  faults: readonly DocumentFault[] = [],
): Result<PolicyDocument, readonly PolicyIssue[]> {
  const { document, malformed, issues } = readShape(input);
  // `readShape` finds a `__proto__` in the value.
  const ofText = faults.filter(({ problem }) => problem !== "proto_key");
  for (const { path } of ofText) malformed.addDoubtful(path);
  const unreadable = new Set(ofText.flatMap(({ problem, path }) => (problem === "number" ? [toPointer(path)] : [])));
  const errors = [
    ...ofText.map(({ path, message }) => ({ path: toPointer(path), message })),
    ...issues.filter(({ path }) => !unreadable.has(path)),
  ];
  if (document !== undefined) errors.push(...checkWithin(input, document, malformed));
  if (document === undefined || errors.length > 0) return err(sortIssues(errors));
  return ok(document);
}

const TOO_COSTLY = "has patterns or schemas that are too costly to check together, use fewer and shorter ones";

/** As much work as an honest document of its length needs: a stored document stays valid. */
const checkWithin = (input: unknown, document: PolicyDocument, malformed: MalformedParts): readonly PolicyIssue[] =>
  withinBudget<readonly PolicyIssue[]>(
    () => checkDocument(document, workBudget(REQUEST_WORK + 2 * JSON.stringify(input).length), malformed),
    () => [{ path: "", message: TOO_COSTLY }],
  );
