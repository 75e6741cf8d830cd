/** The codes of reasons at run time, and where each comes from: cases may expect any, coverage asks for the rules' own. */
import type { ReasonCode } from "../../../policy/reasons.ts";

/** `rule`: of a pure or counted rule, or of the handshake; `failure`: of a broken schema or stream, a race, a forged or replayed answer, or a rule that threw. */
const origins: Readonly<Record<ReasonCode, "rule" | "failure">> = {
  unknown_tool: "rule",
  not_offered: "rule",
  unlisted_tool: "rule",
  definition_changed: "rule",
  schema_invalid: "failure",
  mode_forbids: "rule",
  state_forbids: "rule",
  intent_forbids: "rule",
  family_blocked: "rule",
  soft_limit_reached: "rule",
  role_forbids: "rule",
  auth_required: "rule",
  connection_missing: "rule",
  arguments_invalid: "rule",
  arguments_suspicious: "rule",
  rate_limited: "rule",
  first_use: "rule",
  confirmation_required: "rule",
  approval_denied: "rule",
  approval_expired: "rule",
  approval_cancelled: "rule",
  approval_mismatch: "failure",
  already_undone: "failure",
  intent_unknown: "rule",
  intent_not_detected: "rule",
  intent_conflict: "rule",
  stream_disorderly: "failure",
  rule_failed: "failure",
};

export const reasonCodes = Object.keys(origins) as ReasonCode[];
export const ruleCodes: readonly ReasonCode[] = reasonCodes.filter((code) => origins[code] === "rule");
