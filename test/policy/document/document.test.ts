import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compilePolicy } from "../../../src/policy/compile.ts";
import { warnDocument } from "../../../src/policy/document/checks/warn-document.ts";
import { parsePolicyDocument } from "../../../src/policy/document/document.ts";
import { policyDocument } from "../../../src/policy/document/document-schema.ts";
import { traitsOf } from "../../../src/policy/traits.ts";
import { policyOf } from "../arbitraries.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url).href);

const errorsOf = (input: unknown) => {
  const parsed = parsePolicyDocument(input);
  return parsed.ok ? [] : parsed.error;
};
const pathsOf = (input: unknown) => errorsOf(input).map((issue) => issue.path);
const warningsOf = (input: unknown) => {
  const parsed = parsePolicyDocument(input);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.warnings.filter(({ severity }) => severity === "warning").map(({ path }) => path);
};

const systemFirst = { strategy: "system_first" };
/** An intent whose primary tool the gateway runs. */
const managedIntent = (intent: object = {}, required = ["name"]) => {
  const properties = Object.fromEntries(required.map((name) => [name, { type: "string" }]));
  const body = Object.fromEntries(required.map((name) => [name, `{{arguments.${name}}}`]));
  const run = { kind: "http", method: "POST", url: "https://crm.test/a", body };
  return {
    tools: { find: { parameters: { type: "object", properties, required }, run } },
    intents: { A: { keywords: ["a"], primaryTool: "find", ...intent } },
    entities: { Name: { pattern: "b" } },
  };
};

/** A tool that the client runs. */
const mine = { tools: { mine: {} } };

const told = { parameters: { type: "object", properties: { title: {} } } };

