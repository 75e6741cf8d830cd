/** An approval as every surface returns it: to its user, to operators, in events, webhooks and the reply's `toolgate`. Pure. */
import { isoTime } from "../lib/text/iso-time.ts";
import type { Approval } from "./approval.ts";
import type { DisclosedArgument, Language } from "./disclosure/disclosed.ts";
import { type Audience, describeApproval, disclosureText, shownArguments } from "./disclosure/disclosure.ts";
import { shownTool } from "./disclosure/title.ts";

/**
 * @param audience `whole` for the approver; `recorded`, without what the policy redacts, for all others.
 * @param language the reader's; absent: that of the conversation.
 */
export function approvalView(
  approval: Approval,
  audience: Audience,
  language?: Language,
): Readonly<Record<string, unknown>> {
  const { answer } = approval;
  const view = describeApproval(approval, audience, language);
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
    /** The exact, whole values. `details.arguments` has them in readable form. */
    arguments: shownArguments(approval, audience),
    /** The disclosure as text; `details` has its parts. */
    disclosure: disclosureText(view),
    question: view.title,
    details: {
      language: view.language,
      category: view.category,
      summary: view.summary,
      effects: view.effects,
      // With the names of `arguments`, so that clients can match them.
      arguments: (view.wrapper ? [view.wrapper] : view.arguments).map(argumentView),
      more: view.wrapper ? 0 : view.more,
      changes: view.changes,
      destination: view.destination,
      learn_more: view.learnMore,
    },
    reversible: view.reversible,
    /** Effect of `enable` in the answer: the tool is enabled for the session, or until that is withdrawn. Null: nothing to enable. */
    first_use: view.firstUse === null ? null : { enables: view.firstUse === "session" ? "session" : "withdrawn" },
    schema: approval.schema,
    editable: approval.editable,
    grantable: approval.grantable,
    endorsable: endorsableView(approval),
    created_at: isoTime(approval.askedAt),
    expires_at: isoTime(approval.expiresAt),
    answered_at: approval.answeredAt === null ? null : isoTime(approval.answeredAt),
    answer,
    /** The decision that released or finally refused the call. */
    settled_by: approval.usedBy,
    /** The call (`/v1/calls/:id`) that it would undo. */
    undoes: approval.undoes ?? null,
    /** The plan (`/v1/plans/:id`) that the call is a step of. */
    plan: planView(approval),
  };
}

/** `cut`: `value` is shortened; it gives the length of the whole and the beginning of its SHA-256. */
export const argumentView = ({ cut, ...argument }: DisclosedArgument): Readonly<Record<string, unknown>> => ({
  ...argument,
  cut: cut === null ? null : { characters: cut.characters, sha256: cut.digest },
});

/**
 * The result whose values the rest of the task may use if the answer has `endorse`. Null: none. The tool's name is untrusted: it comes
 * from the conversation, and the gateway may not know the tool.
 */
const endorsableView = ({ endorsable }: Approval) =>
  endorsable ? { tool: shownTool(endorsable.tool), call_id: endorsable.callId } : null;

function planView({ plan }: Approval) {
  if (!plan) return null;
  return { id: plan.id, step: plan.step, step_number: plan.number, total_steps: plan.total };
}
