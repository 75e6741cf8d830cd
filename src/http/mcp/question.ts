/** The question about a call, in the words of an error: for a client that cannot ask the person itself. Pure. */
import type { Approval } from "../../approvals/approval.ts";
import { describeApproval, disclosureText } from "../../approvals/disclosure/disclosure.ts";

/** The model reads it. So it holds no link that answers by itself: whoever holds one answers as the user. */
export function questionText(approval: Approval, inbox: string | undefined): string {
  const view = describeApproval(approval, "recorded");
  const where = inbox === undefined ? "in Toolgate's console" : `at ${inbox}`;
  return [
    `Not done: a person must answer first (approval ${approval.id}, code ${approval.code}).`,
    disclosureText(view),
    `The user answers ${where}, or with POST /v1/approvals/${approval.id}. Then make the very same call again: it runs once.`,
  ].join("\n\n");
}
