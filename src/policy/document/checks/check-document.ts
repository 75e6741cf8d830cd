/** Checks a policy document beyond its shape: names must exist; selectors, patterns and templates must be readable. Pure. */
import { toPointer } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import type { PolicyDocument } from "../document-schema.ts";
import { type Check, MalformedParts, type PolicyIssue } from "../policy-issue.ts";
import { checkEntities, checkFallback, checkFamilies, checkGuard, checkPrimaryTools } from "./intent-checks.ts";
import { checkInvariants } from "./invariant-checks.ts";
import {
  checkConditions,
  checkCounts,
  checkGroups,
  checkHosted,
  checkInjectionSets,
  checkPassFields,
  checkPatterns,
  checkRoles,
  checkSchemas,
  checkSelectors,
  checkSequences,
} from "./name-checks.ts";
import { checkMcpTools, checkRuns, checkServers } from "./run-checks.ts";
import { checkUndo } from "./undo-checks.ts";

const checks: readonly Check[] = [
  ...[checkCounts, checkSelectors, checkRoles, checkGroups, checkSchemas, checkConditions, checkPatterns],
  ...[
    checkInjectionSets,
    checkPassFields,
    checkHosted,
    checkRuns,
    checkServers,
    checkMcpTools,
    checkUndo,
    checkSequences,
  ],
  ...[checkPrimaryTools, checkFallback, checkGuard, checkFamilies, checkEntities, checkInvariants],
];

/**
 * @param malformed parts that are missing from the document as it was read: issues that may follow from them are left out.
 * Throws `WorkSpent` when the budget is spent.
 */
export function checkDocument(
  document: PolicyDocument,
  work: WorkBudget,
  malformed = new MalformedParts(),
): PolicyIssue[] {
  const issues: PolicyIssue[] = [];
  for (const check of checks)
    for (const [path, fault, reads = []] of check(document, work))
      if (fault && !malformed.mayCause(path, reads)) issues.push({ path: toPointer(path), message: fault });
  return issues;
}
