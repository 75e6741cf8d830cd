import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import { combine, confirm, deny, type Effect, noObjection, type Verdict, vouch } from "../../src/policy/decision.ts";
import type { CountedChecks } from "../../src/policy/facts.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { foldRules, type Rule, type Subject } from "../../src/policy/rules/rule.ts";
import { rules } from "../../src/policy/rules/rules.ts";
import { traitsOf } from "../../src/policy/traits.ts";
import { type PureDecision, vetCall } from "../../src/policy/vet.ts";
import * as arb from "./arbitraries.ts";

const unvouched = { code: "not_offered", tool: "t" } as const;
const verdict: fc.Arbitrary<Verdict> = fc.constantFrom(
  vouch,
  noObjection,
  confirm({ code: "confirmation_required", tool: "t" }),
  deny({ code: "auth_required", tool: "t" }),
);
const documents = arb.documents({ groups: true });
const names = (tools: readonly { name: string }[]) => tools.map((tool) => tool.name);
const strictness: Record<Effect, number> = { allow: 0, confirm: 1, deny: 2 };
const runs = { numRuns: 400 };

function subjectOf(document: unknown, facts: Subject["facts"], name: string): Subject {
  const policy = arb.policyOf(document);
  return { policy, facts, traits: traitsOf(policy, name), definition: arb.definitionOf(name), work: workBudget() };
}

describe("decisions", () => {
  it("default_deny", () => {
    expect(combine([], unvouched)).toEqual({ effect: "deny", reasons: [unvouched] });
    const voucherless = verdict.filter((one) => one.kind !== "vouch");
    fc.assert(fc.property(fc.array(voucherless), (verdicts) => combine(verdicts, unvouched).effect === "deny"));
    // An empty list of rules, and a tool that no request defines, are denied as well.
    expect(foldRules([], subjectOf({}, arb.plainFacts, "fs_read")).effect).toBe("deny");
    expect(foldRules(rules, { ...subjectOf({}, arb.plainFacts, "x"), definition: undefined }).effect).toBe("deny");
  });

  it("deny_trumps_confirm_trumps_allow", () => {
    fc.assert(
      fc.property(fc.array(verdict), (verdicts) => {
        const has = (kind: Verdict["kind"]) => verdicts.some((one) => one.kind === kind);
        const expected = has("deny") || !has("vouch") ? "deny" : has("confirm") ? "confirm" : "allow";
        expect(combine(verdicts, unvouched).effect).toBe(expected);
      }),
    );
  });

  it("order_of_rules_does_not_change_the_effect", () => {
    const order = fc.shuffledSubarray([...rules], { minLength: rules.length });
    fc.assert(
      fc.property(documents, arb.facts, arb.calls, order, (document, facts, call, shuffled) => {
        const policy = arb.policyOf(document);
        const definition = arb.definitionOf(call.tool);
        const offer = offerTools(policy, facts, [definition], workBudget());
        const subject = { policy, facts, traits: traitsOf(policy, call.tool), definition, call, offer };
        const effectBy = (order: typeof rules) => foldRules(order, { ...subject, work: workBudget() }).effect;
        expect(effectBy(shuffled)).toBe(effectBy(rules));
      }),
      runs,
    );
  });

  it("adding_a_deny_never_allows", () => {
    fc.assert(
      fc.property(fc.array(verdict), fc.nat(), (verdicts, at) => {
        const more = verdicts.toSpliced(at % (verdicts.length + 1), 0, deny({ code: "auth_required", tool: "t" }));
        expect(combine(more, unvouched).effect).toBe("deny");
      }),
    );
  });

  it("a_throwing_rule_denies", () => {
    const broken: Rule = {
      name: "broken",
      judge: () => {
        throw new Error("a bug");
      },
    };
    fc.assert(
      fc.property(fc.nat(rules.length), (at) => {
        const decision = foldRules(rules.toSpliced(at, 0, broken), subjectOf({}, arb.plainFacts, "fs_read"));
        expect(decision).toEqual({ effect: "deny", reasons: [{ code: "rule_failed", rule: "broken" }] });
      }),
    );
  });
});

