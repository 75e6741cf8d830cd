/** The words of what became of a call, of how many calls wait. */
import { describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import type { ApprovalRow } from "../../src/api-views/trail-views.ts";
import type { AnswerAction, ApprovalStatus } from "../../src/approvals/approval.ts";
import { outcomeText, outcomeTime } from "../../src/console/history/history-page.tsx";
import { countWaiting } from "../../src/console/inbox/scope.tsx";
import { settledText } from "../../src/console/inbox/settled-text.ts";
import { en } from "../../src/console/texts/en.ts";
import { ja } from "../../src/console/texts/ja.ts";
import { zh } from "../../src/console/texts/zh.ts";
import { questionOutcome } from "../../src/console/trail/question-outcome.ts";

describe("in the history", () => {
  test.each<[ApprovalStatus, AnswerAction | undefined, string]>([
    ["pending", undefined, "waits"],
    ["approved", "approve", "approved"],
    ["approved", "edit", "approved, edited"],
    ["approved", undefined, "approved"],
    ["denied", "deny", "denied"],
    ["expired", undefined, "expired"],
    ["cancelled", undefined, "cancelled"],
  ])("a call that is %s by %s reads as %s", (status, action, words) => {
    const answer = action === undefined ? null : ({ action, via: "api", by: "ada", reason: null } as const);
    expect(outcomeText({ status, answer }, en)).toBe(words);
  });

  test.each(Object.entries({ en, ja, zh }))("no two outcomes have the same words in %s", (_, words) => {
    const all = [...Object.values(words.history.status), words.history.edited];
    expect(new Set(all).size).toBe(all.length);
  });

  test("a call stands at the time of its answer, or of its end", () => {
    const times = { created_at: "asked", expires_at: "expires", answered_at: null };
    expect(outcomeTime({ ...times, status: "denied", answered_at: "answered" })).toBe("answered");
    expect(outcomeTime({ ...times, status: "expired" })).toBe("expires");
    expect(outcomeTime({ ...times, status: "cancelled" })).toBe("asked");
  });
});

describe("the headline", () => {
  const headline = (...users: (string | undefined)[]) =>
    en.waiting.headline(
      countWaiting(
        users.map((user) => (user === undefined ? {} : { user })),
        "ada",
      ),
    );

  test("says whose calls wait", () => {
    expect(headline(undefined)).toBe("One call waits for you");
    expect(headline("ada", "ada")).toBe("2 calls wait for you");
    expect(headline("eve")).toBe("One call waits for eve");
    expect(headline("eve", "eve")).toBe("2 calls wait for eve");
    expect(headline("eve", "bob")).toBe("2 calls wait for others");
    expect(headline("eve", "ada", "bob")).toBe("3 calls wait, 1 of them for you");
  });
});

describe("of a turn that ended with questions", () => {
  const row = (approval: string, event: string, seq: number) => ({ approval, event, seq }) as ApprovalRow;

  test.each([
    ["nobody has answered", [row("a", "asked", 1)], false, "waits for an answer"],
    [
      "approved, and not gone on",
      [row("a", "approved", 2), row("a", "asked", 1)],
      false,
      "approved, waits for “continue”",
    ],
    ["approved, and gone on", [row("a", "asked", 1), row("a", "approved", 2)], true, "approved"],
    ["denied", [row("a", "asked", 1), row("a", "denied", 2)], false, "denied"],
    ["nobody answered in time", [row("a", "asked", 1), row("a", "expired", 2)], false, "not answered in time"],
    [
      "two, answered alike and not",
      [row("a", "asked", 1), row("b", "asked", 2), row("c", "asked", 3), row("a", "denied", 4), row("b", "denied", 5)],
      false,
      "denied, waits for an answer",
    ],
  ])("%s", (_what, events, goneOn, words) => {
    expect(questionOutcome(events, () => goneOn)).toBe(words);
  });

  test("says nothing of questions that it does not know", () => {
    expect(questionOutcome([])).toBeUndefined();
  });
});

test("an answer that came too late reads what counts instead", () => {
  const by = (action: AnswerAction, status: ApprovalStatus) =>
    settledText({
      ...({ tool: "refund", status, answered_at: null } as ApprovalView),
      answer: { action, via: "api", by: "ada", reason: null },
    });
  expect(by("approve", "approved")).toBe("Already approved by ada.");
  expect(by("edit", "approved")).toBe("Already approved with changes by ada.");
  expect(by("deny", "denied")).toBe("Already denied by ada.");
  expect(by("approve", "cancelled")).toBe("refund waits no more: the conversation went on without it.");
});
