import { describe, expect, it } from "vitest";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";
import { policyOf } from "../arbitraries.ts";

/** reference/intent-guard.md, 8. */
const example = {
  enabled: true,
  detector: "model",
  softBlockAfter: 2,
  intents: {
    browser_access: {
      enabled: true,
      allowedFamilies: ["browser"],
      softAllowedFamilies: ["network"],
      softBlockAfter: 2,
      noFallback: true,
      failTaskIfUnmet: true,
      requiredSuccessFamilies: ["browser"],
    },
    code_edit: {
      enabled: false,
      allowedFamilies: ["filesystem", "vcs"],
      softAllowedFamilies: ["shell"],
      softBlockAfter: 1,
      noFallback: false,
      failTaskIfUnmet: false,
      requiredSuccessFamilies: [],
    },
  },
};
const guarding = {
  allowed: new Set(["browser"]),
  soft: new Set(["network"]),
  softBlockAfter: 2,
  requiredSuccessFamilies: ["browser"],
  noFallback: true,
  failTaskIfUnmet: true,
  remind: true,
};
const familiesOf = (intentGuard: object, name: string, more: object = {}) =>
  policyOf({ ...more, intentGuard }).intents.get(name)?.families;
const read = (document: unknown) => {
  const parsed = parsePolicyDocument(document);
  return parsed.ok ? { errors: [], warnings: parsed.value.warnings } : { errors: parsed.error, warnings: [] };
};
const errorPaths = (document: unknown) => read(document).errors.map(({ path }) => path);

