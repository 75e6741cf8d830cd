/** The offer against an independent reading of the document: slow, without compilation, one tool at a time. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { Facts } from "../../src/policy/facts.ts";
import { offerTools } from "../../src/policy/offer.ts";
import * as arb from "./arbitraries.ts";

interface Tool {
  category?: string;
  class?: string;
  families?: string[];
  roles?: string[];
  requiresAuth?: boolean;
  connection?: string;
}
interface Intent {
  tools?: string[];
  families?: { enabled: boolean; allowedFamilies: string[]; softAllowedFamilies: string[] };
}
interface Mode {
  allow?: string[];
  deny?: string[];
  roles?: string[];
}
interface Document {
  tools: Record<string, Tool>;
  families: Record<string, string[]>;
  modes: Record<string, Mode>;
  intents: Record<string, Intent>;
  unlistedTools: string;
  handshake: { select: string };
}

const own = <T>(record: Record<string, T>, key: string): T | undefined =>
  Object.entries(record).find(([name]) => name === key)?.[1];

const globMatches = (glob: string, name: string) =>
  new RegExp(`^${glob.replaceAll(/[^a-z_*]/g, "\\$&").replaceAll("*", ".*")}$`).test(name);

function matches(document: Document, selector: string, name: string): boolean {
  const tool = own(document.tools, name);
  const category = tool?.category ?? (document.unlistedTools === "deny" ? "modification" : document.unlistedTools);
  const [kind, value] = selector.split(":");
  if (value === undefined) return globMatches(selector, name);
  if (kind === "category") return category === value;
  if (kind === "class") return (tool?.class ?? (tool?.category === "read_only" ? "safe" : "destructive")) === value;
  return familiesOf(document, name).includes(value);
}

function familiesOf(document: Document, name: string): string[] {
  const byName = Object.entries(document.families).filter(([, members]) =>
    members.some((one) => globMatches(one, name)),
  );
  return [...(own(document.tools, name)?.families ?? []), ...byName.map(([family]) => family)];
}

function permits(document: Document, facts: Facts, name: string): boolean {
  const { role, authenticated, connections } = facts.principal;
  const mode: Mode | undefined = own(document.modes, facts.mode) ?? (facts.mode === "default" ? {} : undefined);
  if (!mode || (mode.roles && !mode.roles.includes(role))) return false;
  if (!(mode.allow ?? ["*"]).some((one) => matches(document, one, name))) return false;
  if ((mode.deny ?? []).some((one) => matches(document, one, name))) return false;
  const tool = own(document.tools, name);
  if (tool === undefined && document.unlistedTools === "deny") return false;
  if (tool?.roles && !tool.roles.includes(role)) return false;
  if (tool?.requiresAuth && !authenticated) return false;
  if (tool?.connection && !connections.includes(tool.connection)) return false;
  if (facts.changedDefinitions.has(name)) return false;
  if (document.handshake.select !== "off" && name === "select_intent") return false;
  if (facts.intents.length === 0) return true;
  const intents = Object.keys(document.intents).length > 0 ? document.intents : { general: {} };
  return facts.intents.some((held) => {
    const intent = own<Intent>(intents, held);
    if (!intent || (intent.tools && !intent.tools.some((one) => matches(document, one, name)))) return false;
    if (!intent.families?.enabled) return true;
    const reach = [...intent.families.allowedFamilies, ...intent.families.softAllowedFamilies];
    return familiesOf(document, name).some((family) => reach.includes(family));
  });
}

it("after_an_intent_exactly_what_mode_role_and_intent_permit", () => {
  fc.assert(
    fc.property(arb.documents({ groups: false }), arb.facts, arb.tools, (document, generated, tools) => {
      const facts: Facts = { ...generated, state: "action", forcedTool: undefined };
      const offered = offerTools(arb.policyOf(document), facts, tools, workBudget()).offered.map((tool) => tool.name);
      const expected = tools.filter(({ name }) => permits(document as unknown as Document, facts, name));
      expect(offered).toEqual(expected.map((tool) => tool.name));
    }),
    { numRuns: 2_000 },
  );
});
