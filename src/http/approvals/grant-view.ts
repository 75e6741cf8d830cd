/** A grant as its user reads it. Pure. */

import type { ArgumentCondition, Grant } from "../../approvals/approval.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";
import { grantText } from "../../approvals/grant-terms.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import { isoTime, isoTimeOrNull } from "../../lib/text/iso-time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";

/** Told as the policy in force redacts, whatever it did when the grant was given. */
export function grantView(grant: Grant, policy: CompiledPolicy, language: Language): Readonly<Record<string, unknown>> {
  const told = withoutRedacted(grant, traitsOf(policy, grant.tool).redact);
  return {
    object: "grant",
    id: grant.id,
    tool: grant.tool,
    session_id: grant.session,
    arguments: told.arguments,
    text: grantText(told, language),
    created_at: isoTime(grant.createdAt),
    expires_at: isoTimeOrNull(grant.expiresAt),
    approval_id: grant.approval,
  };
}

/** A pattern for a redacted argument tells of its value, too. */
function withoutRedacted(grant: Grant, redact: readonly string[]): Grant {
  const conditions = Object.entries(grant.arguments).map(([name, condition]): [string, ArgumentCondition] => {
    const [key, value] = "equals" in condition ? ["equals", condition.equals] : ["matches", condition.matches];
    const told = redactArguments({ [name]: value }, redact)[name];
    return [name, key === "equals" ? { equals: told } : { matches: typeof told === "string" ? told : redacted }];
  });
  return { ...grant, arguments: Object.fromEntries(conditions) };
}
