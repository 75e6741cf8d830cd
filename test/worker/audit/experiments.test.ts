/** The two arms side by side: exact figures of known records, and of turns that were really run. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import type { AuditRecord, TurnRecord } from "../../../src/ports/audit-record.ts";
import { type Arm, armOf } from "../../../src/session/arm.ts";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { queryExperiments } from "../../../src/stores/audit/d1-experiments.ts";
import type { SystemFirstNote } from "../../../src/turn/system-first/system-first-note.ts";
import { chainOf, decisionRecord, runRecord, turnRecord } from "../../stores/audit/records.ts";
import { study, studying, talk, worded } from "../intent/system-first.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { call, messagesOf, readAnswer, says, user } from "../support/script.ts";
import { captureLog } from "../telemetry/capture-log.ts";

const second = "2".repeat(64);
const from = Date.parse("2026-10-01T00:00:00Z");
const range = "from=2026-10-01&to=2026-10-08";
const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const detection = { intents: [], discounted: [], followUp: false, entities: [], missed: [] };
const noOutcomes = { ran: 0, asked_person: 0, refused: 0, denied_by_person: 0, asked_values: 0, left: 0, none: 0 };

interface View {
  data: {
    intent: string | null;
    arms: Record<"llm_first" | "system_first", Record<string, unknown> & { tasks: number; turns: number }>;
    ratios: Record<string, number | null>;
  }[];
  notes: { code: string; message: string }[];
  [field: string]: unknown;
}

async function compare(gate: Gateway, query: string, key?: string): Promise<View> {
  const response = await gate.fetch(`/v1/audit/experiments?${query}`, {
    key: key ?? (await gate.keyFor("op", "admin")),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const deliver = async (records: readonly AuditRecord[]) => {
  for (const user of new Set(records.map((one) => one.user))) {
    await deliverRecords(env.AUDIT_DB, chainOf(records.filter((one) => one.user === user)));
  }
};

/** Turns of a tenant at known times: the first of a task looks at a message. */
const turnsOf = (tenant: string) => {
  const begins = (minute: number, ms: number, rest: Partial<TurnRecord>) => {
    const at = from + minute * 60_000;
    return turnRecord({ tenant, at, endedAt: at + ms, detection, usage: null, intents: ["FIND"], ...rest });
  };
  const goesOn = (minute: number, ms: number, rest: Partial<TurnRecord>) =>
    begins(minute, ms, { detection: null, ...rest });
  return { begins, goesOn };
};

