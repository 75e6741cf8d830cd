/** The audit record of what happened to an approval. */

import type { Approval, Channel, Grant } from "../../../approvals/approval.ts";
import { describeApproval, disclosureText } from "../../../approvals/disclosure/disclosure.ts";
import { newId } from "../../../lib/ids.ts";
import { recordedArguments } from "../../../lib/redact.ts";
import type { ApprovalRecord } from "../../../ports/audit-record.ts";
import { rootSession } from "../../../session/thread.ts";
import { type AuditKeys, keyedDigest } from "../../audit/audit-keys.ts";
import { readMeta } from "../meta.ts";
import { appendRecord } from "../outbox/outbox.ts";
import { queueEvent } from "../webhooks.ts";
import { type ApprovalRow, answerOf, type Logs, toApproval } from "./rows.ts";

/** Also queues the webhook. @param row as it is after the event. @returns it as an approval. */
export function recordApproval(
  sql: SqlStorage,
  keys: AuditKeys,
  row: ApprovalRow,
  { event, now, grant }: { readonly event: ApprovalRecord["event"]; readonly now: number; readonly grant?: Grant },
): Approval {
  const owner = readMeta(sql, "owner");
  if (!owner) throw new Error("the object has no owner: nothing was asked in it");
  const approval = toApproval(row);
  const { asks, recorded } = approval;
  const logs = JSON.parse(row.logs) as Logs;
  const answered = event === "approved" || event === "edited" || event === "denied" ? answerOf(row)?.taken : undefined;
  appendRecord(sql, keys, {
    kind: "approval",
    id: newId("evt", now),
    approval: row.id,
    event,
    turn: row.turn,
    decision: row.decision,
    tenant: owner.tenant,
    user: owner.user,
    session: rootSession(row.session),
    at: now,
    expiresAt: row.expires,
    tool: row.tool,
    callId: row.call_id,
    channel: row.channel as Channel,
    asks,
    arguments: logs.arguments ? bounded(recorded) : null,
    digest: keyedDigest(keys, row.digest),
    // It contains the arguments.
    disclosure:
      event === "asked" && logs.words && logs.arguments ? disclosureText(describeApproval(approval, "recorded")) : null,
    via: answered?.via ?? null,
    by: answered?.by ?? null,
    reason: logs.words ? (answered?.reason ?? null) : null,
    grant: grant
      ? { id: grant.id, session: grant.session, expiresAt: grant.expiresAt, arguments: Object.keys(grant.arguments) }
      : null,
    policy: row.policy,
  });
  const type = event === "asked" ? "approval.asked" : answered ? "approval.answered" : "approval.ended";
  queueEvent(sql, type, approval, owner, now);
  return approval;
}

/** The person sees all of them; a record must fit into one row. */
const bounded = (recorded: unknown): unknown =>
  typeof recorded === "object" && recorded !== null ? recordedArguments(recorded as Record<string, unknown>, []) : null;
