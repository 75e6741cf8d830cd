import { describe, expect, it } from "vitest";
import { explainTurn } from "../../src/cli/policy/cases/case-outcome.ts";
import type { ObservedTurn } from "../../src/cli/policy/cases/play-case.ts";

const reply = { status: 200, headers: new Headers(), text: "", calls: [], note: undefined, error: undefined };
const turn = { stop_reason: "completed", state_closed: "action", mode: "default", intents: ["CLEAN"], detection: null };
const seen = (decisions: readonly Record<string, unknown>[], more: Partial<ObservedTurn> = {}): ObservedTurn => ({
  reply,
  steps: [],
  audit: { turn, decisions, runs: [], approvals: [] },
  ...more,
});

describe("the explanation of a turn", () => {
  it("tells each decision with its reasons in words, as the audit trail spells them", () => {
    const reasons = [
      { code: "role_forbids", tool: "deploy", role: "user", roles: ["admin"] },
      { code: "rate_limited", tool: "deploy", max: 3, window_ms: 60_000, retry_after_ms: 1000 },
    ];
    expect(explainTurn(seen([{ tool: "deploy", effect: "deny", reasons }])).at(-1)).toBe(
      "deploy: deny because the role `user` may not use `deploy`, only `admin` may (role_forbids); and `deploy` may be used 3 times in 60 s, try again in 1 s (rate_limited)",
    );
  });

  it("tells of a question its first line alone, and of a reason that it does not know the code", () => {
    const disclosure = "Write a file.\n  path: a\nThis will modify your work.";
    const reasons = [{ code: "confirmation_required", tool: "write", disclosure }, { code: "newer_than_this" }];
    expect(explainTurn(seen([{ tool: "write", effect: "confirm", reasons }])).at(-1)).toBe(
      "write: confirm because Write a file. (confirmation_required); and (newer_than_this)",
    );
  });

  it("tells the state, what was detected, and each step's offer", () => {
    const detection = { intents: [{ name: "CLEAN", layer: "keywords", confidence: 1 }] };
    const step = { offered: ["look"], resultsById: new Map(), toolResults: [], withheld: { deploy: ["role_forbids"] } };
    const audit = { turn: { ...turn, detection }, decisions: [], runs: [], approvals: [] };
    expect(explainTurn(seen([], { steps: [step], audit }))).toEqual([
      "ended completed in state action, mode default, intents CLEAN; detected CLEAN 1 by keywords",
      "step 1 offered look; withheld deploy (role_forbids)",
      "no call was decided",
    ]);
  });

  it("tells of an intent that was not sure enough how sure it had to be", () => {
    const remove = { name: "BOOKING_REMOVE", layer: "semantic", confidence: 0.963 };
    const look = { name: "BOOKING_FIND", layer: "keywords", confidence: 1 };
    const detection = { intents: [look, remove], select_at: 0.96964 };
    const audit = { turn: { ...turn, detection }, decisions: [], runs: [], approvals: [] };
    expect(explainTurn(seen([], { audit }))[0]).toContain(
      "detected BOOKING_FIND 1 by keywords, BOOKING_REMOVE 0.963 by semantic (selected from 0.9696 on)",
    );
  });

  it("of a request that no turn came of is its error", () => {
    const error = { code: "mode_forbidden", message: "the role `user` may not use the mode" };
    expect(explainTurn(seen([], { audit: undefined, reply: { ...reply, status: 403, error } }))).toEqual([
      "the request was refused before a turn: 403 mode_forbidden the role `user` may not use the mode",
    ]);
  });
});