describe("known records", () => {
  it("are counted to each arm by the tasks that they belong to", async () => {
    const gate = await gateway();
    const { tenant } = gate;
    const { begins, goesOn } = turnsOf(tenant);
    const llm = { arm: "llm_first" } as const;
    const system = { arm: "system_first" } as const;
    const outcome = (of: SystemFirstNote["outcome"]) => ({
      systemFirst: { outcome: of, tool: "find", missing: [] },
    });
    const asks = begins(2, 100, { ...llm, steps: 2, usage: usage(200, 20), intents: ["FIND"] });
    const ran = begins(4, 50, { ...system, ...outcome("ran"), user: "bob", steps: 1, usage: usage(80, 8) });
    const waits = begins(6, 30, { ...system, ...outcome("asked_person"), user: "bob", steps: 0 });
    // Who was asked says no.
    const no = goesOn(7, 70, {
      ...system,
      ...outcome("denied_by_person"),
      user: "bob",
      steps: 1,
      usage: usage(90, 9),
    });
    const failing = decisionRecord({ tenant, turn: asks.id, disposition: "run" });
    const own = decisionRecord({ tenant, user: "bob", turn: ran.id, disposition: "run", madeBy: "system" });
    const records: AuditRecord[] = [
      // A task that began before the range: only its end is in it.
      { ...begins(0, 0, llm), at: from - 1 },
      goesOn(1, 7_000, { ...llm, steps: 9, usage: usage(9_000, 900) }),
      // One of two turns, between which the model took another intent; and one whose second turn told no usage.
      asks,
      goesOn(3, 300, { ...llm, steps: 1, usage: usage(300, 30), intents: ["OTHER"], stopReason: "step_limit" }),
      begins(5, 1_000, { ...llm, steps: 1, usage: usage(50, 5) }),
      goesOn(6, 60, {
        ...llm,
        steps: 1,
        usage: { prompt_tokens: "many", completion_tokens: 5 },
        error: "broke",
        stopReason: "upstream_error",
      }),
      // Another session at the same time, and another intent.
      begins(3, 20, {
        ...llm,
        session: "s2",
        steps: 1,
        usage: { prompt_tokens: 4, completion_tokens: 6 },
        intents: ["SAVE"],
      }),
      ran,
      waits,
      no,
      begins(8, 10, { ...system, ...outcome("asked_values"), user: "eve", steps: 0, policy: second }),
      // Of no arm, and after the range.
      begins(9, 1, { user: "bob", steps: 5 }),
      begins(7 * 24 * 60, 1, { ...llm, steps: 5 }),
      decisionRecord({ tenant, turn: asks.id, disposition: "hidden" }),
      decisionRecord({ tenant, turn: asks.id, effect: "deny", disposition: "refused" }),
      failing,
      runRecord({ tenant, turn: asks.id, decision: failing.id, status: "failed", failure: "tool_failed" }),
      own,
      // Noted by another turn.
      runRecord({ tenant, user: "bob", turn: "turn_later", decision: own.id }),
      decisionRecord({
        tenant,
        user: "bob",
        turn: waits.id,
        effect: "confirm",
        disposition: "asked",
        madeBy: "system",
      }),
      decisionRecord({
        ...{ tenant, user: "bob", turn: no.id, effect: "deny", disposition: "refused", madeBy: "system" },
        reasons: [{ code: "approval_denied", tool: "find", reason: null }],
      }),
      decisionRecord({ tenant, user: "bob", turn: "turn_of_none", effect: "deny" }),
    ];
    await deliver(records);

    const view = await compare(gate, range);
    expect(view).toMatchObject({
      object: "list",
      has_more: false,
      from: "2026-10-01T00:00:00.000Z",
      to: "2026-10-08T00:00:00.000Z",
      policies: [
        { policy: "digest-1", tasks: { llm_first: 3, system_first: 2 } },
        { policy: second, tasks: { llm_first: 0, system_first: 1 } },
      ],
      models: [{ model: "demo", tasks: { llm_first: 3, system_first: 3 } }],
    });
    expect(view.data.map(({ intent, arms }) => [intent, arms.llm_first.tasks, arms.system_first.tasks])).toEqual([
      [null, 3, 3],
      ["FIND", 2, 3],
      ["SAVE", 1, 0],
    ]);
    const [all, find, save] = view.data;
    expect(find?.arms.llm_first).toEqual({
      tasks: 2,
      turns: 4,
      users: 1,
      model_calls: { total: 5, per_task: 2.5 },
      tokens: {
        prompt: 550,
        completion: 60,
        total: 605,
        turns_untold: 1,
        tasks_told: 1,
        per_task: { prompt: 500, completion: 50, total: 550 },
      },
      latency_ms: { turn: { mean: 365, p50: 100, p95: 1_000 }, task: { mean: 730, p50: 400, p95: 1_060 } },
      decisions: { total: 3, refused: 1, denied_by_person: 0, asked: 0, made_by_system: 0, refused_per_task: 0.5 },
      runs: { total: 1, succeeded: 0, failed: 1, unknown: 0, not_started: 0 },
      tasks_by_outcome: { ...noOutcomes, none: 2 },
      stop_reasons: { completed: 2, step_limit: 1, upstream_error: 1 },
      errors: 1,
    });
    expect(all?.arms.llm_first).toMatchObject({
      turns: 5,
      users: 1,
      tokens: { prompt: 554, total: 615, tasks_told: 2 },
    });
    expect(all?.arms.system_first).toEqual(find?.arms.system_first);
    expect(find?.arms.system_first).toMatchObject({
      turns: 4,
      users: 2,
      model_calls: { total: 2, per_task: 0.667 },
      // Who asks no model has told all that it used.
      tokens: {
        total: 187,
        turns_untold: 0,
        tasks_told: 3,
        per_task: { prompt: 56.667, completion: 5.667, total: 62.333 },
      },
      latency_ms: { turn: { mean: 40, p50: 30, p95: 70 }, task: { mean: 53.333, p50: 50, p95: 100 } },
      decisions: { total: 3, refused: 0, denied_by_person: 1, asked: 1, made_by_system: 3, refused_per_task: 0 },
      runs: { total: 1, succeeded: 1 },
      tasks_by_outcome: { ...noOutcomes, ran: 1, denied_by_person: 1, asked_values: 1 },
      errors: 0,
    });
    expect(save?.arms.system_first).toMatchObject({
      turns: 0,
      model_calls: { total: 0, per_task: null },
      latency_ms: { task: { mean: null, p50: null, p95: null } },
    });
    expect(new Set(view.data.flatMap(({ ratios }) => Object.values(ratios)))).toEqual(new Set([null]));
    expect(view.notes[0]?.message).toContain("fewer than 20 tasks; they have 3 and 3");
    expect(view.notes.map(({ code }) => code)).toEqual([
      "too_few_tasks",
      "several_policies",
      "usage_untold",
      "values_asked",
      "waiting_within",
      "begun_before",
    ]);

    const one = await compare(gate, `${range}&intent=FIND&policy=${second}`);
    expect(one.data.map(({ intent, arms }) => [intent, arms.system_first.tasks, arms.llm_first.turns])).toEqual([
      ["FIND", 1, 0],
    ]);
    // Its turns are found by the task's own intent, whatever they went on to.
    expect((await compare(gate, `${range}&intent=OTHER`)).data[0]?.arms.llm_first.turns).toBe(0);
    const week = { from, to: from + 7 * 86_400_000 };
    expect((await queryExperiments(env.AUDIT_DB, tenant, week, 10)).ok).toBe(true);
    expect(await queryExperiments(env.AUDIT_DB, tenant, week, 9)).toEqual({ ok: false, error: "too_many_turns" });
    const other = await gateway();
    expect((await compare(other, range)).data.map(({ arms }) => arms.llm_first.turns)).toEqual([0]);
  });

  it("are set in proportion where both arms have enough of them", async () => {
    const gate = await gateway();
    const { begins } = turnsOf(gate.tenant);
    const arm = (name: "llm_first" | "system_first", tasks: number, shape: Partial<TurnRecord>) =>
      Array.from({ length: tasks }, (_, n) =>
        begins(n, name === "llm_first" ? 10 * (n + 1) : n + 1, { arm: name, session: `${name}${n}`, ...shape }),
      );
    const llm = arm("llm_first", 20, { steps: 2, usage: usage(900, 100) });
    const system = arm("system_first", 40, { steps: 1, usage: usage(200, 50), model: "other" });
    await deliver([...llm, ...system.slice(0, 19)]);
    const few = await compare(gate, range);
    expect(few.data[0]?.ratios.model_calls_per_task).toBeNull();
    expect(few.notes[0]?.message).toContain("they have 20 and 19");
    await deliver([...llm, ...system]);
    const { data, notes } = await compare(gate, range);
    expect(data[0]).toMatchObject({
      arms: {
        llm_first: { latency_ms: { task: { mean: 105, p50: 100, p95: 190 } } },
        system_first: { latency_ms: { task: { mean: 20.5, p50: 20, p95: 38 }, turn: { p95: 38 } } },
      },
      ratios: {
        model_calls_per_task: 0.5,
        tokens_per_task: 0.25,
        task_ms_mean: 0.195,
        task_ms_p50: 0.2,
        task_ms_p95: 0.2,
        // Nothing to divide by.
        refused_per_task: null,
      },
    });
    // One user, in both.
    expect(notes.map(({ code }) => code)).toEqual(["several_models", "users_in_both_arms"]);
    await deliver([begins(50, 1, { ...llm[0], id: "turn_other", session: "other", intents: ["OTHER"] })]);
    expect((await compare(gate, range)).notes[0]).toMatchObject({
      code: "too_few_tasks",
      message: expect.stringMatching(/they have 1 and 0 with `OTHER`$/),
    });
  });
});

