/** Today's code on what the first version left: `test/fixtures/v1` was written by that version's own code. */
import { applyD1Migrations, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { createDeps } from "../../../src/create-deps.ts";
import { verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { deliverRecords, firstMisindexed } from "../../../src/stores/audit/d1-audit.ts";
import { readChain } from "../../../src/stores/audit/d1-audit-query.ts";
import { waitingCount } from "../../../src/stores/guard/outbox/outbox.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/record-chain.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import rows from "../../fixtures/v1/d1.sql?raw";
import left from "../../fixtures/v1/kv.json";
import object from "../../fixtures/v1/object.sql?raw";
import { approvalRecord, chainOf, planRecord, runRecord, turnRecord } from "../../stores/audit/records.ts";
import { tool } from "../support/gateway.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { type Answer, readAnswer, result, type ScriptedStep, says, user } from "../support/script.ts";
import { turnsOf } from "../support/session-turns.ts";

const owner = { tenant: "acme", user: "ada" };
const stub = env.USER_GUARD.get(env.USER_GUARD.idFromName("4:acme3:ada"));
// The key of the fixture still verifies; a new one signs.
const AUDIT_KEY = `${env.AUDIT_KEY},first:${"1f".repeat(16)}`;
const read = { id: "new_call", name: "read_file", args: { path: "x" } };

/** Without tables, as a new database is. */
async function emptied(): Promise<void> {
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'";
  const { results } = await env.AUDIT_DB.prepare(tables).all<{ name: string }>();
  await env.AUDIT_DB.batch([
    env.AUDIT_DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...results.map(({ name }) => env.AUDIT_DB.prepare(`DROP TABLE ${name}`)),
  ]);
}

/** As wrangler would find them: the first version's database, and an object that nobody has woken since. */
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: left.at + 60_000 });
  const [first, ...later] = env.TEST_MIGRATIONS ?? [];
  await emptied();
  await applyD1Migrations(env.AUDIT_DB, first ? [first] : []);
  for (const row of rows.trim().split("\n")) await env.AUDIT_DB.prepare(row).run();
  await applyD1Migrations(env.AUDIT_DB, [...(first ? [first] : []), ...later]);
  for (const [key, value] of Object.entries(left.entries)) await env.KV.put(key, value);
  await runInDurableObject(stub, async (_, { storage }) => {
    await storage.deleteAll();
    storage.sql.exec(object);
  });
  await evictDurableObject(stub);
});

afterEach(() => {
  vi.useRealTimers();
});

const inObject = <T>(body: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInGuard(stub, (_, { storage }) => body(storage));

/** A gateway of today, of the first version's tenant and key. */
function today(...steps: readonly ScriptedStep[]) {
  const sent: { messages: { role: string }[] }[] = [];
  const fetcher = (async (_: RequestInfo, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body));
    // The last one repeats: a step that was begun before the object had answered may be made anew.
    const step = steps[sent.length] ?? steps.at(-1);
    sent.push(body);
    return step ? says(step)(body, new Request("https://upstream.test")) : new Response("no", { status: 500 });
  }) as typeof fetch;
  const settings = { ...env, AUDIT_KEY, UPSTREAM_BASE_URL: "https://upstream.test/v1" };
  const app = createApp(createDeps(settings, { fetch: fetcher }));
  const work: Promise<unknown>[] = [];
  const context = { waitUntil: (one: Promise<unknown>) => work.push(one), passThroughOnException() {}, props: {} };
  const send = (path: string, json?: object, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`https://gateway.test${path}`, {
        method: json ? "POST" : "GET",
        headers: { authorization: `Bearer ${left.token}`, "content-type": "application/json", ...headers },
        body: json && JSON.stringify(json),
      }),
      settings,
      context as unknown as ExecutionContext,
    );
  const tools = ["read_file", "web_get", "deploy"].map((name) =>
    tool(name, { type: "object", properties: { path: { type: "string" } } }),
  );
  const chat = async (messages: readonly object[], session?: string): Promise<Answer> => {
    const headers: Record<string, string> = session === undefined ? {} : { "x-toolgate-session": session };
    const answer = await readAnswer(await send("/v1/chat/completions", { model: "gpt", messages, tools }, headers));
    await Promise.all(work.splice(0));
    return answer;
  };
  return { sent, send, chat };
}