describe("intentGuard", () => {
  it("is read as the reference's example has it", () => {
    const policy = policyOf({ intentGuard: example });
    expect(policy.intents.get("browser_access")?.families).toMatchObject(guarding);
    expect(policy.intents.get("code_edit")?.families).toBeUndefined();
    expect(policy.intentGuard).toEqual({ detector: "model" });
    expect(policy.detection.layers.at(-1)).toBe("model");
    expect(read({ intentGuard: example })).toEqual({ errors: [], warnings: [] });
  });

  it("brings the six intents, of which only browser_access is held to families by itself", () => {
    const { intents } = policyOf({ intentGuard: {} });
    expect([...intents.keys()]).toEqual([
      "general",
      "browser_access",
      "network_research",
      "filesystem_ops",
      "code_edit",
      "memory_ops",
    ]);
    expect([...intents.values()].filter(({ families }) => families).map(({ name }) => name)).toEqual([
      "browser_access",
    ]);
    expect(intents.get("browser_access")?.families).toMatchObject(guarding);
    expect(intents.get("general")).toMatchObject({ keywords: [], patterns: [], noTools: false });
    for (const [name, { keywords, patterns, description }] of intents) {
      expect([name, description.length > 0]).toEqual([name, true]);
      if (name !== "general") expect([name, keywords.length > 20, patterns.length > 4]).toEqual([name, true, true]);
    }
  });

  it("brings nothing where it is absent or switched off", () => {
    for (const document of [{}, { intentGuard: { ...example, enabled: false } }]) {
      const policy = policyOf(document);
      expect([...policy.intents.keys()]).toEqual(["general"]);
      expect(policy.intents.get("general")?.description).toBe("work on what the user asks");
      expect(policy.intentGuard).toBeUndefined();
      expect(policy.detection.layers).not.toContain("model");
      expect(policy.detection.fallback).toBeUndefined();
    }
  });

  it("takes what is not said from the built-in policy of the intent", () => {
    const code = { allowed: new Set(["filesystem", "vcs"]), soft: new Set(["shell"]), softBlockAfter: 1 };
    expect(familiesOf({ intents: { code_edit: { enabled: true } } }, "code_edit")).toMatchObject(code);
    const own = { enabled: true, softAllowedFamilies: ["task"], softBlockAfter: 5, remind: false };
    expect(familiesOf({ softBlockAfter: 3, intents: { code_edit: own } }, "code_edit")).toMatchObject({
      allowed: new Set(["filesystem", "vcs"]),
      soft: new Set(["task"]),
      softBlockAfter: 5,
      remind: false,
    });
    expect(familiesOf({ softBlockAfter: 0 }, "browser_access")?.softBlockAfter).toBe(0);
    expect(familiesOf({ intents: { browser_access: { enabled: false } } }, "browser_access")).toBeUndefined();
  });

  it("reads the older form into browser_access, member by member beneath the newer one", () => {
    const older = { softAllowedFamilies: ["shell"], softBlockAfter: 7, noFallback: false };
    expect(familiesOf({ browser: older }, "browser_access")).toMatchObject({
      ...guarding,
      soft: new Set(["shell"]),
      softBlockAfter: 7,
      noFallback: false,
    });
    const both = { browser: older, intents: { browser_access: { softBlockAfter: 1 } } };
    expect(familiesOf(both, "browser_access")).toMatchObject({ soft: new Set(["shell"]), softBlockAfter: 1 });
    expect(familiesOf({ browser: { enabled: false } }, "browser_access")).toBeUndefined();
    expect(read({ intentGuard: { browser: older } }).warnings.map(({ path }) => path)).toEqual([
      "/intentGuard/browser",
    ]);
  });

  it("gives way to what stands in the intent itself, and says so", () => {
    const intents = { browser_access: { description: "mine", families: { allowedFamilies: ["network"] } } };
    const intent = policyOf({ intents, intentGuard: example }).intents.get("browser_access");
    expect(intent?.families).toMatchObject({ allowed: new Set(["network"]), noFallback: false });
    expect(intent?.description).toBe("mine");
    expect(read({ intents, intentGuard: example }).warnings.map(({ path }) => path)).toEqual([
      "/intentGuard/intents/browser_access",
    ]);
  });

  it("keeps a document's intents, first and with the lists that they fill", () => {
    const intents = { NOTES: { tools: ["note"] }, memory_ops: { keywords: ["elephant"], tools: ["memory_*"] } };
    const policy = policyOf({
      intents,
      intentGuard: { intents: { NOTES: { enabled: true, allowedFamilies: ["task"] } } },
    });
    expect([...policy.intents.keys()].slice(0, 3)).toEqual(["NOTES", "memory_ops", "general"]);
    expect(policy.intents.get("memory_ops")?.keywords).toEqual(["elephant"]);
    expect(policy.intents.get("memory_ops")?.patterns.length).toBeGreaterThan(4);
    expect(policy.intents.get("memory_ops")?.tools?.patterns).toHaveLength(1);
    expect(policy.intents.get("NOTES")?.families?.allowed).toEqual(new Set(["task"]));
    expect(policy.detection.fallback).toBe("general");
  });

  it.each([
    ["an unknown member", { enabeld: true }, "/intentGuard/enabeld"],
    ["an unknown member of an intent", { intents: { general: { allow: [] } } }, "/intentGuard/intents/general/allow"],
    ["an unknown detector", { detector: "oracle" }, "/intentGuard/detector"],
    ["an unknown intent", { intents: { browsing: {} } }, "/intentGuard/intents/browsing"],
    [
      "a misspelt family",
      { intents: { browser_access: { requiredSuccessFamilies: ["brwoser"] } } },
      "/intentGuard/intents/browser_access/requiredSuccessFamilies/0",
    ],
    ["one in the older form", { browser: { allowedFamilies: ["web"] } }, "/intentGuard/browser/allowedFamilies/0"],
    [
      "one that is switched off",
      { enabled: false, browser: { allowedFamilies: ["web"] } },
      "/intentGuard/browser/allowedFamilies/0",
    ],
    ["an intent that allows nothing", { intents: { general: { enabled: true } } }, "/intentGuard/intents/general"],
    [
      "the older form that allows nothing",
      { browser: { allowedFamilies: [], softAllowedFamilies: [] } },
      "/intentGuard/browser",
    ],
    ["a negative threshold", { softBlockAfter: -1 }, "/intentGuard/softBlockAfter"],
  ])("refuses %s", (_, intentGuard, path) => {
    expect(errorPaths({ intentGuard })).toEqual([path]);
  });

  it("knows the built-in families only where it is in force, and the document's everywhere", () => {
    const intents = { A: { families: { allowedFamilies: ["browser"] } } };
    expect(errorPaths({ intents })).toEqual(["/intents/A/families/allowedFamilies/0"]);
    expect(errorPaths({ intents, intentGuard: { enabled: false } })).toHaveLength(1);
    expect(errorPaths({ intents, intentGuard: {} })).toEqual([]);
    expect(errorPaths({ intents, families: { browser: ["x"] } })).toEqual([]);
    expect(errorPaths({ intents, tools: { x: { families: ["browser"] } } })).toEqual([]);
    expect(errorPaths({ detection: { fallback: "general" }, intentGuard: {} })).toEqual([]);
  });

  it("warns of what cannot be met, and of what is not in force", () => {
    const warned = (intentGuard: object) => read({ intentGuard }).warnings.map(({ path }) => path);
    const guard = (name: string, policy: object) => ({ intents: { [name]: policy } });
    const at = "/intentGuard/intents";
    expect(warned(guard("browser_access", { allowedFamilies: ["network"] }))).toEqual([
      `${at}/browser_access/requiredSuccessFamilies/0`,
    ]);
    expect(warned(guard("browser_access", { requiredSuccessFamilies: [] }))).toEqual([
      `${at}/browser_access/failTaskIfUnmet`,
    ]);
    expect(warned(guard("memory_ops", { allowedFamilies: ["memory"] }))).toEqual([`${at}/memory_ops`]);
    expect(warned(guard("memory_ops", { enabled: false, allowedFamilies: ["memory"] }))).toEqual([]);
  });
});

describe("an intent's primary tool", () => {
  const primary = (tools: string[], more: object = {}) =>
    errorPaths({ intents: { A: { tools, primaryTool: "save_note" } }, ...more });

  it("may be selected by anything that selects it", () => {
    expect(primary(["save_note"])).toEqual([]);
    expect(primary(["save_*"])).toEqual([]);
    expect(primary(["family:notes"], { families: { notes: ["*_note"] } })).toEqual([]);
    expect(primary(["family:notes"], { tools: { save_note: { families: ["notes"] } } })).toEqual([]);
    expect(primary(["category:note_taking"], { tools: { save_note: { category: "note_taking" } } })).toEqual([]);
    expect(primary(["family:memory"], { intentGuard: {}, tools: { save_note: { families: ["memory"] } } })).toEqual([]);
  });

  it("is refused where nothing selects it", () => {
    const at = ["/intents/A/primaryTool"];
    expect(primary(["load_*"])).toEqual(at);
    expect(primary([])).toEqual(at);
    expect(primary(["family:notes"], { families: { notes: ["*_memo"] } })).toEqual(at);
    expect(primary(["category:read_only"], { tools: { save_note: { category: "note_taking" } } })).toEqual(at);
  });
});
