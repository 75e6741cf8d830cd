/** `policy test`: a case that is wrong in one thing fails in that thing, and the message says where. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Failure } from "../../../src/cli/policy/cases/case-outcome.ts";
import { testCommand } from "../../../src/cli/policy/test-command.ts";
import { managedCases, managedPolicy, rightManaged, wrongManaged } from "../support/managed-cases.ts";
import { recording } from "../support/recording.ts";

const policy = {
  name: "runner",
  modes: { quiet: { allow: ["category:read_only"] }, admins: { allow: ["*"], roles: ["admin"] } },
  tools: {
    look: { category: "read_only" },
    write: { category: "note_taking", confirm: "auto", redact: ["secret"], rateLimits: [{ max: 1, window: "1h" }] },
    send: { category: "external", destination: "elsewhere" },
  },
  intents: {
    WRITE: { description: "write", tools: ["write", "look"] },
    SEND: { description: "send" },
    JOT: { description: "jot down", keywords: ["jot"], tools: ["write", "look"] },
  },
  detection: { layers: ["keywords", "model"] },
  handshake: { mustMatchDetected: "never" },
};

const tools = {
  look: {},
  write: { parameters: { type: "object", properties: { text: { type: "string" }, secret: { type: "string" } } } },
  send: {},
};

const selects = (intent: string) => ({ calls: [{ tool: "select_intent", arguments: { intent } }] });
const writes = { calls: [{ tool: "write", arguments: { text: "x" } }] };

/** One turn that writes, expected as told. */
const writing = (name: string, expect: unknown) => ({
  name,
  turns: [{ user: "write x", model: [selects("WRITE"), writes], expect }],
});

const right = {
  steps: [
    { offered: ["look", "select_intent"], withheld: { write: ["state_forbids"], send: ["state_forbids"] } },
    { offered: ["look", "write", "select_intent"], withheld: { send: ["intent_forbids"] } },
  ],
  decisions: [
    { tool: "select_intent", effect: "allow", reasons: [] },
    { tool: "write", effect: "allow", reasons: [] },
  ],
  released: [{ tool: "write", arguments: { text: "x" } }],
  state: "action",
  intent: "WRITE",
  intents: ["WRITE"],
  detection: [],
  stopReason: "completed",
  audit: {
    turn: { stop_reason: "completed", state_opened: "request", mode: "default", withheld: [{ name: "send" }] },
    decisions: [
      { tool: "select_intent", disposition: "hidden" },
      { tool: "write", arguments: { text: "x" } },
    ],
  },
};

/** Each is what the turn is, but for one thing. The key is what the failure must name. */
const wrong: Readonly<Record<string, unknown>> = {
  status: { ...right, status: 400 },
  error: { ...right, error: "mode_forbidden" },
  offered: { ...right, steps: [right.steps[0], { offered: ["write", "look", "select_intent"] }] },
  withheld: { ...right, steps: [{ withheld: { write: ["state_forbids"] } }, right.steps[1]] },
  decisions: { ...right, decisions: [right.decisions[0], { tool: "write", effect: "confirm" }] },
  released: { ...right, released: [{ tool: "write", arguments: { text: "y" } }] },
  state: { ...right, state: "reasoning" },
  intent: { ...right, intent: null },
  intents: { ...right, intents: ["WRITE", "SEND"] },
  detection: { ...right, detection: [{ name: "WRITE" }] },
  text: { ...right, text: ["written"] },
  stopReason: { ...right, stopReason: "step_limit" },
  "audit.turn": { ...right, audit: { turn: { withheld: [{ name: "look" }] } } },
  "audit.decisions": {
    ...right,
    audit: { decisions: [right.audit.decisions[0], { tool: "write", arguments: { text: "a long text ".repeat(9) } }] },
  },
};

const wording = {
  intents: ["JOT"],
  layer: "keywords",
  selects: ["JOT"],
  followUp: false,
  discounted: [],
  entities: {},
};
/** As `wrong`, of messages alone; the key is in the message. */
const wrongWordings: Readonly<Record<string, unknown>> = {
  intents: ["WRITE"],
  layer: "patterns",
  selects: [],
  followUp: true,
  discounted: ["JOT"],
  entities: { count: 5 },
};
const judged = { label: "WRITE", confidence: 0.95, reason: "paper" };
const rightWordings = [
  { ...wording, text: "jot it down" },
  { text: "put it on paper", intents: [], selects: [] },
];
const wordings = [
  ...rightWordings,
  ...Object.entries(wrongWordings).map(([name, value]) => ({ ...wording, text: `jot ${name}`, [name]: value })),
];