describe("who asks, and for what", () => {
  it("an admin of the tenant, or an operator of all", async () => {
    const gate = await gateway();
    await deliver([turnsOf(gate.tenant).begins(1, 5, { arm: "llm_first" })]);
    const other = await gateway();
    const named = `${range}&tenant=${gate.tenant}`;
    expect((await compare(other, named, await other.operatorKey())).data[0]?.arms.llm_first.turns).toBe(1);
    const ask = async (key: string) => {
      const response = await other.fetch(`/v1/audit/experiments?${named}`, { key });
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code];
    };
    expect(await ask(await other.keyFor("op", "admin"))).toEqual([403, "tenant_forbidden"]);
    expect(await ask(gate.key)).toEqual([403, "admin_required"]);
  });

  it.each([
    ["from=2026-10-08&to=2026-10-01", "from", "before `to`"],
    ["from=2026-07-01&to=2026-10-01", "from", "at most 90 days"],
    ["to=later", "to", "ISO 8601"],
    ["user=ada", "user", "accepted are tenant, from, to, intent, policy"],
    ["intent=", "intent", "1 to 256"],
    ["intent=A&intent=B", "intent", "once"],
    ["policy=abc", "policy", "64 digits"],
  ])("refuses %s, and says what is accepted", async (query, param, accepted) => {
    const gate = await gateway();
    const response = await gate.fetch(`/v1/audit/experiments?${query}`, { key: await gate.keyFor("op", "admin") });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, message: expect.stringContaining(accepted) } });
  });

  it.each([
    ["intent=NOPE", /^of the tenant's tasks in the range none began with the intent `NOPE`$/],
    [`policy=${"f".repeat(64)}`, /none began under the policy `f{64}`$/],
    [`intent=NOPE&policy=${"f".repeat(64)}`, /intent `NOPE`; .* policy `f/],
    [`intent=SAVE&policy=${second}`, /some match `intent`, some `policy`, and none both/],
    ["tenant=nobody", /the tenant `nobody` has no task with an arm that began in the range/],
  ])("says of %s what of it matches nothing", async (query, message) => {
    const gate = await gateway();
    const { begins } = turnsOf(gate.tenant);
    const llm = { arm: "llm_first" } as const;
    await deliver([begins(1, 5, { ...llm, policy: second }), begins(2, 5, { ...llm, intents: ["SAVE"] })]);
    const own = query.startsWith("tenant=") ? "" : `&tenant=${gate.tenant}`;
    const { data, notes } = await compare(gate, `${range}&${query}${own}`, await gate.operatorKey());
    expect(data.every(({ arms }) => arms.llm_first.turns === 0)).toBe(true);
    expect(notes).toEqual([{ code: "nothing_found", message: expect.stringMatching(message) }]);
  });

  it("the last seven days unless they say otherwise", async () => {
    const gate = await gateway();
    const view = await compare(gate, "");
    const [start, end] = [view.from, view.to].map((time) => Date.parse(String(time)));
    expect([Number(end) - Number(start), Math.abs(Date.now() - Number(end)) < 60_000]).toEqual([7 * 86_400_000, true]);
  });
});

/** Until one is found that the share puts into the arm. */
function userIn(tenant: string, arm: Arm): string {
  for (let n = 0; ; n++) {
    const found = armOf({ tenant, user: `user-${n}` }, { strategy: "llm_first", systemFirstShare: 0.5 });
    if (found === arm) return `user-${n}`;
  }
}

it("shows turns that were really run, those of both arms, with what they cost", async () => {
  const log = captureLog();
  const { gate, asked } = await studying({
    policy: study({ strategy: "llm_first", systemFirstShare: 0.5 }),
    variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.test" },
    upstream: (body, request) => {
      const calls = "tools" in body && messagesOf(body).at(-1)?.role === "user";
      const made = [call("c", "make_cards", { topic: "verbs", level: "N4" })];
      const step = calls ? { calls: made, usage: usage(100, 10) } : { text: "Here they are.", usage: usage(60, 10) };
      return says(step)(body, request);
    },
  });
  const users = { llm: userIn(gate.tenant, "llm_first"), system: userIn(gate.tenant, "system_first") };
  const say = async (name: string, ...messages: string[]) => {
    const key = await gate.keyFor(name, "user");
    const headers = { "x-toolgate-session": messages.join() };
    const history: object[] = [];
    for (const message of messages) {
      history.push(user(message));
      const answer = await gate.fetch("/v1/chat/completions", {
        json: { model: "m", messages: history },
        headers,
        key,
      });
      history.push((await readAnswer(answer)).message as object);
      await gate.settle();
    }
  };
  await say(users.llm, "flashcards on verbs, N4 please");
  await say(users.system, "flashcards on verbs, N4 please");
  await say(users.system, "make me flashcards", "kanji, N5");
  const topics = asked.flatMap(({ path, body }) =>
    path === "study.test/cards" ? (body as { topic: string }).topic : [],
  );
  expect(topics).toEqual(["verbs", "verbs", "kanji"]);
  for (const name of Object.values(users)) {
    const stub = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(gate.tenant, name)));
    await runInDurableObject(stub, (instance) => instance.alarm());
  }

  const view = await compare(gate, `to=${Date.now() + 1}`);
  expect(view.data.map(({ intent }) => intent)).toEqual([null, "CARDS"]);
  expect(view.notes.map(({ code }) => code)).toEqual(["too_few_tasks", "values_asked"]);
  expect(view.data[1]?.arms).toMatchObject({
    llm_first: {
      ...{ tasks: 1, turns: 1, users: 1, errors: 0, stop_reasons: { completed: 1 } },
      model_calls: { total: 2, per_task: 2 },
      tokens: { prompt: 160, completion: 20, total: 180, turns_untold: 0, per_task: { total: 180 } },
      decisions: { total: 1, refused: 0, asked: 0, made_by_system: 0 },
      runs: { total: 1, succeeded: 1 },
      tasks_by_outcome: { ...noOutcomes, none: 1 },
    },
    system_first: {
      // The question for values and its answer are one.
      ...{ tasks: 2, turns: 3, users: 1, errors: 0, stop_reasons: { completed: 3 } },
      model_calls: { total: 2, per_task: 1 },
      tokens: { prompt: 120, completion: 20, total: 140, turns_untold: 0, per_task: { total: 70 } },
      decisions: { total: 2, refused: 0, asked: 0, made_by_system: 2 },
      runs: { total: 2, succeeded: 2 },
      tasks_by_outcome: { ...noOutcomes, ran: 2 },
    },
  });
  expect(log.lines("turn").map(({ arm, system_first }) => [arm, system_first])).toEqual([
    ["llm_first", undefined],
    ["system_first", "ran"],
    ["system_first", "asked_values"],
    ["system_first", "ran"],
  ]);
  const spans = JSON.stringify(asked.filter(({ path }) => path.startsWith("collector.test")));
  const told = spans
    .match(/"toolgate.(arm|system_first)","value":\{"stringValue":"\w+"/g)
    ?.map((one) => one.split('"').at(-2));
  expect(told).toEqual(["llm_first", "system_first", "ran", "system_first", "asked_values", "system_first", "ran"]);
});

it("counts a task once however often its request came, and for the intent that the message asked for", async () => {
  const broken = () => new Response("{}", { status: 500 });
  const ran = await studying({ upstream: [broken, worded] });
  const selects = says({ calls: [call("h", "select_intent", { intent: "HELP" })] });
  const left = await studying({ policy: study({ strategy: "llm_first" }), upstream: [broken, selects, worded] });
  for (const { gate } of [ran, left]) {
    const say = async (text: string) =>
      readAnswer(await gate.chat({ messages: [user(text)] }, { "x-toolgate-session": "s" }));
    await say("flashcards on verbs, N4");
    await say("flashcards on verbs, N4");
    await gate.turns();
  }
  const once = { tasks: 1, turns: 2, errors: 1 };
  const [all, cards, ...others] = (await compare(ran.gate, "")).data;
  expect([cards?.intent, others]).toEqual(["CARDS", []]);
  expect(all?.arms.system_first).toMatchObject({ ...once, runs: { total: 1 }, tasks_by_outcome: { ran: 1, none: 0 } });
  const { data } = await compare(left.gate, "");
  expect(data.map(({ intent, arms }) => [intent, arms.llm_first])).toMatchObject([
    [null, once],
    ["CARDS", once],
  ]);
  // After another message it is a new wish.
  const { gate } = await studying();
  const { say } = talk(gate);
  for (const text of ["flashcards on verbs, N4", "help me", "flashcards on verbs, N4"]) await say(text);
  await gate.turns();
  expect((await compare(gate, "")).data[0]?.arms.system_first).toMatchObject({
    tasks: 2,
    tasks_by_outcome: { ran: 2 },
  });
});

it.each(["kanji, N5", "never mind"])(
  "counts what answers the question for values to the task that asked: `%s`",
  async (answer) => {
    const broken = () => new Response("{}", { status: 500 });
    const { gate } = await studying({ upstream: [broken, worded] });
    const headers = { "x-toolgate-session": "s" };
    const wish = [user("make me flashcards")];
    const question = await readAnswer(await gate.chat({ messages: wish }, headers));
    // Sent again, as the first try failed.
    for (const _ of [1, 2])
      await readAnswer(await gate.chat({ messages: [...wish, question.message, user(answer)] }, headers));
    expect((await gate.turns()).map(({ answers }) => answers)).toEqual([undefined, true, true]);
    const [all] = (await compare(gate, "")).data;
    expect(all?.arms.system_first).toMatchObject({ tasks: 1, turns: 3, errors: 1 });
  },
);
