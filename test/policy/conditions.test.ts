/** Conditions on arguments: laws through all pure rules, and what is wrong with a policy that has them. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { parsePolicyDocument } from "../../src/policy/document/document.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { textForModel } from "../../src/policy/reason-texts.ts";
import { vetCall } from "../../src/policy/vet.ts";
import { definitionOf, plainFacts, policyOf } from "./arbitraries.ts";

const names = ["amount", "to"] as const;
const value = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constantFrom("ann", "bob"));
const args = fc.record({ amount: value, to: value }, { requiredKeys: [] });
const schema = fc.oneof(
  fc.record({
    properties: fc.record({ amount: fc.record({ minimum: fc.integer({ min: 0, max: 10 }) }) }),
    required: fc.subarray([...names]),
  }),
  fc.record({ properties: fc.record({ to: fc.record({ const: value }) }), required: fc.subarray([...names]) }),
  fc.record({ not: fc.record({ required: fc.subarray([...names]) }) }),
  fc.constant({}),
  // Leads back to itself: it cannot be checked.
  fc.constant({ $ref: "#" }),
);
const condition = fc.record(
  {
    if: schema,
    roles: fc.subarray(["guest", "user", "admin"], { minLength: 1 }),
    modes: fc.subarray(["default", "careful"], { minLength: 1 }),
    effect: fc.constantFrom("deny", "ask"),
    say: fc.constantFrom("too much", "not there", "look"),
  },
  { requiredKeys: ["if", "effect", "say"] },
);
const facts = fc
  .record({ role: fc.constantFrom("guest", "user", "admin"), mode: fc.constantFrom("default", "careful") })
  .map(({ role, mode }) => ({ ...plainFacts, mode, principal: { ...plainFacts.principal, role } }));

function decide(
  conditions: readonly unknown[],
  given: Record<string, unknown>,
  at = plainFacts,
  group: unknown[] = [],
) {
  const policy = policyOf({
    roles: ["guest", "user", "admin"],
    modes: { careful: {} },
    tools: { fs_write: { category: "modification", confirm: "auto", conditions }, "*": { conditions: group } },
  });
  const offer = offerTools(policy, at, [definitionOf("fs_write")], workBudget());
  return vetCall(policy, at, offer, { id: "c", tool: "fs_write", arguments: given }, workBudget());
}

const strictness = { allow: 0, confirm: 1, deny: 2 };
const conditions = fc.array(condition, { maxLength: 4 });

test("order_of_conditions_changes_nothing", () => {
  const shuffled = conditions.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, args, facts, ([list, other], given, at) => {
      const [one, two] = [decide(list, given, at), decide(other, given, at)];
      expect(two.effect).toBe(one.effect);
      const codes = (decision: typeof one) => decision.reasons.map(({ code }) => code);
      expect(codes(two)).toEqual(codes(one));
    }),
  );
});

test("deny_trumps_ask_among_conditions", () => {
  fc.assert(
    fc.property(conditions, args, facts, (list, given, at) => {
      const each = list.map((one) => strictness[decide([one], given, at).effect]);
      expect(strictness[decide(list, given, at).effect]).toBe(Math.max(0, ...each));
    }),
  );
});

test("adding_a_condition_never_loosens, to the tool or to a group", () => {
  fc.assert(
    fc.property(conditions, condition, args, facts, (list, added, given, at) => {
      const before = strictness[decide(list, given, at).effect];
      expect(strictness[decide([...list, added], given, at).effect]).toBeGreaterThanOrEqual(before);
      expect(strictness[decide(list, given, at, [added]).effect]).toBeGreaterThanOrEqual(before);
      expect(strictness[decide([added], given, at, list).effect]).toBeGreaterThanOrEqual(before);
    }),
  );
});

describe("a condition", () => {
  it("gives its own words alone, once and on one line", () => {
    const list = ["b\nc", "a", "a"].map((say) => ({ if: {}, effect: "deny", say }));
    const [reason] = decide(list, { to: "secret" }).reasons;
    expect(reason).toEqual({ code: "condition_denies", tool: "fs_write", say: ["a", "b\nc"] });
    const text = reason && textForModel(reason);
    expect(text).toBe("tool_policy_blocked: `fs_write` may not be called with these arguments: a; b c");
  });

  it("denies where the work is spent", () => {
    const policy = policyOf({ tools: { fs_write: { conditions: [{ if: {}, effect: "ask", say: "x" }] } } });
    const offer = offerTools(policy, plainFacts, [definitionOf("fs_write")], workBudget());
    const call = { id: "c", tool: "fs_write", arguments: { a: 1 } };
    expect(vetCall(policy, plainFacts, offer, call, workBudget(1)).effect).toBe("deny");
  });
});

describe("a policy's conditions are checked", () => {
  const parameters = { type: "object", properties: { amount: { type: "number" } } };
  const read = (one: object, tool: object = { parameters }) =>
    parsePolicyDocument({ tools: { pay: { ...tool, conditions: [{ effect: "deny", say: "no", ...one }] } } });

  it.each([
    [
      { if: { type: "nmber" } },
      "/tools/pay/conditions/0/if/type",
      "not a valid JSON Schema, so no call could be checked",
    ],
    [{ if: {}, roles: ["suport"] }, "/tools/pay/conditions/0/roles/0", "unknown role `suport`, add it to `roles`"],
    [{ if: {}, roles: [] }, "/tools/pay/conditions/0/roles", "must be 1 item or more"],
    [
      { if: {}, modes: ["defalt"] },
      "/tools/pay/conditions/0/modes/0",
      "unknown mode `defalt`, did you mean `default`?",
    ],
    [{ if: true }, "/tools/pay/conditions/0/if", "must be an object"],
    [{ if: {}, effect: "refuse" }, "/tools/pay/conditions/0/effect", "must be one of `deny`, `ask`"],
    [{ if: {}, say: " " }, "/tools/pay/conditions/0/say", "must have words"],
  ])("%j", (one, path, message) => {
    const read_ = read(one);
    expect(read_.ok ? [] : read_.error).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  const warnings = (one: object, tool?: object) => {
    const found = read(one, tool);
    return found.ok ? found.value.warnings.filter(({ path }) => path.includes("conditions")) : found.error;
  };

  it("warns of an argument that the tool does not have", () => {
    const schema = { properties: { amout: { minimum: 5 } }, required: ["amout"] };
    expect(warnings({ if: schema })).toMatchObject([{ code: "condition_argument_unknown" }]);
  });

  it("warns of a condition that also holds for calls without the argument", () => {
    const open = { properties: { amount: { minimum: 5 } } };
    const found = warnings({ if: open });
    expect(found).toMatchObject([{ code: "condition_without_required", path: "/tools/pay/conditions/0/if" }]);
    expect(warnings({ if: { ...open, required: ["amount"] } })).toEqual([]);
    expect(warnings({ if: open }, { parameters: { ...parameters, required: ["amount"] } })).toEqual([]);
    expect(warnings({ if: {} })).toEqual([]);
  });
});