describe("what the first version left", () => {
  it("is brought up to today's schema when the object wakes, and nothing of it is lost", async () => {
    const before = object.match(/^INSERT/gm)?.length ?? 0;
    const now = await inObject(({ sql, kv }) => {
      const tables = ["meta", "sessions", "pairs", "calls", "uses", "exchanges", "gates", "outbox"];
      const count = tables.map((table) => sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n);
      count.push(turnsOf(sql).length);
      return { rows: count.reduce((sum, n) => sum + n, 0), schema: kv.get("schema"), empty: count.includes(0) };
    });
    // One row more: what is delivered.
    expect(now).toEqual({
      rows: before + 1,
      schema: { version: guardSchema.length, readableBy: guardSchema.length },
      empty: false,
    });
  });

  it("goes on: sessions by name and without one, with what was hidden from the client", async () => {
    const { sent, chat, send } = today({ text: "done" }, { text: "done too" });
    const last = left.history.at(-1) as { tool_calls: { id: string }[] };
    const named = await chat([...left.history, result(last.tool_calls[0]?.id ?? "")], "s1");
    expect(named.text).toBe("done");
    // The refused call that went with the released one is put back before it.
    expect(sent[0]?.messages.slice(-4).map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool"]);
    const unnamed = left.unnamed as { tool_calls: { id: string }[] };
    const question = user("once more, without a name");
    const found = await chat([question, left.unnamed, result(unnamed.tool_calls[0]?.id ?? "")]);
    expect(object).toContain(
      `INSERT INTO sessions (id, mode, intents, task, opening, fresh, pins, created, seen) VALUES ('${found.note.session_id}'`,
    );
    expect(await (await send("/v1/sessions/s2")).json()).toMatchObject({ mode: "read_only" });
  });

  it("held nothing that it could not know: nothing was detected, and no call earned a success", async () => {
    const { chat, send } = today({ text: "done" });
    const last = left.history.at(-1) as { tool_calls: { id: string }[] };
    await chat([...left.history, result(last.tool_calls[0]?.id ?? "")], "s1");
    expect(await (await send("/v1/sessions/s1")).json()).toMatchObject({ intents: [], detected: [] });
    const told = await inObject(({ sql }) =>
      sql.exec("SELECT outcome, epoch, families FROM calls WHERE session = 's1' AND task = 3").toArray(),
    );
    expect(told).toEqual([{ outcome: "succeeded", epoch: null, families: "[]" }]);
    expect((await today({ text: "hi" }).chat([user("hi")], "s1")).status).toBe(200);
  });

  it("tells of its records that nothing was detected, and of new ones what was", async () => {
    await today({ text: "hi" }).chat([user("hi")], "s9");
    await runInDurableObject(stub, (instance) => instance.alarm());
    const { results } = await env.AUDIT_DB.prepare(
      "SELECT session, json_extract(record, '$.detection') AS detection FROM turns WHERE tenant = ? AND user = ? ORDER BY seq",
    )
      .bind(owner.tenant, owner.user)
      .all();
    const detected = results.filter(({ detection }) => detection !== null);
    expect([detected.map(({ session }) => session), results.length > 5]).toEqual([["s9"], true]);
    expect(JSON.parse(String(detected[0]?.detection))).toMatchObject({ intents: [], entities: [], followUp: false });
  });

  it("still counts: a window that was spent is spent, and frees when it would have", async () => {
    const spent = await today({ calls: [read] }).chat([user("a fourth time")], "s9");
    expect(spent.note.decisions).toMatchObject([{ tool: "read_file", reasons: [{ code: "rate_limited" }] }]);
    vi.setSystemTime(left.at + 3600_000);
    expect((await today({ calls: [read] }).chat([user("an hour later")], "s9")).calls.length).toBe(1);
  });

  it("keeps its consents", async () => {
    const { calls } = await today({ calls: [{ id: "w", name: "web_get" }] }).chat([user("the web again")], "s9");
    expect(calls.map(({ name }) => name)).toEqual(["web_get"]);
  });

  it("delivers what waited, records the turn that nobody will close, and the chain verifies from its first record", async () => {
    await today({ calls: [{ id: "w", name: "web_get" }] }).chat([user("the web again")], "s9");
    vi.setSystemTime(left.at + 2 * 3600_000);
    await runInDurableObject(stub, (instance) => instance.alarm());
    const records = await readChain(env.AUDIT_DB, owner, { afterSeq: 0, limit: 100 });
    const keys = parseAuditKeys(AUDIT_KEY);
    if (!keys.ok) throw new Error(keys.error);
    const head = await inObject(({ sql }) =>
      JSON.parse(sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'head'").one().value),
    );
    expect(verifyChain(keys.value, records, { ...owner, head })).toEqual({ ok: true });
    expect(await firstMisindexed(env.AUDIT_DB, records)).toBeUndefined();
    // 8 were delivered, 4 waited; a decision and a turn of today, and the turn that was open.
    expect(records.length).toBe(15);
    expect(records.map(({ record }) => (record.kind === "turn" ? record.error : null)).filter(Boolean)).toEqual([
      "the turn was never closed",
    ]);
    expect(await inObject(({ sql }) => waitingCount(sql))).toBe(0);
  });
});

describe("a database of fewer migrations than the code", () => {
  const migrate = (upTo?: number) => applyD1Migrations(env.AUDIT_DB, (env.TEST_MIGRATIONS ?? []).slice(0, upTo));
  const alarm = () => runInDurableObject(stub, (instance) => instance.alarm());
  const waiting = () => inObject(({ sql }) => waitingCount(sql));
  const keys = parseAuditKeys(AUDIT_KEY);
  if (!keys.ok) throw new Error(keys.error);

  it("is given what it has a table for, and the rest once it has been migrated", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    await emptied();
    await migrate(3);
    expect((await today({ text: "hi" }).chat([user("hi")], "s9")).text).toBe("hi");
    await alarm();
    expect(await waiting()).toBe(0);
    // What cannot be read whole is not removed either.
    expect(errors.mock.calls.join()).toMatch(/audit_retention_failed.*no such table: plans/);

    const record = approvalRecord({ ...owner, at: Date.now() });
    await inObject(({ sql }) => appendRecord({ sql, keys: keys.value, now: Date.now() }, record));
    expect((await today({ text: "hi" }).chat([user("hi again")], "s9")).text).toBe("hi");
    // However often it is tried: it is not the record that is at fault.
    for (let time = 0; time < 10; time++) {
      vi.setSystemTime(Date.now() + 300_000);
      await alarm();
    }
    expect(errors.mock.calls.join()).toMatch(/audit_delivery_failed.*no such table: approvals/);
    expect([await waiting(), await inObject(({ sql }) => sql.exec("SELECT * FROM quarantine").toArray())]).toEqual([
      2,
      [],
    ]);
    // What cannot be read whole is not told as if it were.
    await expect(readChain(env.AUDIT_DB, owner, { afterSeq: 0, limit: 1 })).rejects.toThrow(/no such table/);

    // Of a database with approvals, and without runs.
    await migrate(4);
    await alarm();
    expect(await waiting()).toBe(0);
    const { results } = await env.AUDIT_DB.prepare("SELECT id, approval, event FROM approvals").all();
    expect(results).toEqual([{ id: record.id, approval: "appr_1", event: "asked" }]);
    const run = runRecord({ ...owner, at: Date.now() });
    await inObject(({ sql }) => appendRecord({ sql, keys: keys.value, now: Date.now() }, run));
    await alarm();
    expect([await waiting(), errors.mock.calls.join()]).toEqual([1, expect.stringContaining("no such table: runs")]);

    // Of one with runs, and without plans.
    await migrate(5);
    vi.setSystemTime(Date.now() + 300_000);
    await alarm();
    expect(await waiting()).toBe(0);
    const plan = planRecord({ ...owner, at: Date.now() });
    await inObject(({ sql }) => appendRecord({ sql, keys: keys.value, now: Date.now() }, plan));
    await alarm();
    expect([await waiting(), errors.mock.calls.join()]).toEqual([1, expect.stringContaining("no such table: plans")]);

    await migrate();
    vi.setSystemTime(Date.now() + 300_000);
    await alarm();
    expect(await waiting()).toBe(0);
    const plans = await env.AUDIT_DB.prepare("SELECT id, plan, event, status, turn FROM plans").all();
    expect(plans.results).toEqual([{ id: plan.id, plan: "plan_1", event: "generated", status: "ready", turn: null }]);
    const runs = await env.AUDIT_DB.prepare("SELECT id, decision, executor, status FROM runs").all();
    expect(runs.results).toEqual([{ id: run.id, decision: "dec_1", executor: "http", status: "succeeded" }]);
    // Whole, from what the emptied database was first given.
    const records = await readChain(env.AUDIT_DB, owner, { afterSeq: 0, limit: 100 });
    const before = records.slice(0, 1).map(({ seq, previous }) => ({ seq: seq - 1, hash: previous }));
    expect(verifyChain(keys.value, records, { ...owner, from: before[0], head: records.at(-1) })).toEqual({ ok: true });
    expect(new Set(records.map(({ record }) => record.kind))).toEqual(
      new Set(["turn", "decision", "approval", "run", "plan"]),
    );
  });

  it("gets the rows of the comparison that turns of before have none of", async () => {
    await emptied();
    await migrate(8);
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const turns = [turnRecord({ ...owner, arm: "system_first", usage }), turnRecord(owner)];
    await deliverRecords(env.AUDIT_DB, chainOf(turns));
    const rows = async () => (await env.AUDIT_DB.prepare("SELECT * FROM armed_turns").all()).results;
    const delivered = await rows();
    expect(delivered).toMatchObject([{ id: turns[0]?.id, prompt: 5, total: 7 }]);
    await env.AUDIT_DB.prepare("DELETE FROM armed_turns").run();
    await migrate();
    expect(await rows()).toEqual(delivered);
  });

  it("gets what it lacks without losing a row, and older records are of no approval, arm or plan", async () => {
    const told = async (columns: string, table: string) => {
      const own = `SELECT ${columns} FROM ${table} WHERE tenant = ? AND user = ?`;
      return (await env.AUDIT_DB.prepare(own).bind(owner.tenant, owner.user).all()).results;
    };
    const decisions = await told("approval, granted_by, undoes, made_by, plan, plan_step", "decisions");
    expect(decisions.length).toBe(rows.match(/INSERT INTO decisions /g)?.length);
    expect(new Set(decisions.flatMap((row) => Object.values(row)))).toEqual(new Set([null]));
    const turns = await told("arm, plan", "turns");
    expect(turns.length).toBe(rows.match(/INSERT INTO turns /g)?.length);
    expect(new Set(turns.flatMap((row) => Object.values(row)))).toEqual(new Set([null]));
    for (const table of ["approvals", "runs", "plans"]) expect(await told("*", table)).toEqual([]);
  });
});

describe("an object of a later version than the code", () => {
  const schema = (readableBy: number) => ({ version: guardSchema.length + 1, readableBy });
  const becomes = async (readableBy: number) => {
    await inObject(({ kv }) => kv.put("schema", schema(readableBy)));
    await evictDurableObject(stub);
  };

  it("is not served, loses nothing, and keeps its alarm for the later code", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    await becomes(guardSchema.length + 1);
    const { status, error } = await today({ text: "hi" }).chat([user("hi")], "s1");
    expect([status, error?.code]).toEqual([503, "gateway_unavailable"]);
    await runInDurableObject(stub, (instance) => instance.alarm());
    expect(errors.mock.calls.flat().join(" ")).toMatch(
      /UserGuard: the object has schema \d+, which needs code of schema/,
    );
    const alarm = await inObject(async (storage) => [await storage.getAlarm(), storage.kv.get("schema")]);
    expect(alarm).toEqual([expect.any(Number), schema(guardSchema.length + 1)]);
  });

  it("is served where that version says that it may be", async () => {
    await becomes(guardSchema.length);
    expect((await today({ text: "hi" }).chat([user("hi")], "s1")).text).toBe("hi");
  });
});
