import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { CompiledPolicy, DiscoveredTool } from "../../src/policy/compile.ts";
import type { CountedChecks, Facts } from "../../src/policy/facts.ts";
import { discoveredTool } from "../../src/policy/mcp-tools.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { traitsOf } from "../../src/policy/traits.ts";
import { type PureDecision, vetCall } from "../../src/policy/vet.ts";
import * as arb from "./arbitraries.ts";

const server = (more: object = {}) => ({ url: "https://mcp.example.com/mcp", trustAnnotations: false, ...more });
const strictness: Record<PureDecision["effect"], number> = { allow: 0, confirm: 1, deny: 2 };
const tool = "fs_unlisted";

const hint = fc.oneof(fc.boolean(), fc.constantFrom("true", 1, 0, null, {}));
const hints = fc.record(
  { readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint, title: fc.string() },
  { requiredKeys: [] },
);
const annotations = fc.oneof(hints, fc.jsonValue());
const trusted = hints.map((one) => discoveredTool(one, "s", server({ trustAnnotations: true })));

const withFound = (document: unknown, found: DiscoveredTool, name = tool): CompiledPolicy => ({
  ...arb.policyOf(document),
  discovered: new Map([[name, found]]),
});

function vetOf(policy: CompiledPolicy, facts: Facts, call: Parameters<typeof vetCall>[3]): PureDecision {
  return vetCall(
    policy,
    facts,
    offerTools(policy, facts, [arb.definitionOf(call.tool)], workBudget()),
    call,
    workBudget(),
  );
}

function expectStricter(before: PureDecision, after: PureDecision): void {
  expect(strictness[after.effect]).toBeGreaterThanOrEqual(strictness[before.effect]);
  if (after.effect === "deny") return;
  const [was, is]: readonly CountedChecks[] = [before.counted, after.counted] as const;
  expect(is?.windows).toEqual(expect.arrayContaining([...(was?.windows ?? [])]));
  if (was?.gate) expect(is?.gate).toBeDefined();
  if (was?.confirmation) expect(is?.confirmation).toBeDefined();
}

describe("hints of an MCP server", () => {
  it("no_hints_loosen_where_they_are_not_trusted", () => {
    fc.assert(
      fc.property(
        arb.documents({ groups: true }),
        arb.facts,
        arb.calls,
        annotations,
        (document, facts, made, hinted) => {
          const call = { ...made, tool };
          const [bare, found] = [undefined, hinted].map((one) => discoveredTool(one, "s", server()));
          if (!bare || !found) throw new Error("two were made");
          const [without, having] = [bare, found].map((one) => vetOf(withFound(document, one), facts, call));
          if (!without || !having) throw new Error("two were vetted");
          expectStricter(without, having);
          expect(found).toMatchObject({ category: "external", class: "destructive", sensitive: true });
        },
      ),
      { numRuns: 200 },
    );
  });

  it("a_glob_loosens_nothing_for_a_discovered_tool", () => {
    const group = fc.tuple(arb.nameSelector, arb.groupSettings);
    fc.assert(
      fc.property(
        arb.documents({ groups: true }),
        arb.facts,
        arb.calls,
        trusted,
        group,
        (document, facts, made, found, [selector, settings]) => {
          const { [selector]: _, ...others } = document.tools;
          const call = { ...made, tool };
          const without = withFound({ ...document, tools: others }, found);
          const added = withFound({ ...document, tools: { ...others, [selector]: settings } }, found);
          expectStricter(vetOf(without, facts, call), vetOf(added, facts, call));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("a_hint_that_tightens_always_counts", () => {
    const tightening = fc.constantFrom({ readOnlyHint: false }, { destructiveHint: true }, { openWorldHint: true });
    const rank = ({ category, class: cls, sensitive }: DiscoveredTool) => [
      ["read_only", "note_taking", "modification", "external"].indexOf(category),
      ["safe", "destructive"].indexOf(cls),
      // A modification asks each time, whatever it is told of itself.
      Number(sensitive || category === "modification" || category === "note_taking"),
    ];
    fc.assert(
      fc.property(hints, tightening, (given, more) => {
        const [before, after] = [given, { ...given, ...more }].map((one) =>
          rank(discoveredTool(one, "s", server({ trustAnnotations: true }))),
        );
        for (const [place, value] of (after ?? []).entries())
          expect(value).toBeGreaterThanOrEqual(before?.[place] ?? 9);
      }),
    );
  });

  it("come to a category where they are trusted", () => {
    const of = (hinted: object) => discoveredTool(hinted, "s", server({ trustAnnotations: true }));
    expect(of({ readOnlyHint: true, openWorldHint: false })).toMatchObject({ category: "read_only", class: "safe" });
    expect(of({ readOnlyHint: true })).toMatchObject({ category: "external", class: "destructive", sensitive: false });
    expect(of({ readOnlyHint: true, destructiveHint: true, openWorldHint: false }).category).toBe("modification");
    expect(of({ destructiveHint: false, openWorldHint: false }).category).toBe("note_taking");
    expect(of({ destructiveHint: false })).toMatchObject({ category: "external", sensitive: true });
    expect(of({ readOnlyHint: "true", openWorldHint: 0 })).toMatchObject({ category: "external", sensitive: true });
  });
});

describe("the traits of a discovered tool", () => {
  const name = "mcp__crm__find";
  const readOnly = { readOnlyHint: true, openWorldHint: false };
  const of = (document: object, hinted: object = {}, more: object = {}) =>
    traitsOf(withFound(document, discoveredTool(hinted, "crm", server(more)), name), name);

  it("ask each time, and say where data goes, unless the policy says otherwise", () => {
    expect(of({}, readOnly, { connection: "crm" })).toMatchObject({
      listed: false,
      needsConfirmation: true,
      gate: true,
      class: "destructive",
      connections: ["crm"],
      destination: "the MCP server crm (mcp.example.com)",
    });
    expect(of({}, readOnly, { trustAnnotations: true })).toMatchObject({
      needsConfirmation: false,
      gate: false,
      class: "safe",
    });
    expect(of({ unlistedTools: "read_only" })).toMatchObject({
      needsConfirmation: true,
      gate: true,
      class: "destructive",
    });
  });

  it("are the operator's where the tool is listed by its name", () => {
    const listed = (settings: object) => of({ tools: { [name]: settings }, unlistedTools: "read_only" });
    expect(listed({ category: "read_only" })).toMatchObject({ needsConfirmation: false, gate: false, class: "safe" });
    expect(listed({ category: "external" })).toMatchObject({ needsConfirmation: false, gate: true });
    // What does not classify it leaves it what it was.
    expect(listed({ rateLimits: [] })).toMatchObject({ category: "external", needsConfirmation: true, gate: true });
    expect(listed({ connection: "other" }).connections).toEqual(["other"]);
    expect(of({ tools: { [name]: { connection: "other" } } }, {}, { connection: "crm" }).connections).toEqual([
      "other",
      "crm",
    ]);
  });

  it("lose the class `safe` to a group that raises the category or says destructive", () => {
    const trusting = { trustAnnotations: true };
    for (const settings of [{ category: "external" }, { class: "destructive" }])
      expect(of({ tools: { "mcp__*": settings } }, readOnly, trusting).class).toBe("destructive");
    expect(of({ tools: { "mcp__*": { class: "safe" } } }).class).toBe("destructive");
    expect(
      of(
        { tools: { "mcp__*": { category: "external" }, "class:destructive": { roles: ["admin"] } } },
        readOnly,
        trusting,
      ),
    ).toMatchObject({ roles: ["admin"] });
  });
});
