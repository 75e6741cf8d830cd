/** Both variants side by side: exact figures of known records, and of turns that were really run. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import type { AuditRecord, TurnRecord } from "../../../src/ports/audit-record.ts";
import { type Variant, variantOf } from "../../../src/session/variant.ts";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { queryExperiments } from "../../../src/stores/audit/d1-experiments.ts";
import { chainOf, decisionRecord, turnRecord } from "../../stores/audit/records.ts";
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
interface View {
  data: Record<string, unknown>[];
  has_more: boolean;
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

it("counts known turns by intent and variant", async () => {
  const gate = await gateway();
  const { tenant } = gate;
  const { begins, goesOn } = turnsOf(tenant);
  const llm = { arm: "llm_first" } as const;
  const system = { arm: "system_first" } as const;
  const blocked = begins(2, 100, { ...llm, steps: 2, usage: usage(200, 20) });
  const denied = begins(4, 50, { ...system, user: "bob", steps: 1, usage: usage(80, 8) });
  const refuse = (turn: TurnRecord, code: "role_forbids" | "approval_denied") =>
    decisionRecord({
      tenant,
      user: turn.user,
      turn: turn.id,
      effect: "deny",
      disposition: "refused",
      reasons: [
        code === "approval_denied"
          ? { code, tool: "find", reason: null }
          : { code, tool: "find", role: "user", roles: [] },
      ],
    });
  await deliver([
    { ...begins(0, 0, llm), at: from - 1 },
    begins(7 * 24 * 60, 1, { ...llm, steps: 5 }),
    begins(9, 1, { steps: 5 }),
    blocked,
    refuse(blocked, "role_forbids"),
    goesOn(3, 300, { ...llm, steps: 1, stopReason: "step_limit" }),
    begins(5, 1_000, { ...llm, steps: 1, usage: usage(50, 5) }),
    goesOn(6, 60, { ...llm, steps: 1, usage: usage(1, 1), error: "broke", stopReason: "upstream_error" }),
    begins(8, 20, { ...llm, steps: 1, intents: ["SAVE"], stopReason: "intent_execution_failed", policy: second }),
    denied,
    refuse(denied, "approval_denied"),
    begins(7, 30, { ...system, user: "bob", steps: 0, stopReason: "awaiting_approval" }),
  ]);
  const none = { object: "experiment", succeeded: 0, failed: 0, refused: 0 };
  const find = [
    { ...none, intent: "FIND", arm: "llm_first", tasks: 2, turns: 4, succeeded: 1, failed: 1, refused: 1 },
    { ...none, intent: "FIND", arm: "system_first", tasks: 2, turns: 2, succeeded: 1 },
  ];
  // The turn without usage counts for no mean of tokens; one without a call of the model used none.
  const means = [
    { mean_steps: 1.25, mean_tokens: 92.333, mean_ms: 365 },
    { mean_steps: 0.5, mean_tokens: 44, mean_ms: 40 },
  ];
  const save = { ...none, intent: "SAVE", arm: "llm_first", tasks: 1, turns: 1, failed: 1 };
  const all = [
    ...find.map((row, n) => ({ ...row, ...means[n] })),
    { ...save, mean_steps: 1, mean_tokens: null, mean_ms: 20 },
  ];
  expect(await compare(gate, range)).toEqual({
    object: "list",
    data: all,
    first_id: null,
    last_id: null,
    has_more: false,
  });
  expect((await compare(gate, `${range}&intent=FIND`)).data).toEqual(all.slice(0, 2));
  expect((await compare(gate, `${range}&policy=${second}`)).data).toEqual(all.slice(2));
  expect((await compare(gate, `${range}&intent=OTHER`)).data).toEqual([]);
  const week = { from, to: from + 7 * 86_400_000 };
  expect((await queryExperiments(env.AUDIT_DB, tenant, week, 7)).ok).toBe(true);
  expect(await queryExperiments(env.AUDIT_DB, tenant, week, 6)).toEqual({ ok: false, error: "too_many_turns" });
  expect((await compare(await gateway(), range)).data).toEqual([]);
});

describe("who asks, and for what", () => {
  it("an admin of the tenant, or an operator of all", async () => {
    const gate = await gateway();
    await deliver([turnsOf(gate.tenant).begins(1, 5, { arm: "llm_first" })]);
    const other = await gateway();
    const named = `${range}&tenant=${gate.tenant}`;
    expect((await compare(other, named, await other.operatorKey())).data).toMatchObject([{ turns: 1 }]);
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

  it("the last seven days unless they say otherwise", async () => {
    const gate = await gateway();
    const { begins } = turnsOf(gate.tenant);
    const day = 24 * 3600_000;
    const aged = (days: number) => ({ arm: "llm_first" as const, at: Date.now() - days * day });
    await deliver([
      begins(0, 5, { ...aged(7.1), endedAt: Date.now() }),
      begins(0, 5, { ...aged(6.9), endedAt: Date.now() }),
    ]);
    expect((await compare(gate, "")).data).toMatchObject([{ turns: 1 }]);
  });
});

/** A user whom the share assigns to the variant. */
function userIn(tenant: string, variant: Variant): string {
  for (let n = 0; ; n++) {
    const found = variantOf({ tenant, user: `user-${n}` }, { strategy: "llm_first", systemFirstShare: 0.5 });
    if (found === variant) return `user-${n}`;
  }
}

it("shows turns that were really run, those of both variants, with what they cost", async () => {
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
  const topics = asked.flatMap(({ path, body }) =>
    path === "study.test/cards" ? (body as { topic: string }).topic : [],
  );
  expect(topics).toEqual(["verbs", "verbs"]);
  for (const name of Object.values(users)) {
    const stub = env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(gate.tenant, name)));
    await runInDurableObject(stub, (instance) => instance.alarm());
  }

  const one = { intent: "CARDS", tasks: 1, turns: 1, succeeded: 1, failed: 0, refused: 0 };
  expect((await compare(gate, `to=${Date.now() + 1}`)).data).toMatchObject([
    { ...one, arm: "llm_first", mean_steps: 2, mean_tokens: 180 },
    { ...one, arm: "system_first", mean_steps: 1, mean_tokens: 70 },
  ]);
  expect(log.lines("turn").map(({ arm, system_first }) => [arm, system_first])).toEqual([
    ["llm_first", undefined],
    ["system_first", "ran"],
  ]);
  const spans = JSON.stringify(asked.filter(({ path }) => path.startsWith("collector.test")));
  const told = spans
    .match(/"toolgate.(arm|system_first)","value":\{"stringValue":"\w+"/g)
    ?.map((one) => one.split('"').at(-2));
  expect(told).toEqual(["llm_first", "system_first", "ran"]);
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
    expect((await compare(gate, "")).data).toMatchObject([{ intent: "CARDS", tasks: 1, turns: 2, failed: 1 }]);
  }
  // After another message it is a new wish.
  const { gate } = await studying();
  const { say } = talk(gate);
  for (const text of ["flashcards on verbs, N4", "help me", "flashcards on verbs, N4"]) await say(text);
  await gate.turns();
  expect((await compare(gate, "")).data).toMatchObject([{ arm: "system_first", tasks: 2 }]);
});
