/** The parts of `bench:system-first` in which an error would give wrong figures and no failure. */
import { describe, expect, it } from "vitest";
import studyAgent from "../../../policies/study-agent-managed.json" with { type: "json" };
import type { Trail } from "./audit.ts";
import { countAlike, expectationsOf } from "./expectations.ts";
import { compareVariants } from "./experiments.ts";
import { countsOf } from "./figures.ts";
import { breachesOf, type StudyTool } from "./judge-call.ts";
import { tokensOf } from "./provider.ts";
import type { Recording } from "./recording.ts";
import { describeTold } from "./report.ts";
import { REDACTED, requests, users } from "./requests.ts";
import { answerOf, type ModelMessage } from "./scripted-model.ts";

const tools = studyAgent.tools as unknown as Readonly<Record<string, StudyTool>>;
const sent = (...names: string[]) =>
  names.map((name) => ({
    function: { name, ...(name === "select_intent" ? { parameters: handshake } : {}) },
  }));
const handshake = { properties: { intents: { items: { enum: ["CREATE_QUIZ", "UPDATE_GOALS"] } } } };
const user = (content: string): ModelMessage => ({ role: "user", content });
const called = (id: string, name: string, args: unknown, result: string): ModelMessage[] => [
  { role: "assistant", tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }] },
  { role: "tool", tool_call_id: id, content: result },
];
const refused = "tool_policy_blocked: no";
const made = '{"title":"a quiz"}';

describe("the scripted model", () => {
  const quiz = user("Quiz me on N3 keigo, as many questions as you can");
  const wanted = { topic: "keigo", level: "N3" };

  it("slips once, mends what was refused, and words the result", () => {
    const slip = { tool: "create_study_quiz", arguments: { ...wanted, count: 500 } };
    expect(answerOf({ messages: [quiz], tools: sent("create_study_quiz") }).calls).toEqual([slip]);
    const after = [quiz, ...called("a", slip.tool, slip.arguments, refused)];
    expect(answerOf({ messages: after, tools: sent("create_study_quiz") }).calls).toMatchObject([
      { tool: "create_study_quiz", arguments: wanted },
    ]);
    const done = [...after, ...called("b", slip.tool, wanted, made)];
    expect(answerOf({ messages: done, tools: sent("create_study_quiz") })).toMatchObject({ calls: [] });
    expect(answerOf({ messages: done, tools: sent("create_study_quiz") }).text).toContain("a quiz");
  });

  it("does not slip where another has called the tool already, and calls nothing that it was not sent", () => {
    expect(answerOf({ messages: [quiz, ...called("a", "create_study_quiz", wanted, made)] })).toMatchObject({
      calls: [],
    });
    expect(answerOf({ messages: [user("Quiz me about verbs")], tools: sent("audit_study_progress") }).calls).toEqual(
      [],
    );
  });

  it("selects the intent whose tool it was not sent, and asks for the topic that nobody told", () => {
    expect(answerOf({ messages: [user("Quiz me about verbs")], tools: sent("select_intent") }).calls).toEqual([
      { tool: "select_intent", arguments: { intents: ["CREATE_QUIZ"] } },
    ]);
    const asked = [user("Make me some flashcards"), { role: "assistant", content: "Which topic?" }, user("kanji")];
    expect(answerOf({ messages: asked.slice(0, 1), tools: sent("create_study_flashcards") }).calls).toEqual([]);
    expect(answerOf({ messages: asked, tools: sent("create_study_flashcards") }).calls).toMatchObject([
      { arguments: { topic: "kanji" } },
    ]);
  });
});

it("judges calls by role, limit and schema", () => {
  const [ada, bo] = users;
  const goal = { tool: "recalibrate_study_priorities", arguments: { prioritized_topics: ["kanji"] } };
  expect(breachesOf(tools, { user: ada, ...goal }, 0)).toEqual(["role"]);
  expect(breachesOf(tools, { user: bo, ...goal }, 4)).toEqual([]);
  expect(breachesOf(tools, { user: bo, ...goal }, 5)).toEqual(["limit"]);
  const cards = { tool: "create_study_flashcards", arguments: { topic: "verbs", level: "N9", count: 500 } };
  expect(breachesOf(tools, { user: ada, ...cards }, 20)).toEqual(["limit", "arguments"]);
  expect(breachesOf(tools, { user: ada, tool: "toString", arguments: {} }, 0)).toEqual(["unknown"]);
});

it("counts the tokens of the tools that were sent, and none where none were", () => {
  const messages = [user("hello")];
  const bare = tokensOf({ messages }, "", []).promptTokens;
  expect(tokensOf({ messages, tools: sent("select_intent") }, "", []).promptTokens).toBeGreaterThan(bare + 10);
  const call = { id: "a", name: "create_study_quiz", arguments: "{}" };
  expect(tokensOf({ messages }, "", [call])).toMatchObject({ promptTokens: bare, completionTokens: 6 });
});

