/** Rules that would ask less, from what people answered. */
import { describe, expect, it } from "vitest";
import { withSuggestion } from "../../../src/console/policies/document-edits.ts";
import { suggestRules } from "../../../src/http/lab/suggestions.ts";
import type { ToolAnswer } from "../../../src/stores/audit/d1-answers.ts";
import { policyOf } from "../../policy/arbitraries.ts";

const policy = policyOf({
  tools: {
    refund: { category: "modification" },
    wipe: { category: "modification", sensitive: true },
    look: { category: "read_only" },
  },
});

const yes = (tool: string, amount: number, more: Partial<ToolAnswer> = {}): ToolAnswer => ({
  ...{ tool, user: "ada", at: amount, event: "approved", arguments: { order: "A-1", amount } },
  ...more,
});
const ten = (tool: string) => Array.from({ length: 10 }, (_, index) => yes(tool, index + 1));

describe("a rule is proposed", () => {
  it("for a tool that everybody always approves: ungrounded values are asked about, and what is larger than all before", () => {
    const [suggestion, ...others] = suggestRules(policy, [...ten("refund"), yes("refund", 12, { user: "bob" })]);
    expect(others).toEqual([]);
    expect(suggestion).toEqual({
      tool: "refund",
      approved: 11,
      users: 2,
      since: 1,
      set: {
        confirm: "ungrounded",
        conditions: [
          {
            if: { properties: { amount: { exclusiveMinimum: 12 } }, required: ["amount"] },
            effect: "ask",
            say: "amount above 12 was never approved before",
          },
        ],
      },
    });
    const before = { name: "p", tools: { refund: { category: "modification", conditions: [{ effect: "deny" }] } } };
    const after = suggestion && withSuggestion(before, suggestion);
    expect(after?.tools).toEqual({
      refund: {
        category: "modification",
        confirm: "ungrounded",
        conditions: [{ effect: "deny" }, ...(suggestion?.set.conditions ?? [])],
      },
    });
  });

  it.each(["denied", "edited", "expired"] as const)("never where one question was %s", (event) => {
    expect(suggestRules(policy, [...ten("refund"), yes("refund", 2, { event })])).toEqual([]);
  });

  it("not after nine answers, nor for what is sensitive, asks nobody, or is not in the policy", () => {
    const answers = [...ten("refund").slice(1), ...ten("wipe"), ...ten("look"), ...ten("other")];
    expect(suggestRules(policy, answers)).toEqual([]);
  });
});
