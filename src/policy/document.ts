/**
 * Reads the policy document: one JSON document a tenant. Pure.
 * An invalid one is refused as a whole, with every error and its path; the one in force stays in force.
 */
import type { z } from "zod";
import { err, ok, type Result } from "../lib/result.ts";
import { REQUEST_WORK, type WorkBudget, WorkSpent, workBudget } from "../lib/work-budget.ts";
import { checkDocument } from "./document-checks.ts";
import { toIssues, wording } from "./document-issues.ts";
import { hidesFamilies, salvage } from "./document-salvage.ts";
import { type PolicyDocument, policyDocument } from "./document-schema.ts";
import { warnDocument } from "./document-warnings.ts";
import { type PolicyIssue, pointer } from "./policy-issue.ts";

export type { PolicyDocument } from "./document-schema.ts";
export type { PolicyIssue } from "./policy-issue.ts";

/** @returns the document with warnings for settings that this version accepts but does not enforce, or every error. */
export function parsePolicyDocument(
  input: unknown,
): Result<{ document: PolicyDocument; warnings: readonly PolicyIssue[] }, readonly PolicyIssue[]> {
  const faults = unfit(input, "");
  if (faults.length > 0) return err(faults);
  const parsed = policyDocument().safeParse(input, { error: wording });
  // As much as an honest document of its length needs: what was good when it was stored stays good.
  const work = workBudget(REQUEST_WORK + 2 * JSON.stringify(input).length);
  try {
    if (!parsed.success) {
      const { issues } = parsed.error;
      return err([...issues.flatMap(toIssues), ...checkRest(input, issues, work)]);
    }
    const errors = checkDocument(parsed.data, { work });
    if (errors.length > 0) return err(errors);
    return ok({ document: parsed.data, warnings: warnDocument(parsed.data, input) });
  } catch (error) {
    if (error instanceof WorkSpent) return err([{ path: "", message: TOO_COSTLY }]);
    throw error;
  }
}

const TOO_COSTLY = "has patterns or schemas that are too costly to check together, use fewer and shorter ones";

/** What else is wrong, as far as it can be told before the shape is right. */
function checkRest(input: unknown, issues: readonly z.core.$ZodIssue[], work: WorkBudget): PolicyIssue[] {
  const wrong = issues.flatMap(({ path, ...issue }) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path],
  );
  const rest = policyDocument().safeParse(salvage(input, wrong));
  return rest.success ? checkDocument(rest.data, { work, families: !hidesFamilies(wrong) }) : [];
}

/**
 * zod drops `__proto__` keys without a word: a tool or a mode of that name would be a rule that is not in force. And half a
 * character can be in no header, no digest and no database: a name that holds one could be told nowhere.
 */
function unfit(value: unknown, path: string): PolicyIssue[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [{ path, message: HALF_A_CHARACTER }];
  if (typeof value !== "object" || value === null) return [];
  if (path.length > 2_000) return [{ path: path.slice(0, 100), message: "is nested too deeply" }];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = `${path}${pointer([key.toWellFormed()])}`;
    if (key === "__proto__") return [{ path: at, message: "cannot be a name, choose another" }];
    return key.isWellFormed() ? unfit(child, at) : [{ path: at, message: HALF_A_CHARACTER }];
  });
}

const HALF_A_CHARACTER = "holds half a character (a lone surrogate), write the whole one";
