import { describe, expect, it } from "vitest";
import shipped from "../../../policies/study-agent.json" with { type: "json" };
import { policyAdmin } from "../admin/policy-admin.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { captureLog } from "../telemetry/capture-log.ts";

/** Without the trained layer: whether that has been trained yet would decide what these tests find. */
const studyAgent = { ...shipped, detection: { ...shipped.detection, layers: ["keywords", "patterns"] } };
const started = (policy: object = studyAgent, role = "user") => gateway({ policy, role });
const detect = async (gate: Gateway, json: unknown) => {
  const response = await gate.fetch("/v1/intents/detect", { json });
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, response };
};

describe("`POST /v1/intents/detect`", () => {
  it("tells what was detected and why, and what of the primary tool's arguments is known", async () => {
    const gate = await started();
    const { status, body, response } = await detect(gate, { text: "Make me 5 flashcards about N4 grammar" });
    const keyword = { layer: "keywords", source: "flashcards", text: "flashcards", at: 10 };
    expect([status, body]).toEqual([
      200,
      {
        object: "intent.detection",
        intent: "CREATE_FLASHCARDS",
        confidence: 1,
        intents: [
          {
            name: "CREATE_FLASHCARDS",
            confidence: 1,
            layer: "keywords",
            evidence: expect.arrayContaining([keyword]),
          },
        ],
        discounted: [],
        follow_up: false,
        entities: [
          { name: "level", value: "N4", text: "N4", at: 27, redact: false },
          { name: "topic", value: "grammar", text: "grammar", at: 30, redact: false },
          { name: "count", value: 5, text: "5", at: 8, redact: false },
        ],
        missed: [],
        select_at: 0.92,
        would_select: ["CREATE_FLASHCARDS"],
        state: "action",
        arguments: { tool: "create_study_flashcards", values: { topic: "grammar", level: "N4", count: 5 } },
      },
    ]);
    expect(response.headers.get("x-toolgate-policy")).toMatch(/^[0-9a-f]{12}$/);
  });

  it("tells which words were taken for misspelt ones, and which keywords are only mentioned", async () => {
    const { CREATE_FLASHCARDS, CREATE_QUIZ } = studyAgent.intents;
    const wordsOf = ({ keywords, examples }: typeof CREATE_QUIZ) => ({ keywords, examples: examples.slice(0, 40) });
    const policy = {
      intents: { CREATE_FLASHCARDS: wordsOf(CREATE_FLASHCARDS), CREATE_QUIZ: wordsOf(CREATE_QUIZ) },
      detection: { layers: ["keywords", "semantic"] },
    };
    const admin = await policyAdmin();
    expect((await admin.put(policy)).body).toMatchObject({ semantic: "stored" });
    const gate = await started(policy);
    const { body } = await detect(gate, { text: "creat flaschards for chapter 2" });
    const corrections = [
      { from: "creat", to: "create" },
      { from: "flaschards", to: "flashcards" },
    ];
    expect(body).toMatchObject({ intents: [{ name: "CREATE_FLASHCARDS", evidence: [{ corrections }] }], missed: [] });
    const mentioned = { layer: "keywords", source: "quiz", text: "quiz", at: 9, discounted: "mentioned" };
    expect((await detect(gate, { text: "we had a quiz at the pub last night" })).body).toMatchObject({
      discounted: [{ name: "CREATE_QUIZ", evidence: [mentioned] }],
      would_select: [],
    });
  });

  it("tells what was discounted, that nothing was found, and that a message follows another", async () => {
    const gate = await started();
    const { body } = await detect(gate, { text: "not flashcards" });
    expect(body).toMatchObject({
      intent: "CHAT",
      confidence: 0.5,
      intents: [{ name: "CHAT", layer: "fallback" }],
      discounted: [
        {
          name: "CREATE_FLASHCARDS",
          evidence: expect.arrayContaining([expect.objectContaining({ discounted: "negated", at: 4 })]),
        },
      ],
      would_select: [],
      state: "reasoning",
      arguments: null,
    });
    expect((await detect(gate, { text: "yes" })).body).toMatchObject({ follow_up: true });
  });

  it.each([
    ["detected", 0.9, ["CREATE_QUIZ"], "action"],
    ["model", 0.9, [], "reasoning"],
    ["off", 0.9, ["CREATE_QUIZ"], "action"],
    ["detected", 0.96, [], "reasoning"],
    ["off", 0.96, [], "action"],
  ])("tells what would be selected where `select` is %s and `selectAt` %d", async (select, selectAt, names, state) => {
    const gate = await started({ ...studyAgent, handshake: { select, selectAt } });
    expect((await detect(gate, { text: "test my knowledge" })).body).toMatchObject({ would_select: names, state });
  });

  it("fills the arguments of the tool that is asked for, by the policy's schema before the client's", async () => {
    const gate = await started();
    const text = "5 cards of N4 for ada@example.com in a quiz";
    const values = async (asked: unknown) => (await detect(gate, { text, tool: asked })).body.arguments;
    expect(await values("create_study_flashcards")).toMatchObject({ values: { level: "N4", count: 5 } });
    const parameters = { type: "object", properties: { to: { type: "string", format: "email" }, count: {} } };
    expect(await values(tool("send_mail", parameters))).toEqual({
      tool: "send_mail",
      values: { to: "ada@example.com", count: 5 },
    });
    expect(await values(tool("create_study_quiz", parameters))).toEqual({
      tool: "create_study_quiz",
      values: { level: "N4", count: 5 },
    });
    const unknown = await detect(gate, { text, tool: "send_mail" });
    expect([unknown.status, unknown.body]).toMatchObject([400, { error: { param: "tool", code: "invalid_value" } }]);
  });

  it.each([
    [{}, "text", "invalid_value"],
    [{ text: "" }, "text", "invalid_value"],
    [{ text: ["hi"] }, "text", "invalid_value"],
    [{ text: "hi", message: "x" }, "message", "unknown_parameter"],
    [{ text: "hi", model: 1 }, "model", "invalid_value"],
    [{ text: "hi", model: "" }, "model", "invalid_value"],
    [{ text: "hi", model: "m".repeat(257) }, "model", "invalid_value"],
    [{ text: "hi", tool: 1 }, "tool", "invalid_value"],
    [{ text: "hi", tool: { type: "custom", function: { name: "f" } } }, "tool.type", "invalid_value"],
    [{ text: "hi", tool: { type: "function", function: {} } }, "tool.function.name", "invalid_value"],
    [["hi"], null, "invalid_value"],
  ])("refuses %j", async (json, param, code) => {
    const { status, body } = await detect(await started(), json);
    expect([status, body]).toMatchObject([400, { error: { param, code, type: "invalid_request_error" } }]);
  });

  it("refuses what is no JSON, what is too large, and who has no key", async () => {
    const gate = await gateway({ variables: { MAX_BODY_BYTES: "1024" } });
    const post = (init: Parameters<Gateway["fetch"]>[1]) =>
      gate.fetch("/v1/intents/detect", { method: "POST", ...init });
    const statuses = [
      await post({ body: "{" }),
      await post({ json: { text: "x".repeat(1_024) } }),
      await post({ json: { text: "x" }, headers: { authorization: "Bearer tg_none" } }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 413, 401]);
  });

  it("answers any role, by its own tenant's policy, and keeps nothing of the text", async () => {
    const log = captureLog();
    const [mine, theirs] = [await started(studyAgent, "guest"), await started({ intents: { TALK: {} } })];
    const text = "a quiz zebra-secret";
    expect((await detect(mine, { text })).body).toMatchObject({ intent: "CREATE_QUIZ" });
    expect((await detect(theirs, { text })).body).toMatchObject({ intent: null });
    await mine.settle();
    expect(log.text()).toContain("/v1/intents/detect");
    expect(log.text()).not.toContain("zebra-secret");
    expect(await mine.turns()).toEqual([]);
  });

  it("asks the model that it is told of where the policy has a model detect, with the client's own key", async () => {
    const policy = { intents: { SOUP: {}, CAB: {} }, detection: { layers: ["model"] } };
    const content = JSON.stringify({ label: "SOUP", confidence: 0.95, reason: "hungry" });
    const gate = await gateway({
      policy,
      variables: { CLIENT_UPSTREAM_KEYS: "1" },
      upstream: () =>
        Response.json({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] }),
    });
    const headers = { "x-upstream-authorization": "Bearer sk-own" };
    const ask = (json: unknown) => gate.fetch("/v1/intents/detect", { json, headers });
    expect(await (await ask({ text: "I could eat" })).json()).toMatchObject({ intent: null, missed: ["model"] });
    const told = await (await ask({ text: "I could eat", model: "small" })).json();
    expect(told).toMatchObject({ intent: "SOUP", confidence: 0.95, intents: [{ layer: "model" }], missed: [] });
    expect(gate.sent).toMatchObject([{ model: "small" }]);
    expect(gate.requests[0]?.headers.get("authorization")).toBe("Bearer sk-own");
  });

  it("tells the user's own words of what the record would redact", async () => {
    const { body } = await detect(await started(), { text: "write to ada@example.com" });
    expect(body.entities).toEqual([
      { name: "email", value: "ada@example.com", text: "ada@example.com", at: 9, redact: true },
    ]);
  });
});
