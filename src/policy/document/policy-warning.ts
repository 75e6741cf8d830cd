/** What is valid, but perhaps not what its author means. Pure. Codes are stable: clients and scripts rely on them. */
import type { IssuePath, PolicyIssue } from "./policy-issue.ts";

/** `note`: what an author should have read once; `warning`: what should be changed, or confirmed by being left. */
const severities = {
  annotations_trusted: "warning",
  changes_unknown: "warning",
  detection_without_words: "warning",
  disclosure_argument_unknown: "warning",
  fail_without_required: "warning",
  family_not_allowed: "warning",
  family_unknown: "warning",
  guard_not_in_force: "warning",
  guard_older_form: "warning",
  guard_overridden: "warning",
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
  undo_argument_unknown: "warning",
} as const satisfies Readonly<Record<string, "note" | "warning">>;

export type WarningCode = keyof typeof severities;
export const warningCodes = Object.keys(severities) as WarningCode[];

export interface PolicyWarning extends PolicyIssue {
  readonly code: WarningCode;
  readonly severity: "note" | "warning";
}

/** Takes one warning; who looks at a part of a document is handed it. */
export type Warn = (code: WarningCode, path: IssuePath, message: string) => void;

/** @param path JSON pointer. */
export const policyWarning = (code: WarningCode, path: string, message: string): PolicyWarning => ({
  code,
  severity: severities[code],
  path,
  message,
});
