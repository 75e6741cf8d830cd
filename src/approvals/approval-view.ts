/** An approval as every surface tells it: to its user, to operators, in events, webhooks and the reply's `toolgate`. Pure. */
import type { Approval } from "./approval.ts";
import { disclosureText } from "./disclosure-text.ts";

/** Holds nothing that the policy redacts. */
export function approvalView(approval: Approval): Readonly<Record<string, unknown>> {
  const { disclosure, answer } = approval;
  return {
    object: "approval",
    id: approval.id,
    code: approval.code,
    status: approval.status,
    tool: approval.tool,
    call_id: approval.callId,
    session_id: approval.session,
    turn_id: approval.turn,
    channel: approval.channel,
    asks: approval.asks,
    arguments: approval.recorded,
    /** As text; `details` has its parts. */
    disclosure: disclosureText(disclosure),
    question: disclosure.question,
    details: {
      language: disclosure.language,
      category: disclosure.category,
      summary: disclosure.summary,
      notes: disclosure.notes,
      arguments: disclosure.arguments,
      more: disclosure.more,
      changes: disclosure.changes,
      destination: disclosure.destination,
      undoing: disclosure.undoing,
      learn_more: disclosure.learnMore,
    },
    reversible: disclosure.reversible,
    schema: approval.schema,
    editable: approval.editable,
    grantable: approval.grantable,
    created_at: iso(approval.askedAt),
    expires_at: iso(approval.expiresAt),
    answered_at: approval.answeredAt === null ? null : iso(approval.answeredAt),
    answer,
    /** The decision that released the call, or refused it in the end. */
    settled_by: approval.settledBy,
    /** The call (`/v1/calls/:id`) that it would undo. */
    undoes: approval.undoes ?? null,
    /** The plan (`/v1/plans/:id`) that the call is a step of. */
    plan: planView(approval),
  };
}

function planView({ plan }: Approval) {
  if (!plan) return null;
  return { id: plan.id, step: plan.step, step_number: plan.number, total_steps: plan.total };
}

const iso = (ms: number): string => new Date(ms).toISOString();
