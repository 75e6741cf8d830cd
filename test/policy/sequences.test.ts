/** Rules about the order and the number of calls: laws through all pure rules, and what is wrong with a policy that has them. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { parsePolicyDocument } from "../../src/policy/document/document.ts";
import type { ToolHistory } from "../../src/policy/facts.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { refusalForModel, textForClient } from "../../src/policy/reason-texts.ts";
import { countedVerdicts } from "../../src/policy/rules/counted.ts";
import { traitsOf } from "../../src/policy/traits.ts";
import { vetCall } from "../../src/policy/vet.ts";
import { definitionOf, plainFacts, policyOf, selector, toolNames } from "./arbitraries.ts";

const listed = { category: "modification", confirm: "auto" };
const names = fc.subarray([...toolNames]);
const history: fc.Arbitrary<ToolHistory> = fc
  .tuple(names, names)
  .map(([succeeded, others]) => ({ succeeded, read: [...new Set([...succeeded, ...others])] }));
const uses = fc.integer({ min: 0, max: 3 });
const rules = fc.record(
  {
    after: fc.array(selector, { maxLength: 2 }),
    neverAfter: fc.array(selector, { maxLength: 2 }),
    atMost: fc.record({ turn: uses, task: uses, session: uses }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** What waits for itself is no valid policy. */
const without = ({ after = [], ...rest }: Rules, key: string) => ({
  ...rest,
  after: after.filter((one) => one !== key),
});

interface Rules {
  readonly after?: readonly string[];
  readonly neverAfter?: readonly string[];
  readonly atMost?: object;
}

function decide(own: Rules, group: Rules, past: ToolHistory) {
  const tools = { fs_read: listed, note_add: listed, fs_write: { ...listed, ...without(own, "fs_write") } };
  const policy = policyOf({ tools: { ...tools, "*": without(group, "*") } });
  const facts = { ...plainFacts, history: past };
  const offer = offerTools(policy, facts, [definitionOf("fs_write")], workBudget());
  const call = { id: "c", tool: "fs_write", arguments: {} };
  const decision = vetCall(policy, facts, offer, call, workBudget());
  return { decision, offer, traits: traitsOf(policy, "fs_write") };
}

const strictness = { allow: 0, confirm: 1, deny: 2 };

test("adding_a_sequence_rule_never_loosens, to the tool or to a group", () => {
  fc.assert(
    fc.property(rules, rules, history, (some, added, past) => {
      const effect = (own: Rules, group: Rules) => strictness[decide(own, group, past).decision.effect];
      expect(effect(some, added)).toBeGreaterThanOrEqual(effect(some, {}));
      expect(effect(added, some)).toBeGreaterThanOrEqual(effect({}, some));
      const { traits } = decide(some, added, past);
      const limits = (list: object[]) => list.map((one) => JSON.stringify(one));
      const alone = decide(some, {}, past).traits.useLimits;
      expect(limits([...traits.useLimits])).toEqual(expect.arrayContaining(limits([...alone])));
    }),
  );
});

test("what_is_withheld_for_its_order_is_refused, and what is offered is not refused for it", () => {
  fc.assert(
    fc.property(rules, rules, history, (own, group, past) => {
      const { decision, offer } = decide(own, group, past);
      expect(decision.effect === "deny").toBe(offer.offered.length === 0);
    }),
  );
});

test("a_success_never_tightens_after, and a result_never_loosens_never_after", () => {
  const denied = (settings: Rules, past: ToolHistory) => decide({}, settings, past).decision.effect === "deny";
  fc.assert(
    fc.property(rules, history, fc.constantFrom(...toolNames), ({ after, neverAfter }, past, name) => {
      const succeeded = { ...past, succeeded: [...past.succeeded, name] };
      if (denied({ after }, succeeded)) expect(denied({ after }, past)).toBe(true);
      const read = { ...past, read: [...past.read, name] };
      if (denied({ neverAfter }, past)) expect(denied({ neverAfter }, read)).toBe(true);
    }),
  );
});

describe("a limit of uses", () => {
  const limit = { key: "tool:t", per: "task", max: 2 } as const;
  const facts = { now: 0, windows: [], gateOpen: true, softUses: 0, askable: true, granted: true };
  const codes = (limits: readonly number[]) =>
    countedVerdicts("t", { windows: [], limits: [limit] }, { ...facts, limits }).map((verdict) =>
      "reason" in verdict ? [verdict.kind, verdict.reason.code] : verdict.kind,
    );

  it("is met by as many uses, and where they were not read", () => {
    expect([codes([1]), codes([2]), codes([])]).toEqual([[], ...Array(2).fill([["deny", "at_most_reached"]])]);
  });
});

describe("the words of a refusal", () => {
  const unmet = { code: "after_unmet", tool: "refund", after: ["find_order", "category:read_only", "secret"] } as const;
  const hidden = { code: "not_offered", tool: "refund" } as const;

  it("name to the model only tools that it was offered", () => {
    const text = refusalForModel([hidden, unmet], { offered: new Set(["find_order"]) });
    expect(text).toContain("once `find_order` succeeded");
    expect(text).not.toContain("secret");
    expect(refusalForModel([hidden, unmet])).toContain("once another tool succeeded");
    expect(textForClient(unmet)).toContain("`find_order`, `category:read_only`, `secret`");
  });

  it("hide the tool from the model where anything else withholds it too", () => {
    const role = { code: "role_forbids", tool: "refund", role: "user", roles: ["admin"] } as const;
    expect(refusalForModel([hidden, unmet, role])).toBe(refusalForModel([hidden]));
  });
});

describe("a policy's order of calls is checked", () => {
  const read = (tools: object) => parsePolicyDocument({ tools });

  it.each([
    [{ a: { after: ["a"] } }, ["/tools/a/after/0"]],
    [
      { a: { after: ["b"] }, b: { after: ["c"] }, c: { after: ["a"] } },
      ["a", "b", "c"].map((n) => `/tools/${n}/after/0`),
    ],
    [{ a: { neverAfter: ["category:privat"] } }, ["/tools/a/neverAfter/0"]],
    [{ a: { atMost: { turn: -1 } } }, ["/tools/a/atMost/turn"]],
    [{ a: { atMost: { day: 1 } } }, ["/tools/a/atMost/day"]],
    [{ a: { after: ["b"] }, b: {} }, []],
  ])("%j", (tools, paths) => {
    const found = read(tools);
    expect(found.ok ? [] : found.error.map(({ path }) => path)).toEqual(paths);
  });

  it.each([
    [{ find: {}, pay: { after: ["fnd"] } }, "tool_not_listed", "/tools/pay/after/0"],
    [{ pay: { neverAfter: ["family:privat"] } }, "family_unknown", "/tools/pay/neverAfter/0"],
    [{ pay: { atMost: { task: 0 } } }, "limit_zero", "/tools/pay/atMost/task"],
  ])("warns: %j", (tools, code, path) => {
    const found = read(tools);
    expect(found.ok && found.value.warnings).toContainEqual(expect.objectContaining({ code, path }));
  });
});