describe("offers", () => {
  it("what_is_released_was_offered", () => {
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, arb.calls, (document, facts, tools, call) => {
        const policy = arb.policyOf(document);
        const offer = offerTools(policy, facts, tools, workBudget());
        const vetted = vetCall(policy, facts, offer, call, workBudget());
        if (vetted.effect === "deny") {
          expect(vetted.reasons.length).toBeGreaterThan(0);
          expect(vetted.counted).toEqual({ windows: [] });
          return;
        }
        expect(names(offer.offered)).toContain(call.tool);
        expect(offer.callable.has(call.tool)).toBe(true);
      }),
      runs,
    );
  });

  it("every_tool_is_either_offered_or_withheld_with_reasons", () => {
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, (document, facts, tools) => {
        const offer = offerTools(arb.policyOf(document), facts, tools, workBudget());
        expect([...names(offer.offered), ...names(offer.withheld)].sort()).toEqual(names(tools).sort());
        expect(offer.withheld.every((tool) => tool.reasons.length > 0)).toBe(true);
        // The client's order.
        const places = offer.offered.map((tool) => names(tools).indexOf(tool.name));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
      runs,
    );
  });

  it("no_destructive_or_unclassified_tool_is_offered_before_an_intent", () => {
    const early = fc.constantFrom("request" as const, "reasoning" as const);
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, early, (document, facts, tools, state) => {
        const policy = arb.policyOf(document);
        const offer = offerTools(policy, { ...facts, state, forcedTool: undefined }, tools, workBudget());
        for (const { name } of offer.offered) {
          expect(Object.hasOwn(document.tools, name), `${name} is not listed`).toBe(true);
          expect(traitsOf(policy, name).class).toBe("safe");
        }
      }),
      runs,
    );
  });

  it("adding_a_role_or_a_modes_allow_never_hides_a_tool", () => {
    const addition = fc.oneof(
      fc.record({ role: fc.constantFrom(...arb.roleNames), tool: fc.nat() }),
      fc.record({ allow: arb.selector, mode: fc.constantFrom("default", "careful") }),
    );
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, addition, (document, facts, tools, add) => {
        const wider = structuredClone(document);
        if ("allow" in add) {
          const mode = wider.modes[add.mode] ?? {};
          wider.modes[add.mode] = mode;
          // A mode that is not in the document permits nothing; `default` is implied and permits all.
          if (add.mode !== "default" || mode.allow !== undefined) mode.allow = [...listOf(mode.allow, "*"), add.allow];
        } else {
          const restricted = Object.values(wider.tools).filter((one) => Array.isArray(one.roles));
          const chosen = restricted[add.tool % Math.max(1, restricted.length)];
          if (chosen) chosen.roles = [...new Set([...listOf(chosen.roles), add.role])];
        }
        const before = names(offerTools(arb.policyOf(document), facts, tools, workBudget()).offered);
        const after = names(offerTools(arb.policyOf(wider), facts, tools, workBudget()).offered);
        expect(after).toEqual(expect.arrayContaining(before));
      }),
      runs,
    );
  });

  it("adding_a_deny_never_shows_one", () => {
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, arb.selector, (document, facts, tools, selector) => {
        const narrower = structuredClone(document);
        for (const name of ["default", "careful"]) {
          if (name === "default" || narrower.modes[name]) {
            const mode = narrower.modes[name] ?? {};
            narrower.modes[name] = mode;
            mode.deny = [...listOf(mode.deny), selector];
          }
        }
        const before = names(offerTools(arb.policyOf(document), facts, tools, workBudget()).offered);
        const after = names(offerTools(arb.policyOf(narrower), facts, tools, workBudget()).offered);
        expect(before).toEqual(expect.arrayContaining(after));
      }),
      runs,
    );
  });
});

describe("a_glob_loosens_nothing_for_an_unlisted_tool", () => {
  const unlisted = fc.constantFrom("fs_unlisted", "constructor", "toString", "web_unlisted");

  it("as a group's settings", () => {
    fc.assert(
      fc.property(
        documents,
        arb.facts,
        arb.calls,
        unlisted,
        fc.tuple(arb.nameSelector, arb.groupSettings),
        (document, facts, made, tool, [selector, settings]) => {
          const { [selector]: _, ...others } = document.tools;
          const without = { ...document, tools: others };
          const added = { ...document, tools: { ...others, [selector]: settings } };
          const call = { ...made, tool };
          const [before, after] = [without, added].map((one) => vetOf(one, facts, call)) as [
            PureDecision,
            PureDecision,
          ];
          expect(strictness[after.effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
          if (after.effect !== "deny") expectStricter(before.counted, after.counted);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("in a list that permits, where it admits at most what `*` admits", () => {
    fc.assert(
      fc.property(documents, arb.facts, arb.tools, arb.nameSelector, (document, facts, tools, glob) => {
        const withAllow = (allow: string) => ({
          ...document,
          modes: { default: { allow: [allow] }, careful: { allow: [allow] } },
          intents: Object.fromEntries(arb.intentNames.map((name) => [name, { tools: [allow] }])),
        });
        const narrow = names(offerTools(arb.policyOf(withAllow(glob)), facts, tools, workBudget()).offered);
        const wide = names(offerTools(arb.policyOf(withAllow("*")), facts, tools, workBudget()).offered);
        expect(wide).toEqual(expect.arrayContaining(narrow));
      }),
      runs,
    );
  });

  it("even where it names a category that a mode permits or forbids", () => {
    const tools = { "evil_*": { category: "external" } };
    const offered = (modes: unknown) =>
      names(
        offerTools(arb.policyOf({ tools, modes }), arb.plainFacts, [arb.definitionOf("evil_x")], workBudget()).offered,
      );
    expect(offered({ default: { allow: ["*"] } })).toEqual(["evil_x"]);
    expect(offered({ default: { allow: ["category:external"] } })).toEqual([]);
    expect(offered({ default: { deny: ["category:modification"] } })).toEqual([]);
  });
});

function vetOf(document: unknown, facts: Subject["facts"], call: Parameters<typeof vetCall>[3]): PureDecision {
  const policy = arb.policyOf(document);
  return vetCall(
    policy,
    facts,
    offerTools(policy, facts, [arb.definitionOf(call.tool)], workBudget()),
    call,
    workBudget(),
  );
}

function expectStricter(before: CountedChecks, after: CountedChecks): void {
  expect(after.windows).toEqual(expect.arrayContaining([...before.windows]));
  if (before.gate) expect(after.gate).toBeDefined();
  if (before.confirmation) expect(after.confirmation).toBeDefined();
  if (before.soft) expect(after.soft).toEqual(before.soft);
}

function listOf(value: unknown, ...otherwise: string[]): string[] {
  return Array.isArray(value) ? value : otherwise;
}