describe("the counts", () => {
  const request = requests[0];
  if (!request) throw new Error("there are no requests");
  const run = { user: "ada", tool: "create_study_flashcards", arguments: {}, breaches: [] };
  const reply = {
    text: "",
    calls: [],
    turn: "turn_1",
    sample: { headers: 0, firstByte: 0, firstToken: 0, total: 0, bytes: 0 },
  };
  const served = { request: { messages: [] }, promptTokens: 10, completionTokens: 2, calls: [] };
  const recording: Recording = {
    request,
    served: [served],
    made: [],
    selected: [],
    ran: [run],
    replies: [{ ...reply, served: [served], ran: [run] }],
  };
  const decision = {
    id: "d1",
    turn: "turn_1",
    user: "ada",
    tool: "create_study_flashcards",
    call_id: "sys_1",
    effect: "allow",
    disposition: "run",
  };
  const trail = (...decisions: Trail["decisions"]): Trail => ({ turns: [], runs: [], approvals: [], decisions });
  const bad = { id: "call_1", name: "recalibrate_study_priorities", breaches: ["role" as const] };

  it("find the call that has no decision, and each decision counts for one call", () => {
    expect(countsOf([recording], trail(decision))).toMatchObject({ calls: 1, audited: 1, wholeDone: 1 });
    expect(countsOf([recording], trail({ ...decision, turn: "turn_0" }))).toMatchObject({ calls: 1, audited: 0 });
    const twice = { ...recording, ran: [run, run], made: [bad] };
    expect(countsOf([twice], trail(decision))).toMatchObject({ calls: 3, audited: 1, bad: 1, wholeDone: 0 });
    const refusal = {
      ...decision,
      id: "d2",
      call_id: "call_1",
      effect: "deny",
      disposition: "refused",
      made_by: "system",
    };
    expect(countsOf([twice], trail(decision, refusal))).toMatchObject({ audited: 2, refused: 1, refusedOfSystem: 1 });
  });

  it("are compared with what the gateway reports of the turns of a variant", () => {
    const turns = [{ id: "turn_1", arm: "system_first" }];
    const rows = (calls: number) => ({
      data: [{ intent: "A", arm: "system_first", turns: 1, refused: 0, mean_steps: calls, mean_tokens: calls * 12 }],
    });
    const of = (answer: unknown) => compareVariants(answer, [recording], { ...trail(decision), turns }).differences;
    expect(of(rows(1))).toEqual([]);
    expect(of(rows(2))).toContain("system_first: modelCalls 2, counted 1");
    expect(of({ data: [] })).toHaveLength(3);
  });

  it("say why one column has fewer turns of its variant than the other", () => {
    const counts = (turns: number) => ({ turns, modelCalls: 0, tokens: 0, refused: 0 });
    const of = (llm: number, system: number) => ({
      variants: { llm_first: counts(llm), system_first: counts(system) },
      differences: [],
    });
    const both = { llm_first: of(34, 0), system_first: of(2, 32) };
    expect(describeTold(both, ["UPDATE_GOALS"])).toMatch(/ 2 more are of the arm llm_first.* `UPDATE_GOALS`/);
    expect(describeTold({ llm_first: of(34, 0), system_first: of(0, 34) }, [])).not.toContain("more");
  });

  it("are alike in two rounds, but for the tokens of ids", () => {
    const counts = countsOf([recording], trail(decision));
    const all = (one: typeof counts) => ({ "no gateway": counts, llm_first: counts, system_first: one });
    expect(countAlike(all(counts), all({ ...counts, promptTokens: 1000 }))).toBe(false);
    expect(countAlike(all(counts), all({ ...counts, refused: 1 }))).toBe(false);
    expect(countAlike(all({ ...counts, promptTokens: 1000 }), all({ ...counts, promptTokens: 1003 }))).toBe(true);
  });

  it("find what should not be in the trail, and what reached a tool against a rule", () => {
    const told = trail({ ...decision, arguments: { prioritized_topics: [REDACTED] } });
    expect(countsOf([recording], told).leaked).toBe(1);
    const ran = { ...recording, ran: [{ ...run, breaches: ["role" as const, "limit" as const] }] };
    const counts = countsOf([ran], trail(decision));
    expect(counts).toMatchObject({ badRan: 1, breaches: { role: 1, limit: 1, arguments: 0 } });
    const unmet = expectationsOf({ "no gateway": counts, llm_first: counts, system_first: counts });
    expect(unmet.filter(({ met }) => !met).map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "system_first: no call above the user's role reaches a tool",
        "llm_first: no call over the limit reaches a tool",
        "system_first: fewer calls of the model than llm_first",
      ]),
    );
  });
});
