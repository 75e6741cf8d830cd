/** An approval as a page draws it. */
import type { Approval } from "../../../src/approvals/approval.ts";
import type { Disclosure } from "../../../src/approvals/disclosure/disclosed.ts";
import { disclosureOf } from "../../support/disclosure.ts";

export const askedAt = Date.UTC(2026, 10, 22, 9, 0);

const args = {
  section: "2.1",
  old_text: "2. Method\n2.1 Sources",
  new_text: "2. Method\n2.1 Sources, early",
  token: "sk-1",
};

export function sample(changed: Partial<Approval> = {}, disclosed: Partial<Disclosure> = {}): Approval {
  return {
    id: "appr_01k9",
    code: "K7QF",
    status: "pending",
    tool: "edit_outline",
    callId: "call_1",
    session: "s",
    turn: "turn_1",
    decision: "dec_1",
    channel: "inline",
    asks: ["confirmation_required"],
    arguments: JSON.stringify(args),
    digest: "0".repeat(64),
    recorded: { ...args, token: "[redacted]" },
    extra: undefined,
    disclosure: disclosureOf({
      tool: "edit_outline",
      description: "change your outline",
      preview: { before: "/old_text", after: "/new_text" },
      destination: "the GNORM annotation service",
      reversible: true,
      undo: "restore_outline",
      ...disclosed,
    }),
    schema: null,
    editable: true,
    grantable: true,
    askedAt,
    expiresAt: askedAt + 45 * 60_000,
    answeredAt: null,
    answer: null,
    usedBy: null,
    ...changed,
  };
}
