import { describe, expect, it } from "vitest";
import type { CountedChecks } from "../../src/policy/facts.ts";
import { type CountedFacts, countedVerdicts } from "../../src/policy/rules/counted.ts";

const minute = { key: "tool:t", max: 2, windowMs: 60_000 };
const facts: CountedFacts = {
  now: 1_000_000,
  limits: [],
  windows: [{ used: 0, freesAt: 0 }],
  gateOpen: false,
  softUses: 0,
  askable: false,
  granted: false,
};
const reasons = (checks: Partial<CountedChecks>, given: Partial<CountedFacts> = {}) =>
  countedVerdicts("t", { windows: [], ...checks }, { ...facts, ...given });

describe("counted rules", () => {
  it("let a use by that is within its limits", () => {
    expect(reasons({ windows: [minute] }, { windows: [{ used: 1, freesAt: 1_050_000 }] })).toEqual([]);
  });

  it.each([
    [{ ...minute }, { used: 2, freesAt: 1_020_000 }, 20_000],
    [{ ...minute }, { used: 7, freesAt: 1_000_000 }, 1],
    [{ ...minute }, { used: 2, freesAt: 999_000 }, 1],
    [{ ...minute, max: 0 }, { used: 0, freesAt: 0 }, 60_000],
    [{ ...minute }, undefined, 60_000],
  ])("deny at the limit and tell when to try again (%#)", (window, read, retryAfterMs) => {
    expect(reasons({ windows: [window] }, { windows: read ? [read] : [] })).toEqual([
      {
        kind: "deny",
        reason: { code: "rate_limited", tool: "t", max: window.max, windowMs: 60_000, retryAfterMs },
      },
    ]);
  });

  it("deny each window that is full", () => {
    const windows = [minute, { key: "category:external", max: 1, windowMs: 3_600_000 }, minute];
    const read = [
      { used: 2, freesAt: 1_000_010 },
      { used: 1, freesAt: 1_000_020 },
      { used: 0, freesAt: 0 },
    ];
    expect(reasons({ windows }, { windows: read })).toMatchObject([
      { reason: { code: "rate_limited", max: 2 } },
      { reason: { code: "rate_limited", max: 1, shared: "category:external" } },
    ]);
  });

  it("deny the first use until the gate is open", () => {
    const gate = { tool: "t" };
    expect(reasons({ gate })).toEqual([{ kind: "deny", reason: { code: "first_use", tool: "t" } }]);
    expect(reasons({ gate }, { gateOpen: true })).toEqual([]);
  });

  it("ask for the first use where a person can be asked", () => {
    const gate = { tool: "t" };
    const reason = { code: "first_use", tool: "t" };
    expect(reasons({ gate }, { askable: true })).toEqual([{ kind: "confirm", reason }]);
    expect(reasons({ gate }, { askable: true, granted: true })).toEqual([{ kind: "confirm", reason }]);
    expect(reasons({ gate }, { askable: true, gateOpen: true })).toEqual([]);
  });

  it("ask for no confirmation that was granted, and still deny what is past its limits", () => {
    const confirmation = {};
    expect(reasons({ confirmation }, { granted: true })).toEqual([]);
    const full = reasons({ confirmation, windows: [minute] }, { granted: true, windows: [{ used: 2, freesAt: 1 }] });
    expect(full.map(({ kind }) => kind)).toEqual(["deny"]);
  });

  it("ask for a confirmation", () => {
    expect(reasons({ confirmation: {} })).toEqual([
      { kind: "confirm", reason: { code: "confirmation_required", tool: "t" } },
    ]);
  });

  it("deny soft uses past their number", () => {
    const soft = { families: ["web"], intents: ["CODE"], max: 2 };
    expect(reasons({ soft }, { softUses: 1 })).toEqual([]);
    expect(reasons({ soft }, { softUses: 2 })).toEqual([
      { kind: "deny", reason: { code: "soft_limit_reached", tool: "t", ...soft } },
    ]);
    expect(reasons({ soft: { ...soft, max: 0 } })).toHaveLength(1);
  });
});
