/** An approval as a page draws it. */
import type { Approval } from "../../../src/approvals/approval.ts";
import type { Disclosure } from "../../../src/approvals/disclosed.ts";

export const askedAt = Date.UTC(2026, 10, 22, 9, 0);

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
    arguments: '{"section":"2.1","token":"sk-very-secret"}',
    digest: "0".repeat(64),
    recorded: { section: "2.1", token: "[redacted]" },
    extra: undefined,
    disclosure: {
      language: "en",
      tool: "edit_outline",
      category: "modification",
      summary: "The assistant wants to change section 2.1 of your outline.",
      notes: ["The data below will be sent to the GNORM annotation service."],
      arguments: [
        { name: "section", value: "2.1", redacted: false },
        { name: "title", value: "Sources and their use in Antiquity", redacted: false },
        { name: "token", value: "[redacted]", redacted: true },
      ],
      more: 0,
      changes: [
        { kind: "same", text: "2. Method" },
        { kind: "removed", text: "2.1 Sources" },
        { kind: "added", text: "2.1 Sources and their use in Antiquity" },
      ],
      destination: "the GNORM annotation service",
      reversible: true,
      undoing: "It can be undone with `restore_outline`.",
      question: "Apply changes?",
      learnMore: null,
      ...disclosed,
    },
    schema: null,
    editable: true,
    grantable: true,
    askedAt,
    expiresAt: askedAt + 45 * 60_000,
    answeredAt: null,
    answer: null,
    settledBy: null,
    ...changed,
  };
}
