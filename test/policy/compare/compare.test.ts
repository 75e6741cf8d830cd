import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runBlocking } from "../../../src/lib/concurrency.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { type CheckedPolicy, checkPolicy } from "../../../src/policy/check.ts";
import { comparing, type PolicyChanges } from "../../../src/policy/compare/compare.ts";
import { offerTools } from "../../../src/policy/offer.ts";
import { definitionOf, documents, plainFacts, toolNames } from "../arbitraries.ts";

function checked(document: unknown): CheckedPolicy {
  const result = checkPolicy(document, "test");
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const compare = (before: unknown, after: unknown, seen: readonly string[] = []) =>
  runBlocking(comparing(checked(before), checked(after), seen));

const nothing: PolicyChanges = { hosts: [], tools: [], intents: [], modes: [], settings: [], truncated: false };

const opposite = { offered: "withheld", withheld: "offered", added: "removed", removed: "added" } as const;
const directions = { narrowed: "widened", widened: "narrowed", changed: "changed", ...opposite } as const;

function mirrored({ hosts, tools, intents, modes, settings, truncated }: PolicyChanges): PolicyChanges {
  const sides = <T extends { readonly before?: unknown; readonly after?: unknown }>({ before, after, ...rest }: T) => ({
    ...rest,
    ...(after === undefined ? {} : { before: after }),
    ...(before === undefined ? {} : { after: before }),
  });
  const named = (change: PolicyChanges["intents"][number] | PolicyChanges["modes"][number]) => ({
    ...sides(change),
    change: directions[change.change],
    gained: change.lost,
    lost: change.gained,
  });
  return {
    hosts: hosts.map(({ host, change, gained, lost }) => ({
      host,
      change: directions[change],
      gained: lost,
      lost: gained,
    })),
    tools: tools.map(({ effects, ...rest }) => ({
      ...sides(rest),
      effects: effects.map((effect) => ({ ...effect, before: effect.after, after: effect.before })),
    })),
    intents: intents.map(named),
    modes: modes.map(named),
    settings: settings.map(sides),
    truncated,
  } as unknown as PolicyChanges;
}

const generated = documents({ groups: true });

describe("laws of comparison", () => {
  it("a_policy_compared_with_itself_changes_nothing", () => {
    fc.assert(
      fc.property(generated, (document) => {
        expect(compare(document, structuredClone(document), toolNames)).toEqual(nothing);
      }),
    );
  });

  it("comparing_the_other_way_round_mirrors", () => {
    fc.assert(
      fc.property(generated, generated, (a, b) => {
        expect(compare(b, a, toolNames)).toEqual(mirrored(compare(a, b, toolNames)));
      }),
    );
  });

  it("what_the_offer_changes_is_told: for every tool, role and mode, before an intent and under each", () => {
    fc.assert(
      fc.property(generated, generated, (a, b) => {
        const [before, after] = [checked(a), checked(b)];
        const { tools } = runBlocking(comparing(before, after, toolNames));
        const modes = [...before.policy.modes.keys()].filter((name) => after.policy.modes.has(name));
        const intents = [...before.policy.intents.keys()].filter((name) => after.policy.intents.has(name));
        const all = <T>(told: T | "*", one: T) => told === "*" || told === one;
        for (const name of toolNames)
          for (const role of before.policy.roles)
            for (const mode of modes)
              for (const intent of [undefined, ...intents]) {
                const offered = ({ policy }: CheckedPolicy) => {
                  const acts = intent !== undefined || policy.handshake.select === "off";
                  const facts = {
                    ...plainFacts,
                    principal: { ...plainFacts.principal, role, connections: ["crm", "mail"] },
                    mode,
                    state: acts ? ("action" as const) : ("reasoning" as const),
                    intents: intent === undefined ? [] : [intent],
                  };
                  return offerTools(policy, facts, [definitionOf(name)], workBudget()).callable.has(name)
                    ? "offered"
                    : "withheld";
                };
                const told = tools
                  .find(({ tool }) => tool === name)
                  ?.effects.filter(
                    (effect) =>
                      all(effect.role, role) &&
                      all(effect.mode, mode) &&
                      (intent === undefined
                        ? effect.state !== undefined
                        : effect.intent !== undefined && all(effect.intent, intent)),
                  );
                const [was, is] = [offered(before), offered(after)];
                expect((told ?? []).map((effect) => [effect.before, effect.after])).toEqual(
                  was === is ? [] : [[was, is]],
                );
              }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a comparison", () => {
  it("tells a tool's traits that differ, and for whom it is offered no longer", () => {
    const before = { tools: { deploy: { category: "external" } }, intents: { SHIP: {}, LOOK: { tools: [] } } };
    const after = {
      ...before,
      tools: { deploy: { category: "external", roles: ["admin"], rateLimits: [{ max: 1, window: "1h" }] } },
    };
    expect(compare(before, after)).toEqual({
      ...nothing,
      tools: [
        {
          tool: "deploy",
          before: { rate_limits: [] },
          after: { roles: ["admin"], rate_limits: [{ key: "tool:deploy", max: 1, window_ms: 3600_000 }] },
          effects: ["guest", "premium", "user"].map((role) => ({
            role,
            mode: "default",
            intent: "SHIP",
            before: "offered",
            after: "withheld",
            reasons: ["role_forbids"],
          })),
        },
      ],
    });
  });

  it("says once what holds for every role, mode and intent", () => {
    const before = { modes: { quiet: {} }, intents: { A: {}, B: {} }, tools: { send: {} } };
    const after = { ...before, modes: { quiet: { deny: ["send"] }, default: { deny: ["send"] } } };
    const { tools } = compare(before, after);
    expect(tools).toEqual([
      {
        tool: "send",
        before: {},
        after: {},
        effects: [
          { role: "*", mode: "*", intent: "*", before: "offered", after: "withheld", reasons: ["mode_forbids"] },
        ],
      },
    ]);
  });

  it("tells what the guard brings: its intents without the phrases that are built in, and a tool of each family", () => {
    const { tools, intents, settings, truncated } = compare({}, { intentGuard: {} }, ["bash", "calculator"]);
    expect(truncated).toBe(false);
    expect(intents.filter(({ change }) => change === "added").map(({ intent }) => intent)).toEqual([
      "browser_access",
      "code_edit",
      "filesystem_ops",
      "memory_ops",
      "network_research",
    ]);
    expect(intents[0]?.gained).toEqual(["browser_*", "fetch_*"]);
    expect(intents[0]?.after).toMatchObject({ families: { allowedFamilies: ["browser"], noFallback: true } });
    expect(Object.keys(intents[0]?.after ?? {})).not.toContain("keywords");
    expect(tools.map(({ tool, after }) => [tool, after.families])).toEqual([
      ["*", ["unknown"]],
      ["bash", ["shell"]],
      ["bash_*", ["shell"]],
      ["browser_*", ["browser"]],
      ["calculator", ["unknown"]],
      ["fetch_*", ["network"]],
      ["file_*", ["filesystem"]],
      ["git_*", ["vcs"]],
      ["memory_*", ["memory"]],
      ["task_*", ["task"]],
    ]);
    expect(settings.map(({ path }) => path)).toContain("/intentGuard");
  });

  it("tells a change of the guard as one of the intent", () => {
    const guard = (policy: object) => ({ intentGuard: { intents: { browser_access: policy } } });
    const { intents, tools } = compare(guard({}), guard({ softAllowedFamilies: [] }));
    expect(intents.map(({ intent, change, lost }) => [intent, change, lost])).toEqual([
      ["browser_access", "narrowed", ["fetch_*"]],
    ]);
    expect(tools.map(({ tool, effects }) => [tool, effects[0]?.intent, effects[0]?.after])).toEqual([
      ["fetch_*", "browser_access", "withheld"],
    ]);
  });

  it("tells what a policy that denies what it does not list takes away", () => {
    const tools = { look: { category: "read_only" } };
    const changes = compare({ tools }, { tools, unlistedTools: "deny" }, ["seen"]);
    expect(changes.tools.map(({ tool, effects }) => [tool, effects[0]?.after, effects[0]?.reasons])).toEqual([
      ["*", "withheld", ["unlisted_tool"]],
      ["seen", "withheld", ["unlisted_tool"]],
    ]);
  });

  it("tells of tools that no policy lists: those of a glob, those that were seen, and any other", () => {
    const { tools } = compare({}, { tools: { "web_*": { sensitive: true } }, unlistedTools: "external" }, ["web_get"]);
    expect(tools.map(({ tool, after }) => [tool, after.category, after.sensitive])).toEqual([
      ["*", "external", undefined],
      ["web_*", "external", true],
      ["web_get", "external", true],
    ]);
  });

  it("tells which fields go on to the provider", () => {
    const { settings } = compare({}, { passFields: ["plugins"] });
    expect(settings).toEqual([{ path: "/passFields", before: [], after: ["plugins"] }]);
  });

  it("tells for whom the system calls first, whichever setting says so", () => {
    const run = { kind: "http", method: "POST", url: "https://crm.test/a" };
    const tools = { find: { parameters: { type: "object" }, run } };
    const managed = { keywords: ["a"], primaryTool: "find" };
    const policy = (execution: object, own?: object) => ({
      tools,
      execution,
      intents: { A: own ? { ...managed, execution: own } : managed, B: { primaryTool: "mine" }, C: {} },
    });
    const told = (before: object, after: object) =>
      compare(before, after).intents.map((change) => [
        change.intent,
        change.before.systemFirst,
        change.after.systemFirst,
      ]);
    const some = "find for 12.5 % of users";
    expect(told(policy({}), policy({ systemFirstShare: 0.125 }))).toEqual([["A", undefined, some]]);
    expect(told(policy({ systemFirstShare: 0.125 }), policy({ strategy: "system_first" }))).toEqual([
      ["A", some, "find for every user"],
    ]);
    const llm = { strategy: "llm_first", systemFirstShare: 0 };
    expect(told(policy({ systemFirstShare: 0.125 }), policy({ systemFirstShare: 1 }, llm))).toEqual([
      ["A", some, undefined],
    ]);
    const { settings } = compare(policy({}), policy({ systemFirstShare: 0.125 }));
    expect(settings.map(({ path }) => path)).toEqual(["/execution/systemFirstShare"]);
  });

  it("tells intents and modes added, removed, narrowed and widened", () => {
    const before = {
      tools: { a: {}, b: {} },
      intents: { NARROW: {}, WIDE: { tools: ["a"] }, GONE: {}, SAME: {}, WORDS: { description: "x" } },
      modes: { quiet: { allow: ["a"] } },
    };
    const after = {
      tools: { a: {}, b: {} },
      intents: {
        NARROW: { tools: ["a"] },
        WIDE: { tools: ["a", "b"] },
        NEW: {},
        SAME: {},
        WORDS: { description: "y" },
      },
      modes: { quiet: { allow: ["a"], roles: ["admin"] } },
    };
    const { intents, modes } = compare(before, after);
    expect(intents.map(({ intent, change, gained, lost }) => [intent, change, gained, lost])).toEqual([
      ["GONE", "removed", [], ["*", "a", "b"]],
      ["NARROW", "narrowed", [], ["*", "b"]],
      ["NEW", "added", ["*", "a", "b"], []],
      ["WIDE", "widened", ["b"], []],
      ["WORDS", "changed", [], []],
    ]);
    expect(modes).toEqual([
      {
        mode: "quiet",
        change: "narrowed",
        gained: [],
        lost: ["role:guest", "role:premium", "role:user"],
        before: {},
        after: { roles: ["admin"] },
      },
    ]);
  });

  it("tells settings by their path, the order of intents among them", () => {
    const before = { intents: { A: {}, B: {} }, tools: { "x/*": { confirm: "ask" } } };
    const after = {
      intents: { B: {}, A: {} },
      tools: { "x/*": { confirm: "auto", roles: ["admin"] } },
      confirmation: { inlineExpiresAfter: "1h" },
    };
    expect(compare(before, after).settings).toEqual([
      { path: "/confirmation/inlineExpiresAfter", before: 86_400_000, after: 3_600_000 },
      { path: "/intents", before: ["A", "B"], after: ["B", "A"] },
      { path: "/tools/x~1*/confirm", before: "ask", after: "auto" },
      { path: "/tools/x~1*/roles", after: ["admin"] },
    ]);
  });

  it("tells how a tool is run member by member, and which hosts get what from whom", () => {
    const http = (run: object, more: object = {}) => ({
      parameters: { type: "object", properties: { id: {} } },
      ...more,
      run: { kind: "http", url: "https://crm.example.com/a", ...run },
    });
    const before = {
      tools: {
        find: http({ method: "GET" }),
        drop: http({ url: "https://old.example.com/" }),
        note: { run: { kind: "builtin", tool: "create_note" } },
      },
      mcpServers: { desk: { url: "https://mcp.example.com/" } },
    };
    const after = {
      tools: {
        find: http({ headers: { authorization: "Bearer {{secret.CRM}}" } }),
        send: http(
          { url: "https://mail.example.com/", headers: { a: "{{connection.token}}" } },
          { connection: "google" },
        ),
        note: { run: { kind: "mcp", server: "desk", system: { token: "connection.token" } }, connection: "desk" },
      },
      mcpServers: { desk: { url: "https://mcp.example.com/", headers: { "x-key": "{{ secret.DESK }}" } } },
      execution: { tellRuns: true, maxResultChars: 1_000 },
    };
    const { hosts, tools, settings } = compare(before, after);
    expect(hosts).toEqual([
      { host: "crm.example.com", change: "widened", gained: ["secret CRM"], lost: [] },
      { host: "mail.example.com", change: "added", gained: ["token of google", "tool send"], lost: [] },
      { host: "mcp.example.com", change: "widened", gained: ["secret DESK", "token of desk"], lost: [] },
      { host: "old.example.com", change: "removed", gained: [], lost: ["tool drop"] },
    ]);
    const find = tools.find(({ tool }) => tool === "find");
    expect(find?.before).toEqual({ "run.headers": {}, "run.method": "GET", "run.secrets": [] });
    expect(find?.after).toEqual({
      "run.headers": { authorization: "Bearer {{secret.CRM}}" },
      "run.method": "POST",
      "run.secrets": ["CRM"],
    });
    expect(tools.find(({ tool }) => tool === "note")?.after).toMatchObject({ "run.kind": "mcp", "run.server": "desk" });
    expect(settings).toEqual([
      { path: "/execution/maxResultChars", before: 32_000, after: 1_000 },
      { path: "/execution/tellRuns", before: false, after: true },
      { path: "/mcpServers/desk/headers/x-key", after: "{{ secret.DESK }}" },
    ]);
    expect(compare(after, before)).toEqual(mirrored(compare(before, after)));
  });

  it("is bounded, and says where it left something out", () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `tool_${index}`);
    const big = { tools: Object.fromEntries(names.map((name) => [name, { category: "external" }])) };
    const { tools, truncated } = compare({}, big);
    expect([tools.length <= 2_000, tools.length > 1_000, truncated]).toEqual([true, true, true]);

    const intents = Object.fromEntries(
      names.slice(0, 300).map((name, index) => [name, index % 2 ? {} : { tools: [] }]),
    );
    const wide = compare({ tools: { a: {} }, intents }, { tools: { a: { roles: ["admin"] } }, intents });
    expect(wide.tools.map(({ tool, effects }) => [tool, effects.length])).toEqual([["a", 100]]);
    expect(wide.truncated).toBe(true);
  });

  it("looks at no more tools than it has time for where there are very many intents or modes", () => {
    const globs = Array.from({ length: 300 }, (_, index) => `t${index}_*`);
    for (const part of ["intents", "modes"]) {
      const entries = Object.fromEntries(
        Array.from({ length: 3_000 }, (_, index) => {
          const selectors = [globs[index % globs.length]];
          return [`e${index}`, part === "intents" ? { tools: selectors } : { allow: selectors }];
        }),
      );
      const { [part as "intents"]: told, truncated } = compare({}, { [part]: entries });
      const added = told.filter(({ change }) => change === "added");
      expect([part, added.length, truncated]).toEqual([part, 3_000, true]);
    }
  });
});