const others = [
  writing("all of it", right),
  {
    name: "what is said, by words and by a verdict",
    turns: [
      {
        user: "jot x",
        model: [writes],
        expect: { intents: ["JOT"], detection: [{ name: "JOT", layer: "keywords", confidence: 1 }] },
      },
      {
        user: "put x on paper",
        verdict: judged,
        model: [{ text: "I did that, and will not again." }],
        expect: { intents: ["WRITE"], detection: [{ name: "WRITE", layer: "model" }], text: ["I did", "again"] },
      },
    ],
  },
  {
    name: "script too short",
    turns: [{ user: "write x", model: [selects("WRITE")], expect: { status: 200 } }],
  },
  { name: "script too long", turns: [{ user: "hello", model: [{ text: "hello" }, { text: "again" }] }] },
  {
    name: "results of no call",
    turns: [
      { user: "hello", model: [{ text: "hello" }] },
      { results: [{ tool: "write", content: "done" }], model: [{ text: "done" }] },
    ],
  },
  {
    name: "results, the hour and the limit",
    turns: [
      { user: "write x", model: [selects("WRITE"), writes], expect: right },
      {
        results: [{ tool: "write", content: { id: 1 } }],
        model: [writes, { text: "done" }],
        expect: {
          released: [],
          decisions: [{ tool: "write", effect: "deny", reasons: ["rate_limited"] }],
          audit: { turn: { settled: [{ outcome: "succeeded" }] }, decisions: [{ reasons: [{ max: 1 }] }] },
        },
      },
      { advance: "1h", user: "again", model: [selects("WRITE"), writes], expect: { released: [{ tool: "write" }] } },
    ],
  },
  {
    name: "mode, role and consent",
    principal: { role: "admin" },
    session: { mode: "admins" },
    turns: [
      {
        user: "send it",
        consent: ["send"],
        model: [selects("SEND"), { calls: [{ tool: "send" }] }],
        expect: { released: [{ tool: "send" }], audit: { turn: { mode: "admins", role: "admin" } } },
      },
      {
        user: "quietly now",
        headers: { "x-toolgate-mode": "quiet" },
        request: { stream: false },
        model: [{ text: "yes" }],
        expect: { steps: [{ offered: ["look", "select_intent"] }], audit: { turn: { mode: "quiet" } } },
      },
    ],
  },
  {
    name: "a mode of others",
    turns: [
      { user: "hello", headers: { "x-toolgate-mode": "admins" }, expect: { status: 403, error: "mode_forbidden" } },
      { user: "hello", model: [{ text: "hello" }], expect: { audit: { turn: { mode: "default" } } } },
    ],
  },
  {
    name: "a stream that breaks off",
    turns: [
      {
        user: "look",
        model: [{ calls: [{ tool: "write" }], finish: "eos" }],
        expect: {
          error: "upstream_stream_disorderly",
          released: [],
          decisions: [{ tool: "write", reasons: ["stream_disorderly"] }],
        },
      },
    ],
  },
];

let folder: string;
let file: string;
let managed: string;
let printed: string;
let json: {
  readonly files: readonly {
    readonly cases: readonly {
      readonly name: string;
      readonly passed: boolean;
      readonly failures: readonly Failure[];
    }[];
    readonly untouched: Readonly<Record<string, readonly string[]>>;
  }[];
  readonly passed: number;
  readonly failed: number;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-cases-"));
  file = join(folder, "runner.json");
  writeFileSync(file, JSON.stringify(policy));
  const cases = [...Object.entries(wrong).map(([name, expect]) => writing(name, expect)), ...others];
  writeFileSync(join(folder, "runner.cases.json"), JSON.stringify({ tools, cases, wordings }));
  managed = join(folder, "managed.json");
  writeFileSync(managed, JSON.stringify(managedPolicy));
  writeFileSync(join(folder, "managed.cases.json"), JSON.stringify(managedCases));
  const out = recording();
  expect(await testCommand.run([file])).toBe(1);
  printed = out.text();
  const data = recording();
  expect(await testCommand.run([file, managed, "--json"])).toBe(1);
  json = JSON.parse(data.text());
});

