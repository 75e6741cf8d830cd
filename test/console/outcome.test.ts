/** The words of what became of a call, of how many calls wait. */
import { describe, expect, test } from "vitest";
import type { AnswerAction, ApprovalStatus } from "../../src/approvals/approval.ts";
import { outcomeText, outcomeTime } from "../../src/console/history/history-page.tsx";
import { countWaiting } from "../../src/console/inbox/scope.tsx";
import { en } from "../../src/console/texts/en.ts";
import { ja } from "../../src/console/texts/ja.ts";
import { zh } from "../../src/console/texts/zh.ts";

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
