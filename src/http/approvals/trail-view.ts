/** An approval as the audit trail has it, in the form of `approvalView`. What only the user's object knows is left open. Pure. */

import { argumentView } from "../../approvals/approval-view.ts";
import type { Effect } from "../../approvals/disclosure/disclosed.ts";
import { describeArgument } from "../../approvals/disclosure/disclosure.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redacted } from "../../lib/redact.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { IndexedApproval } from "../../ports/approval-index-port.ts";
import type { ApprovalRecord } from "../../ports/audit-record.ts";

export function trailView({ id, user, status, asked, ended }: IndexedApproval): Readonly<Record<string, unknown>> {
  return {
    object: "approval",
    id,
    user,
    code: null,
    status,
    tool: asked.tool,
    call_id: asked.callId,
    session_id: asked.session,
    turn_id: asked.turn,
    channel: asked.channel,
    asks: asked.asks,
    arguments: (ended?.event === "edited" ? ended : asked).arguments,
    disclosure: asked.disclosure ?? "",
    question: "",
    details: detailsOf(asked),
    reversible: false,
    first_use: null,
    schema: null,
    editable: false,
    grantable: false,
    created_at: isoTime(asked.at),
    expires_at: isoTime(asked.expiresAt),
    answered_at: ended?.via ? isoTime(ended.at) : null,
    answer: ended ? answerOf(ended) : null,
    settled_by: null,
  };
}

/** The text's lines and the arguments: its parts are not recorded. Else a call with values would be told as one without. */
function detailsOf({ disclosure, arguments: args }: ApprovalRecord): Readonly<Record<string, unknown>> {
  const [summary = "", ...others] = disclosure === null ? [] : disclosure.split("\n");
  return {
    language: "en",
    category: null,
    summary,
    effects: others.map((text): Effect => ({ kind: "note", text })),
    arguments: Object.entries(isObject(args) ? args : {}).map(([name, value]) =>
      argumentView(describeArgument(name, value, { isHidden: value === redacted, isPrivate: false })),
    ),
    more: 0,
    changes: [],
    destination: null,
    learn_more: null,
  };
}

/** Null for what ended without an answer. */
function answerOf({ event, via, by, reason }: ApprovalRecord): Readonly<Record<string, unknown>> | null {
  if (via === null) return null;
  return { action: event === "edited" ? "edit" : event === "denied" ? "deny" : "approve", via, by, reason };
}