describe("a policy document", () => {
  it("may be empty: everything destructive until the handshake, nothing refused after it but confirmation", () => {
    const policy = policyOf({});
    expect([...policy.intents.keys()]).toEqual(["general"]);
    expect([...policy.modes.keys()]).toEqual(["default"]);
    expect(policy.confirmation.inlineExpiresAfter).toBe(86_400_000);
    expect(policy.injection.action).toBe("ask");
    const traits = traitsOf(policy, "anything");
    expect(traits).toMatchObject({
      class: "destructive",
      category: "modification",
      needsConfirmation: true,
      gate: false,
      windows: [],
    });
  });

  it("may have `execution.whenMissing`, which older ones have", () => {
    const old = { execution: { whenMissing: "ask" }, intents: { A: { execution: { whenMissing: "model" } } } };
    const parsed = parsePolicyDocument(old);
    expect(parsed.ok).toBe(true);
    expect(JSON.stringify(parsed)).not.toContain("whenMissing");
    expect(pathsOf({ execution: { whenmissing: "ask" } })).toEqual(["/execution/whenmissing"]);
  });

  it("says what names of models stand for, one to eight each", () => {
    expect([...policyOf({}).models]).toEqual([]);
    expect([...policyOf({ models: { smart: ["a/b", "c"] } }).models]).toEqual([["smart", ["a/b", "c"]]]);
    for (const models of [{ a: [] }, { a: "b" }, { a: [""] }, { "": ["b"] }, { a: Array(9).fill("b") }])
      expect(pathsOf({ models }).length).toBe(1);
  });

  it("passes no field that is governed, and warns of one that needs no passing", () => {
    expect([...policyOf({}).passFields]).toEqual([]);
    expect([...policyOf({ passFields: ["web_search_options"] }).passFields]).toEqual(["web_search_options"]);
    const passFields = ["plugins", "tools", "tool_Choice", "temperature"];
    expect(pathsOf({ passFields })).toEqual(["/passFields/1", "/passFields/2"]);
    expect(warningsOf({ passFields: ["plugins", "temperature"] })).toEqual(["/passFields/1"]);
  });

  it("tells every error at once, each with its path", () => {
    const document = {
      toolz: {},
      modes: { a: { alow: [] } },
      tools: { x: { category: "bad", rateLimits: [{ max: -1, window: "1x" }] }, "a/b": { run: { kind: "ftp" } } },
      handshake: { tool: "not a name" },
    };
    expect(pathsOf(document).sort()).toEqual([
      "/handshake/tool",
      "/modes/a/alow",
      "/tools/a~1b/run/kind",
      "/tools/x/category",
      "/tools/x/rateLimits/0/max",
      "/tools/x/rateLimits/0/window",
      "/toolz",
    ]);
    for (const { message } of errorsOf(document)) expect(message).toMatch(/^[a-z`].*[^.]$/);
  });

  it.each([
    ["a role that is not listed", { tools: { x: { roles: ["king"] } } }, "/tools/x/roles/0"],
    ["a mode's role that is not listed", { modes: { m: { roles: ["king"] } } }, "/modes/m/roles/0"],
    ["an undo that names no tool", { tools: { x: { undo: "y" } } }, "/tools/x/undo"],
    ["an undo found on a prototype", { tools: { x: { undo: "constructor" } } }, "/tools/x/undo"],
    [
      "an undo's template that stands for nothing",
      { tools: { x: { undo: { tool: "x", arguments: { id: "{{results.id}}" } } } } },
      "/tools/x/undo/arguments/id",
    ],
    [
      "a primary tool outside its tools",
      { intents: { A: { tools: ["x"], primaryTool: "y" } } },
      "/intents/A/primaryTool",
    ],
    ["an intent's pattern", { intents: { A: { patterns: ["(?=a)"] } } }, "/intents/A/patterns/0"],
    ["an entity's pattern", { entities: { a: { pattern: "(" } } }, "/entities/a/pattern"],
    ["a custom injection pattern", { injection: { custom: { a: ["(a)\\1"] } } }, "/injection/custom/a/0"],
    ["a custom set with a built-in's name", { injection: { custom: { sql: ["a"] } } }, "/injection/custom/sql"],
    ["an unknown injection set", { injection: { sets: ["gone"] } }, "/injection/sets/0"],
    [
      "a tool's unknown injection set",
      { tools: { x: { injection: { sets: ["gone"] } } } },
      "/tools/x/injection/sets/0",
    ],
    ["a fraction of a use", { rateLimits: { x: [{ max: 1.5, window: "1h" }] } }, "/rateLimits/x/0/max"],
    ["a selector in a mode", { modes: { m: { deny: ["categry:x"] } } }, "/modes/m/deny/0"],
    ["a selector in an intent", { intents: { A: { tools: ["a b"] } } }, "/intents/A/tools/0"],
    ["a selector as a group", { tools: { "class:x": {} } }, "/tools/class:x"],
    ["a family made of a family", { families: { a: ["family:b"] } }, "/families/a/0"],
    [
      "a group that sets what it selects by",
      { tools: { "category:external": { category: "read_only" } } },
      "/tools/category:external/category",
    ],
    ["a group's families", { tools: { "a_*": { families: ["x"] } } }, "/tools/a_*/families"],
    ["a group's parameters", { tools: { "*": { parameters: {} } } }, "/tools/*/parameters"],
    ["parameters that are no schema", { tools: { x: { parameters: { type: "strin" } } } }, "/tools/x/parameters/type"],
    ["an extractor that is no pattern", { detection: { extract: "(?=a)" } }, "/detection/extract"],
    ["a fallback that is no intent", { detection: { fallback: "A" } }, "/detection/fallback"],
    ["a tool with the handshake's name", { tools: { select_intent: {} } }, "/tools/select_intent"],
    [
      "a name that zod would drop",
      JSON.parse('{"tools": {"__proto__": {"category": "external"}}}'),
      "/tools/__proto__",
    ],
    ["an undo of an unknown tool", { tools: { x: { undo: { tool: "gone" } } } }, "/tools/x/undo"],
    [
      "an undo by what nothing stands for",
      { tools: { x: { undo: { tool: "x", arguments: { id: "{{results.id}}" } } } } },
      "/tools/x/undo/arguments/id",
    ],
    ["a document that is a list", [], ""],
  ])("refuses %s", (_, document, path) => {
    expect(pathsOf(document)).toEqual([path]);
  });

  it.each([
    [{ detection: { layers: ["keywords"] }, intents: { A: { patterns: ["a"] } } }, "/detection/layers"],
    [{ intents: { A: { keywords: ["test"] }, B: { keywords: ["exam", "Ｔest"] } } }, "/intents/B/keywords/1"],
    [{ intents: { A: { keywords: ["\u200b"] } } }, "/intents/A/keywords/0"],
    [{ execution: { strategy: "system_first" } }, "/execution/strategy"],
    [{ execution: { systemFirstShare: 0.1 }, intents: { A: { keywords: ["a"] } } }, "/execution/systemFirstShare"],
    [{ execution: systemFirst, handshake: { select: "model" }, ...managedIntent() }, "/execution/strategy"],
    [managedIntent({ execution: systemFirst, primaryTool: undefined }), "/intents/A/execution"],
    [
      { ...managedIntent({ execution: { systemFirstShare: 0.5 }, primaryTool: "mine" }), ...mine },
      "/intents/A/execution",
    ],
    [{ ...managedIntent({ execution: systemFirst }), handshake: { select: "model" } }, "/intents/A/execution"],
    [managedIntent({ execution: systemFirst }, ["name", "day"]), "/intents/A/execution"],
    [{ handshake: { mustMatchDetected: "always" } }, "/handshake/mustMatchDetected"],
    [{ injection: { custom: { a: ["b"] } } }, "/injection/custom/a"],
    [{ modes: { m: { allow: ["family:gone"] } } }, "/modes/m/allow/0"],
    [{ tools: { x: { ...told, disclosure: "Write {{titel}}" } } }, "/tools/x/disclosure"],
    [{ tools: { u: told, x: { undo: { tool: "u", arguments: { id: "1" } } } } }, "/tools/x/undo/arguments/id"],
    [{ tools: { x: { ...told, disclosure: { en: "Write {{title}}", ja: "{{tags.0}}" } } } }, "/tools/x/disclosure"],
    [{ tools: { x: { ...told, preview: { before: "/title", after: "/text" } } } }, "/tools/x/preview/after"],
  ])("warns of %j", (document, path) => {
    expect(warningsOf(document)).toEqual([path]);
  });

  it("says nothing of what the system may call first", () => {
    const mcp = { mcpServers: { crm: { url: "https://crm.test/mcp", tools: ["x"] } } };
    for (const document of [
      managedIntent({ execution: systemFirst }),
      { execution: { systemFirstShare: 0.1 }, ...managedIntent() },
      {
        execution: { systemFirstShare: 0.1 },
        ...mcp,
        intents: { A: { description: "a", primaryTool: "mcp__crm__x" } },
      },
      { ...managedIntent({ execution: { strategy: "llm_first" }, primaryTool: "mine" }), ...mine },
    ])
      expect(warningsOf(document)).toEqual([]);
  });

  it("warns of a setting that is written as its default, and of none that is not written", () => {
    const warned = (input: object) =>
      warnDocument(policyDocument().parse(input), input)
        .filter(({ severity }) => severity === "warning")
        .map(({ path }) => path);
    expect(
      warned({
        audit: { retentionDays: 90, logConfirmations: true },
        handshake: { mustMatchDetected: "afterUntrusted", selectAt: 0.9 },
        confirmation: { typedCode: "afterUntrusted", timeoutSeconds: 30, inlineExpiresAfter: "24h" },
      }).sort(),
    ).toEqual(["/handshake/mustMatchDetected"]);
    expect(warned({ audit: {}, handshake: {}, confirmation: {}, detection: {} })).toEqual([]);
  });

  it("says nothing of names that the parameters have, nor where the client's own parameters count", () => {
    const disclosure = "Write {{title}} in {{ note.a/b }}";
    const parameters = { type: "object", properties: { title: {}, note: {} } };
    expect(warningsOf({ tools: { x: { parameters, disclosure, preview: { after: "/note/text" } } } })).toEqual([]);
    expect(warningsOf({ tools: { x: { disclosure: "Write {{anything}}", preview: { after: "/what" } } } })).toEqual([]);
  });

  it("says nothing of how people are asked, all of which is in force", () => {
    const confirmation = { channel: "hold", typedCode: "always", timeoutSeconds: 5, inlineExpiresAfter: "1h" };
    expect(warningsOf({ confirmation, audit: { logConfirmations: false } })).toEqual([]);
  });

  it("says nothing of keywords, patterns and examples", () => {
    expect(warningsOf({ intents: { A: { keywords: ["a"], patterns: ["b+"], examples: ["c"] } } })).toEqual([]);
  });
});

describe("half a character", () => {
  it("is refused in names and texts, at its path", () => {
    const input = { intents: { "a\ud83d": {} }, tools: { t: { description: "b\ude00" } }, name: "\ud83d\ude00" };
    const message = expect.stringContaining("half a character");
    expect(parsePolicyDocument(input)).toEqual({
      ok: false,
      error: [
        { path: "/intents/a\ufffd", message },
        { path: "/tools/t/description", message },
      ],
    });
  });
});

describe("policies/default.json", () => {
  const input: unknown = JSON.parse(readFileSync(`${root}/policies/default.json`, "utf8"));

  it("parses without warnings and compiles", () => {
    const parsed = parsePolicyDocument(input);
    expect(parsed).toMatchObject({ ok: true, value: { warnings: [] } });
    expect(parsed.ok && compilePolicy(parsed.value.document, "v").ok).toBe(true);
  });

  it("has what a newcomer should see", () => {
    const policy = policyOf(input);
    expect(policy.tools.size).toBeGreaterThanOrEqual(20);
    expect(traitsOf(policy, "create_note")).toMatchObject({
      needsConfirmation: false,
      windows: [{ max: 10, windowMs: 60_000 }],
    });
    expect(traitsOf(policy, "fetch_url")).toMatchObject({ gate: true, needsConfirmation: false, class: "destructive" });
    expect(traitsOf(policy, "delete_file")).toMatchObject({ needsConfirmation: true });
    expect(traitsOf(policy, "deploy").roles).toEqual(["admin"]);
    expect(traitsOf(policy, "read_file")).toMatchObject({ class: "safe", needsConfirmation: false, gate: false });
  });
});

describe("policies/policy.schema.json", () => {
  it("is what the script writes", () => {
    execFileSync(process.execPath, ["src/cli/policy-schema.ts", "--check"], { cwd: root, stdio: "pipe" });
  });
});
