/** Errors of a policy document, and warnings for its author. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { PolicyDocument } from "./document-schema.ts";

/** One error of a policy document, or one thing that its author should know. */
export interface PolicyIssue {
  /** JSON pointer into the document, "" for the whole. */
  readonly path: string;
  /** What is wrong and what to do about it. */
  readonly message: string;
  /** A turn that shows the broken invariant, as a body for `POST /admin/policies/:tenant/simulate`. */
  readonly turn?: unknown;
}

export type IssuePath = readonly (string | number)[];

/** A step may be a test of member names: the author chooses names, so no string can mean "any". */
export type ReadPath = readonly (string | number | ((name: string) => boolean))[];
export const ANY = (): boolean => true;

/**
 * One line of a check: the path, and what is wrong there, if anything.
 * `reads` are other parts on which the answer depends. If one of them is malformed, it may be the only cause.
 */
type Finding = readonly [path: IssuePath, fault: string | false | undefined, reads?: readonly ReadPath[]];

export type Findings = Generator<Finding, void>;
/** Checks one subject. Throws `WorkSpent`. */
export type Check = (document: PolicyDocument, work: WorkBudget) => Findings;

/** Sorted by path, without repetitions. Issues of one path keep their order. */
export function sortIssues<T extends PolicyIssue>(issues: readonly T[]): T[] {
  const unique = new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  const placed = [...unique.values()].map((issue) => ({ issue, at: issue.path.split("/") }));
  return placed.sort((one, other) => comparePlaces(one.at, other.at)).map(({ issue }) => issue);
}

function comparePlaces(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  if (at < 0) return one.length - other.length;
  const [left = "", right] = [one[at], other[at]];
  if (right === undefined) return 1;
  const numbers = /^\d+$/.test(left) && /^\d+$/.test(right);
  return numbers ? Number(left) - Number(right) : left < right ? -1 : 1;
}

export type PartPath = readonly PropertyKey[];

export class MalformedParts {
  /** Removed from the document, or replaced: nothing about them or inside them is checked. */
  readonly #unread: PartPath[] = [];
  /** In the document, but perhaps not as the author means it: a repeated key, or the path of a misspelt one. */
  readonly #doubtful: PartPath[] = [];

  addUnread(path: PartPath): void {
    this.#unread.push(path);
  }

  addDoubtful(path: PartPath): void {
    this.#doubtful.push(path);
  }

  /** @param reads other parts on which a finding at `path` depends. */
  mayCause(path: ReadPath, reads: readonly ReadPath[]): boolean {
    if (this.#unread.some((part) => part.length <= path.length && overlap(part, path))) return true;
    const parts = [...this.#unread, ...this.#doubtful];
    return parts.some((part) => reads.some((read) => overlap(part, read)));
  }
}

/** Whether one path is the beginning of the other. */
function overlap(part: PartPath, read: ReadPath): boolean {
  const common = Math.min(part.length, read.length);
  for (let at = 0; at < common; at++) {
    const [name, step] = [String(part[at]), read[at]];
    if (typeof step === "function" ? !step(name) : name !== String(step)) return false;
  }
  return true;
}

/** `note`: what an author should have read once; `warning`: what should be changed, or left on purpose. */
const severities = {
  annotations_trusted: "warning",
  changes_unknown: "warning",
  condition_argument_unknown: "warning",
  condition_without_required: "warning",
  detection_without_words: "warning",
  disclosure_argument_unknown: "warning",
  fail_without_required: "warning",
  family_not_allowed: "warning",
  family_unknown: "warning",
  guard_not_in_force: "warning",
  guard_older_form: "warning",
  guard_overridden: "warning",
  hosted_not_allowed: "warning",
  hosted_unvetted: "warning",
  injection_set_unused: "warning",
  intent_general: "note",
  intent_without_words: "warning",
  keyword_empty: "warning",
  keyword_shared: "warning",
  layer_not_asked: "warning",
  limit_zero: "warning",
  mcp_tools_reachable: "warning",
  mcp_tools_unreachable: "warning",
  parameters_missing: "warning",
  parameters_replace: "note",
  pass_field_needless: "warning",
  preview_property_unknown: "warning",
  private_addresses: "warning",
  redacted_in_url: "warning",
  roles_empty: "warning",
  secret_literal: "warning",
  secret_unbound: "warning",
  semantic_few_examples: "warning",
  semantic_not_ready: "warning",
  semantic_untaught: "warning",
  setting_without_effect: "warning",
  system_first_never: "warning",
  tool_not_listed: "warning",
  trusted_text_of_others: "warning",
  undo_argument_unknown: "warning",
} as const satisfies Readonly<Record<string, "note" | "warning">>;

type WarningCode = keyof typeof severities;
export const warningCodes = Object.keys(severities) as WarningCode[];

export interface PolicyWarning extends PolicyIssue {
  readonly code: WarningCode;
  readonly severity: "note" | "warning";
}

/** One line of a check for warnings: no text means that nothing is wrong. */
export type Warning = readonly [code: WarningCode, path: IssuePath, text: string | false | undefined];
export type Warnings = Generator<Warning, void>;
/** @param input the document as it was written. */
export type WarningCheck = (document: PolicyDocument, input: unknown) => Warnings;

/** @param path JSON pointer. */
export const policyWarning = (code: WarningCode, path: string, message: string): PolicyWarning => ({
  code,
  severity: severities[code],
  path,
  message,
});