afterEach(() => void vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const failuresOf = (name: string): readonly Failure[] => {
  const found = json.files.flatMap(({ cases }) => cases).find((one) => one.name === name);
  if (!found) throw new Error(`no case \`${name}\` ran`);
  expect(found.passed).toBe(found.failures.length === 0);
  return found.failures;
};

describe("a wrong expectation", () => {
  it.each(Object.keys(wrong))("of `%s` fails, and nothing else does", (name) => {
    expect(failuresOf(name).map(({ what }) => what)).toEqual([name]);
  });

  it.each(Object.keys(wrongWordings))("of a message's `%s` fails, and nothing else does", (name) => {
    expect(failuresOf(`“jot ${name}”`).map(({ what }) => what)).toEqual([name]);
  });

  it("is told with its place and both values", () => {
    expect(failuresOf("offered")[0]).toEqual({
      what: "offered",
      turn: 1,
      step: 2,
      expected: ["write", "look", "select_intent"],
      got: ["look", "write", "select_intent"],
    });
    expect(printed).toContain(
      [
        `  ✗ ${file} › offered`,
        "      turn 1, step 2: offered",
        '        expected  ["write","look","select_intent"]',
        '        got       ["look","write","select_intent"]',
      ].join("\n"),
    );
  });

  it("is told with what the turn decided, and why", () => {
    const [, after = ""] = printed.split(`✗ ${file} › offered\n`);
    expect(after.split("\n\n")[0]?.split("\n").slice(3)).toEqual([
      "        · ended completed in state action, mode default, intents WRITE; detected nothing",
      "        · step 1 offered look, select_intent; withheld write (state_forbids), send (state_forbids)",
      "        · step 2 offered look, write, select_intent; withheld send (intent_forbids)",
      "        · select_intent: allow",
      "        · write: allow",
    ]);
    expect(printed).toContain('        · found JOT 1 by keywords ("jot")');
  });

  it("is told line by line where it is long", () => {
    expect(printed).toMatch(/✗ .* › audit\.decisions\n {6}turn 1: audit\.decisions\n {8}- expected\n {8}\+ got\n/);
    expect(printed).toMatch(/^ {8}- +"text": "a long text .*"\n {8}\+ +"text": "x"$/m);
  });
});

describe("a case", () => {
  it.each([
    "all of it",
    "what is said, by words and by a verdict",
    ...rightWordings.map(({ text }) => `“${text}”`),
    "results, the hour and the limit",
    "mode, role and consent",
    "a mode of others",
    "a stream that breaks off",
  ])("that is right passes: %s", (name) => expect(failuresOf(name)).toEqual([]));

  it("fails where the model is asked more often than scripted, or less", () => {
    expect(failuresOf("script too short")).toMatchObject([
      { what: "error", got: { code: "not_scripted" } },
      { what: "model (steps taken)", expected: 1, got: 2 },
    ]);
    expect(failuresOf("script too long")).toMatchObject([{ what: "model (steps taken)", expected: 2, got: 1 }]);
  });

  it("fails where it brings results of calls that were not released", () => {
    expect(failuresOf("results of no call")).toMatchObject([
      { turn: 2, got: "`results` are of [write], but the turn before released []" },
    ]);
  });
});

describe("managed tools", () => {
  it.each(rightManaged.map(({ name }) => name))("a case that is right passes: %s", (name) => {
    expect(failuresOf(name)).toEqual([]);
  });

  it.each(Object.keys(wrongManaged))("a case that is wrong fails, and tells in what: %s", (name) => {
    const what = name.startsWith("a host") ? "hosts" : name;
    expect(failuresOf(name).map((one) => one.what)).toEqual([what]);
  });

  it("are told with what left for which host, and what was never asked for", () => {
    expect(failuresOf("a host that nothing is scripted for")[0]).toMatchObject({
      got: "GET https://crm.example.com/mine",
    });
    expect(failuresOf("hosts")[0]).toMatchObject({
      expected: "POST crm.example.com/elsewhere",
      got: "never asked for",
    });
  });

  it("that no case touches are named", () => {
    expect(json.files[1]?.untouched.tools).toEqual(["never"]);
  });
});

describe("the summary", () => {
  it("counts", () => {
    const failed = Object.keys(wrong).length + Object.keys(wrongWordings).length + 3;
    const passed = others.length - 3 + rightWordings.length;
    const [ran, wrongs] = [rightManaged.length, Object.keys(wrongManaged).length];
    expect(json).toMatchObject({ passed: passed + ran, failed: failed + wrongs });
    expect(printed.split("\n").at(-1)).toBe(`${passed} passed, ${failed} failed`);
  });

  it("tells what no case touches, of what the policy has", () => {
    const { rules, ...names } = json.files[0]?.untouched ?? {};
    expect(names).toEqual({ tools: ["look"], intents: [], modes: [], roles: ["guest", "premium"] });
    expect(rules).toContain("arguments_invalid");
    // Seen, or nothing in this policy could give it.
    for (const code of [
      "rate_limited",
      "state_forbids",
      "intent_forbids",
      "connection_missing",
      "soft_limit_reached",
    ]) {
      expect(rules).not.toContain(code);
    }
    expect(printed).toContain("no case touches these tools: look");
  });
});

describe("the command", () => {
  it("runs one case by its name", async () => {
    const out = recording();
    expect(await testCommand.run([file, "--case", "all of it"]), out.text()).toBe(0);
    expect(out.text()).toBe(`${file}: 1 case\n1 passed, 0 failed`);
  });

  it("fails where nothing ran", async () => {
    const lonely = join(folder, "lonely.json");
    writeFileSync(lonely, "{}");
    const out = recording();
    expect(await testCommand.run([lonely])).toBe(1);
    expect(out.text()).toBe(
      `${lonely}: no cases (${join(folder, "lonely.cases.json")} is missing)\n0 passed, 0 failed`,
    );
    const named = recording();
    expect(await testCommand.run([file, "--case", "nobody"])).toBe(1);
    expect(named.text()).toContain("no case is called `nobody`");
  });

  it("says how it is called", async () => {
    expect(await testCommand.run([])).toBe("usage");
  });
});
