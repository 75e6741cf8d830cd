import { describe, expect, it } from "vitest";
import { workBudget } from "../../../src/lib/work-budget.ts";
import {
  checkCompletion,
  checkPreflight,
  mayRemind,
  reachableFamilies,
  reminderForModel,
  unmetForLog,
} from "../../../src/policy/intent-guard/unmet.ts";
import { offerTools } from "../../../src/policy/offer.ts";
import { definitionOf, plainFacts, policyOf } from "../arbitraries.ts";

const policy = policyOf({
  intentGuard: {
    intents: {
      code_edit: { enabled: true, noFallback: true },
      memory_ops: { enabled: true, failTaskIfUnmet: true, requiredSuccessFamilies: ["memory"], remind: false },
    },
  },
});
const only =
  (...families: string[]) =>
  (family: string) =>
    families.includes(family);

describe("preflight", () => {
  it("asks for a required family, or for an allowed one where none is required", () => {
    const unmet = { intent: "browser_access", families: ["browser"] };
    expect(checkPreflight(policy, ["browser_access"], only("browser"))).toBeUndefined();
    // `network` is only a detour.
    expect(checkPreflight(policy, ["browser_access"], only("network", "unknown"))).toEqual(unmet);
    expect(checkPreflight(policy, ["code_edit"], only("vcs"))).toBeUndefined();
    expect(checkPreflight(policy, ["code_edit"], only("shell"))).toEqual({
      intent: "code_edit",
      families: ["filesystem", "vcs"],
    });
  });

  it("asks nothing of an intent that may fall back, that is not held to families, or that is not known", () => {
    for (const intents of [[], ["memory_ops"], ["general"], ["gone"], ["constructor"]]) {
      expect(checkPreflight(policy, intents, only())).toBeUndefined();
    }
  });

  it("tells the first of several intents that cannot be met, though others can", () => {
    const intents = ["general", "code_edit", "browser_access"];
    expect(checkPreflight(policy, intents, only("filesystem"))?.intent).toBe("browser_access");
    expect(checkPreflight(policy, intents, only())?.intent).toBe("code_edit");
    expect(checkPreflight(policy, intents, only("filesystem", "browser"))).toBeUndefined();
  });
});

describe("what is reachable", () => {
  const document = {
    intentGuard: {},
    modes: { default: { deny: ["browser_secret"] } },
    tools: { browser_admin: { roles: ["admin"] }, browser_linked: { connection: "crm" } },
  };
  const reach = (tools: string[], more: object = {}) =>
    reachableFamilies(
      policyOf({ ...document, ...more }),
      { ...plainFacts, state: "request", intents: ["browser_access"] },
      tools.map((name) => definitionOf(name)),
      workBudget(),
    );

  it("is what would be offered in the state action, destructive tools included", () => {
    expect(reach(["browser_open"])("browser")).toBe(true);
    expect(reach([])("browser")).toBe(false);
    expect(reach(["calculator"])("browser")).toBe(false);
  });

  it("leaves out what mode, role or connection withhold, and what no intent held permits", () => {
    for (const tool of ["browser_secret", "browser_admin", "browser_linked"])
      expect(reach([tool])("browser")).toBe(false);
    const intents = { browser_access: { tools: ["browser_read"] } };
    expect(reach(["browser_open"], { intents })("browser")).toBe(false);
    expect(reach(["browser_read"], { intents })("browser")).toBe(true);
  });
});

describe("completion", () => {
  it("asks for one required family that succeeded", () => {
    const unmet = { intent: "browser_access", families: ["browser"] };
    expect(checkCompletion(policy, ["browser_access"], new Set())).toEqual(unmet);
    expect(checkCompletion(policy, ["browser_access"], new Set(["network"]))).toEqual(unmet);
    expect(checkCompletion(policy, ["browser_access"], new Set(["network", "browser"]))).toBeUndefined();
  });

  it("asks nothing where the intent requires nothing, or may end unmet", () => {
    for (const intents of [[], ["code_edit"], ["general"], ["gone"]]) {
      expect(checkCompletion(policy, intents, new Set())).toBeUndefined();
    }
    const lenient = policyOf({ intentGuard: { intents: { browser_access: { failTaskIfUnmet: false } } } });
    expect(checkCompletion(lenient, ["browser_access"], new Set())).toBeUndefined();
  });

  it("asks it of each of several intents", () => {
    const both = ["browser_access", "memory_ops"];
    expect(checkCompletion(policy, both, new Set(["browser"]))?.intent).toBe("memory_ops");
    expect(checkCompletion(policy, both, new Set(["browser", "memory"]))).toBeUndefined();
  });

  it("is reminded of unless the policy says otherwise", () => {
    expect(mayRemind(policy, { intent: "browser_access", families: [] })).toBe(true);
    expect(mayRemind(policy, { intent: "memory_ops", families: [] })).toBe(false);
    expect(mayRemind(policy, { intent: "gone", families: [] })).toBe(false);
  });
});

describe("the texts of an intent that is not met", () => {
  const unmet = { intent: "browser_access", families: ["browser", "network"] };

  it("say which intent and which families", () => {
    for (const text of [reminderForModel, unmetForLog]) {
      expect(text(unmet)).toContain("`browser_access`");
      expect(text(unmet)).toContain("one of the families `browser`, `network`");
      expect(text({ ...unmet, families: ["vcs"] })).toContain("the family `vcs`");
      // A tool's name would tell of one that is not offered.
      expect(text(unmet)).not.toMatch(/browser_open/);
    }
    expect(reminderForModel(unmet).split("\n")).toHaveLength(1);
  });
});

describe("the handshake under the guard", () => {
  const intents = (...tools: string[]) =>
    offerTools(
      policyOf({ intentGuard: {} }),
      plainFacts,
      tools.map((name) => definitionOf(name)),
      workBudget(),
    ).handshake?.intents;

  it("lists the built-in intents, but none whose key families are out of reach and that may not fall back", () => {
    const rest = ["network_research", "filesystem_ops", "code_edit", "memory_ops"];
    expect(intents("browser_open")).toEqual(["general", "browser_access", ...rest]);
    expect(intents("web_search")).toEqual(["general", ...rest]);
  });
});
