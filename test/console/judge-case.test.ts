/** Cases judged by a simulated turn. */
import { describe, expect, test } from "vitest";
import type { SimulationView } from "../../src/api-views/policy-views.ts";
import { judgeCase, type PolicyCase, readCases } from "../../src/console/policies/judge-case.ts";

const found: SimulationView = {
  in_force: true,
  policy: "p",
  role: "user",
  mode: "default",
  untrusted: false,
  state: "action",
  intents: ["MAIL"],
  detection: null,
  steps: [
    {
      state: "action",
      intents: ["MAIL"],
      offered: ["send_mail"],
      withheld: [{ name: "wipe", reasons: [{ code: "role_forbids", message: "" }] }],
      handshake: { name: "select_intent", intents: ["MAIL"] },
      calls: [
        {
          id: "c1",
          name: "send_mail",
          arguments: "{}",
          effect: "confirm",
          origins: [],
          reasons: [{ code: "first_use", message: "" }],
          question: null,
        },
      ],
    },
  ],
  stopped: null,
};

const one = (turn: object, more: object = {}): PolicyCase => {
  const read = readCases(JSON.stringify({ tools: { wipe: {} }, cases: [{ name: "n", turns: [turn], ...more }] }));
  if (!read?.[0]) throw new Error("no case");
  return read[0];
};

describe("a case", () => {
  test("that a simulated turn meets in all it can say has no differences; the handshake is the gateway's own", () => {
    const expected = {
      steps: [{ offered: ["send_mail", "select_intent"], withheld: { wipe: ["role_forbids"] } }],
      decisions: [{ tool: "send_mail", effect: "confirm", reasons: ["first_use"] }],
      state: "action",
      intents: ["MAIL"],
      text: ["not said by a simulation"],
    };
    expect(judgeCase(one({ user: "write", expect: expected }), found)).toEqual([]);
  });

  test.each([
    [{ steps: [{ offered: ["wipe"] }] }, "steps.0.offered"],
    [{ steps: [{ withheld: {} }] }, "steps.0.withheld"],
    [{ decisions: [{ tool: "send_mail", effect: "allow" }] }, "decisions.0.effect"],
    [{ decisions: [{ tool: "send_mail", reasons: [] }] }, "decisions.0.reasons"],
    [{ decisions: [{ tool: "send_mail" }, { tool: "wipe" }] }, "decisions.1.tool"],
    [{ intents: [] }, "intents"],
    [{ intent: null }, "intent"],
    [{ state: "reasoning" }, "state"],
  ])("%o differs in %s", (expected, what) => {
    expect(judgeCase(one({ user: "write", expect: expected }), found).map((difference) => difference.what)).toEqual([
      what,
    ]);
  });

  test.each([
    [{ user: "a", inbox: [] }, {}],
    [{ results: [] }, {}],
    [{ user: "a" }, { hosts: {} }],
    [{ user: "a" }, { turns: [{ user: "a" }, { user: "b" }] }],
  ])("%o %o is left to `policy test`", (turn, more) => {
    expect(one(turn, more).simulation).toBeUndefined();
  });

  test("becomes the body of a simulation, with the file's definitions", () => {
    const made = one(
      { user: "go", model: [{ calls: [{ tool: "wipe", arguments: { all: true } }] }] },
      { principal: { role: "guest" }, session: { mode: "safe" } },
    );
    expect(made.simulation).toEqual({
      user: "go",
      role: "guest",
      mode: "safe",
      authenticated: true,
      tools: [{ type: "function", function: { name: "wipe" } }],
      calls: [{ name: "wipe", arguments: { all: true } }],
    });
  });
});

test("what is no file of cases is none", () => {
  for (const text of ["", "[]", "{}", '{"cases":1}']) expect(readCases(text)).toBeUndefined();
});
