/** What a principal could use, against the offers that it would get in every mode and standing of a task. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { Facts } from "../../src/policy/facts.ts";
import { discoveredTool } from "../../src/policy/mcp-tools.ts";
import { offerTools } from "../../src/policy/offer.ts";
import { categories } from "../../src/policy/selectors.ts";
import { traitsOf } from "../../src/policy/traits.ts";
import { couldUse, usableTools } from "../../src/policy/usable-tools.ts";
import { mcpAnnotations } from "../../src/tools/tool-view.ts";
import * as arb from "./arbitraries.ts";

const document = arb.documents({ groups: true });
const ALL_LINKED = ["crm", "mail"];

it("what_could_be_used_is_what_some_offer_holds", () => {
  fc.assert(
    fc.property(document, arb.facts, arb.tools, (input, facts, tools) => {
      const policy = arb.policyOf(input);
      const { now, changedDefinitions, principal } = facts;
      const modes = [...policy.modes.keys()];
      const asking = { now, changedDefinitions, principal, modes, work: workBudget() };
      const offers = new Map<string, readonly string[]>();
      const offeredTo = (connections: readonly string[], mode: string, intents: readonly string[], forced?: string) => {
        const key = JSON.stringify([connections, mode, intents, forced]);
        const state = policy.handshake.select === "off" || intents.length > 0 ? "action" : "request";
        const who = { ...principal, connections };
        const asked: Facts = { now, changedDefinitions, principal: who, mode, state, intents, forcedTool: forced };
        const names = offers.get(key) ?? offerTools(policy, asked, tools, workBudget()).offered.map(({ name }) => name);
        offers.set(key, names);
        return names;
      };
      const known = [...policy.intents.keys()];
      const { usable, withheld } = usableTools(policy, asking, tools);
      for (const { name } of tools) {
        const isOffered = (connections: readonly string[], mode: string) =>
          offeredTo(connections, mode, []).includes(name) ||
          offeredTo(connections, mode, [], name).includes(name) ||
          known.some((intent) => offeredTo(connections, mode, [intent]).includes(name));
        const linked = modes.filter((mode) => isOffered(ALL_LINKED, mode));
        const found = usable.find(({ traits }) => traits.name === name);
        expect([name, found?.modes ?? []]).toEqual([name, linked]);
        expect(found?.missing.length === 0).toBe(modes.some((mode) => isOffered(principal.connections, mode)));
        expect(couldUse(policy, asking, name)).toBe(found !== undefined);
        const why = withheld.find((one) => one.name === name)?.reasons.map(({ code }) => code);
        expect(why === undefined).toBe(found !== undefined);
        if (why) expect([why.length > 0, why.includes("connection_missing")]).toEqual([true, false]);
        const [mode] = linked;
        const under = known.filter((intent) => mode && offeredTo(ALL_LINKED, mode, [intent]).includes(name));
        if (found) expect(found.intents ?? known).toEqual(under);
      }
    }),
    { numRuns: 400 },
  );
});

it("hints_that_are_trusted_make_of_a_tool_nothing_safer_than_it_is", () => {
  fc.assert(
    fc.property(document, fc.constantFrom(...arb.toolNames), (input, name) => {
      const traits = traitsOf(arb.policyOf(input), name);
      const server = { url: "https://gateway.example.com/mcp", trustAnnotations: true };
      const taken = discoveredTool(mcpAnnotations(traits, undefined), "s", server);
      expect(categories.indexOf(taken.category)).toBeGreaterThanOrEqual(categories.indexOf(traits.category));
      if (traits.class === "destructive") expect(taken.class).toBe("destructive");
    }),
  );
});
