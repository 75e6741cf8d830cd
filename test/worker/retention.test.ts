/** Retention: what is older than the policy says leaves D1, and the chain still verifies. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { putPolicy } from "../../src/stores/kv-policies.ts";
import { wakeOverdue } from "../../src/stores/retention-overdue.ts";
import { emptyTrail } from "./empty-trail.ts";
import { type Gateway, gateway, tool } from "./gateway.ts";
import { ask, call, says, user } from "./script.ts";
import { trailSeqs } from "./trail-seqs.ts";

const policyOf = (retentionDays: number) => ({
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" } },
  audit: { retentionDays },
});
const tools = [tool("read_file")];
const start = Date.now() + 100 * 24 * 3600_000;
const days = (n: number) => n * 24 * 3600_000;

let errors: string[];
beforeEach(() => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((...words) => void errors.push(words.join(" ")));
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const storageOf = <T>(gate: Gateway, read: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(gate.guard, (_, { storage }) => read(storage));
const alarmAt = (gate: Gateway) => storageOf(gate, (storage) => storage.getAlarm());
const ring = (gate: Gateway) => runInDurableObject(gate.guard, (instance) => instance.alarm());
/** Rings the alarm whenever it is due, until the clock has come to `at`. @returns how often it rang. */
async function passTo(gate: Gateway, at: number): Promise<number> {
  let rings = 0;
  for (let armed = await alarmAt(gate); armed !== null && armed <= at; armed = await alarmAt(gate)) {
    vi.setSystemTime(Math.max(armed, Date.now()));
    // Rung by hand an alarm stays as it was, unless it is armed again.
    await storageOf(gate, (storage) => storage.deleteAlarm());
    await ring(gate);
    rings += 1;

    if (rings > 1500) throw new Error(`the alarm rings for ever: ${errors.at(-1)}`);
  }
  vi.setSystemTime(at);
  return rings;
}
const started = (retentionDays: number) =>
  gateway({ policy: policyOf(retentionDays), upstream: says({ calls: [call("c", "read_file")] }) });
let asked = 0;
const turn = async (gate: Gateway) => {
  await ask(gate, { messages: [user(`go ${++asked}`)], tools }, { "x-toolgate-session": "s" });
  await gate.settle();
};
const rowsOf = ({ tenant }: Gateway): Promise<number[]> => trailSeqs(tenant);
const verification = async (gate: Gateway, query = "") => {
  const response = await gate.fetch(`/v1/audit/verify?user=ada${query}`, { key: await gate.keyFor("op", "admin") });
  return (await response.json()) as Record<string, unknown>;
};
const change = (sql: string, ...values: unknown[]) =>
  env.AUDIT_DB.prepare(sql)
    .bind(...values)
    .run();

describe("retention", () => {
  it("removes a record when its time is over, and not before; what is left verifies from the checkpoint", async () => {
    const gate = await started(7);
    await turn(gate);
    await passTo(gate, start + days(3));
    await turn(gate);
    await passTo(gate, start + days(7) - 1000);
    expect(await rowsOf(gate)).toEqual([1, 2, 3, 4]);
    await passTo(gate, start + days(7) + 60_000);
    expect(await rowsOf(gate)).toEqual([3, 4]);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 3, to: 4, checkpoint: { seq: 2, gaps: [] } });
    const reasons = await env.AUDIT_DB.prepare("SELECT COUNT(*) AS n FROM decision_reasons WHERE tenant = ?")
      .bind(gate.tenant)
      .first();
    expect(reasons).toEqual({ n: 0 });
    expect(errors).toEqual([]);
  });

  it("reaches the last record of a user who never comes back, then lets the object rest", async () => {
    const gate = await started(5);
    await turn(gate);
    // Once a day, and some more while the session lasts.
    expect(await passTo(gate, start + days(6))).toBeLessThan(45);
    expect(await rowsOf(gate)).toEqual([]);
    // Only for the released call, which is kept for its undo.
    expect(await alarmAt(gate)).toBeGreaterThan(start + days(29));
    expect(await storageOf(gate, ({ sql }) => sql.exec("SELECT * FROM outbox").toArray())).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 3, to: 2, checkpoint: { seq: 2 } });
    await turn(gate);
    await ring(gate);
    expect(await rowsOf(gate)).toEqual([3, 4]);
    await passTo(gate, start + days(12));
    expect(await rowsOf(gate)).toEqual([]);
    await passTo(gate, start + days(40));
    expect(await alarmAt(gate)).toBeNull();
  });

  it("follows the policy in force within a day, in both directions", async () => {
    const gate = await started(90);
    await turn(gate);
    await passTo(gate, start + days(10));
    await putPolicy(env.KV, gate.tenant, policyOf(5), Date.now());
    await passTo(gate, start + days(11) + 120_000);
    expect(await rowsOf(gate)).toEqual([]);
  });

  it("removes nothing while the policy cannot be read, or D1 fails, and catches up", async () => {
    const gate = await started(7);
    await turn(gate);
    await passTo(gate, start + days(6));
    const current = `policy:current:${gate.tenant}`;
    const pointer = await env.KV.get(current);
    await env.KV.put(current, "{");
    await passTo(gate, start + days(8));
    expect(await rowsOf(gate)).toEqual([1, 2]);
    await env.KV.put(current, pointer ?? "");
    await env.AUDIT_DB.exec("ALTER TABLE checkpoints RENAME TO checkpoints_away");
    await passTo(gate, start + days(8) + 3600_000);
    await env.AUDIT_DB.exec("ALTER TABLE checkpoints_away RENAME TO checkpoints");
    expect(await rowsOf(gate)).toEqual([1, 2]);
    expect(errors.length).toBeGreaterThan(0);
    await passTo(gate, start + days(8) + 2 * 3600_000);
    expect(await rowsOf(gate)).toEqual([]);
  });

  it("takes a long chain page by page", async () => {
    const gate = await started(7);
    await turn(gate);
    await storageOf(gate, ({ sql }) => {
      for (let n = 0; n < 450; n++)
        sql.exec(
          "INSERT INTO turns (id, session, task, digest, at, model, role, grants, policy, open, settled) VALUES (?, 's', 1, '', ?, 'm', 'user', '[]', '', 1, '[]')",
          `turn_${gate.tenant}_${n}`,
          start,
        );
    });
    await passTo(gate, start + days(1));
    expect((await rowsOf(gate)).length).toBe(452);
    await passTo(gate, start + days(8) + 60_000);
    expect(await rowsOf(gate)).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 452, gaps: [] } });
  });

  it("goes on from a removal whose end the object did not see", async () => {
    const gate = await started(7);
    await turn(gate);
    await passTo(gate, start + days(3));
    await turn(gate);
    await passTo(gate, start + days(7) - 1000);
    const before = await storageOf(
      gate,
      ({ sql }) => sql.exec<{ value: string }>("SELECT value FROM meta WHERE key = 'retention'").one().value,
    );
    await passTo(gate, start + days(7) + 60_000);
    // As if the object had died between D1's commit and its own.
    await storageOf(gate, ({ sql }) => sql.exec("UPDATE meta SET value = ? WHERE key = 'retention'", before));
    await evictDurableObject(gate.guard);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 3, to: 4 });
    await ring(gate);
    await passTo(gate, start + days(11));
    expect(await rowsOf(gate)).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 4, gaps: [] } });
    expect(errors).toEqual([]);
  });

  it("remembers what was missing already when it was removed", async () => {
    const gate = await started(7);
    await turn(gate);
    await turn(gate);
    await ring(gate);
    await change("DELETE FROM turns WHERE tenant = ? AND seq = 2", gate.tenant);
    expect(await verification(gate)).toMatchObject({ ok: false, problem: { kind: "missing", at: 2 } });
    await passTo(gate, start + days(8));
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 4, gaps: [[2, 2]] } });
    expect(errors.join()).toMatch(/audit_records_missing.*"from":2,"to":2/);
  });
});

describe("a record whose time was forged", () => {
  const forge = (gate: Gateway, at: number, seqs: string) =>
    change(
      `UPDATE turns SET record = replace(record, '"at":' || at, '"at":' || CAST(? AS INTEGER)) WHERE tenant = ? AND seq IN ${seqs}`,
      at,
      gate.tenant,
    );
  const plain = () => gateway({ policy: policyOf(7), upstream: says({ text: "ok" }) });

  it("is not removed before its time, and neither hides nor ends the retention of others", async () => {
    const gate = await plain();
    for (let n = 0; n < 3; n++) await turn(gate);
    await passTo(gate, start + days(4));
    await turn(gate);
    await passTo(gate, start + days(5));
    await forge(gate, start - days(30), "(1, 2, 4)");
    expect(await passTo(gate, start + days(6))).toBeLessThan(40);
    expect(await rowsOf(gate)).toEqual([1, 2, 3, 4]);
    expect(await verification(gate)).toMatchObject({ ok: false, problem: { kind: "altered", at: 1 } });
    expect(errors.join()).toMatch(/audit_record_altered.*"seq":1/);
    await passTo(gate, start + days(9));
    expect(await rowsOf(gate)).toEqual([4]);
    const gaps = [
      [1, 1],
      [2, 2],
    ];
    expect(await verification(gate)).toMatchObject({
      ok: false,
      problem: { kind: "altered", at: 4 },
      checkpoint: { seq: 3, gaps },
    });
  });
});

describe("verifying a chain in D1", () => {
  /** Four turns without calls, the first of them removed by retention. */
  async function kept(): Promise<Gateway> {
    const gate = await gateway({ policy: policyOf(7), upstream: says({ text: "ok" }) });
    await turn(gate);
    await passTo(gate, start + days(4));
    for (let n = 0; n < 3; n++) await turn(gate);
    await passTo(gate, start + days(8));
    expect(await verification(gate)).toMatchObject({ ok: true, from: 2, to: 4 });
    return gate;
  }

  it.each<[string, string, object]>([
    [
      "an altered record",
      "UPDATE turns SET record = json_set(record, '$.role', 'admin') WHERE tenant = ? AND seq = 3",
      { problem: { kind: "altered", at: 3 } },
    ],
    [
      "a record that says two things",
      `UPDATE turns SET record = '{"user":"ada","stopReason":"aborted",' || substr(record, 2) WHERE tenant = ? AND seq = 3`,
      { problem: { kind: "altered", at: 3 } },
    ],
    [
      "a record that is JSON to SQLite alone",
      "UPDATE turns SET record = replace(record, '\"kind\":', 'kind:') WHERE tenant = ? AND seq = 3",
      { problem: { kind: "altered", at: 3 } },
    ],
    ["a removed record", "DELETE FROM turns WHERE tenant = ? AND seq = 3", { problem: { kind: "missing", at: 3 } }],
    ["a cut-off end", "DELETE FROM turns WHERE tenant = ? AND seq > 2", { problem: { kind: "truncated", at: 3 } }],
    ["a cut-off beginning", "DELETE FROM turns WHERE tenant = ? AND seq = 2", { problem: { kind: "missing", at: 2 } }],
    [
      "a removed checkpoint",
      "DELETE FROM checkpoints WHERE tenant = ?",
      { checkpoint_problem: "missing", problem: null },
    ],
    ["a moved checkpoint", "UPDATE checkpoints SET seq = 3 WHERE tenant = ?", { checkpoint_problem: "forged" }],
  ])("shows %s", async (_, sql, found) => {
    const gate = await kept();
    await change(sql, gate.tenant);
    expect(await verification(gate)).toMatchObject({ ok: false, ...found });
  });

  it("shows that the object no longer knows of its records", async () => {
    const whole = await gateway({ policy: policyOf(7), upstream: says({ text: "ok" }) });
    await turn(whole);
    await ring(whole);
    expect(await verification(whole)).toMatchObject({ ok: true, to: 1 });
    await storageOf(whole, (storage) => storage.deleteAll());
    await evictDurableObject(whole.guard);
    expect(await verification(whole)).toMatchObject({ ok: false, problem: { kind: "beyond_head", at: 1 } });
  });

  it("shows a checkpoint and records that were put back", async () => {
    const gate = await kept();
    const select = "SELECT * FROM checkpoints WHERE tenant = ?";
    const older = await env.AUDIT_DB.prepare(select).bind(gate.tenant).first<Record<string, unknown>>();
    await passTo(gate, start + days(12));
    await change(
      "UPDATE checkpoints SET seq = ?, hash = ?, at = ?, signature = ? WHERE tenant = ?",
      older?.seq,
      older?.hash,
      older?.at,
      older?.signature,
      gate.tenant,
    );
    expect(await verification(gate)).toMatchObject({ ok: false, checkpoint_problem: "older" });
  });

  it("answers in pages that go on where the one before ended", async () => {
    const gate = await gateway({ policy: policyOf(7), upstream: says({ text: "ok" }) });
    await turn(gate);
    await storageOf(gate, ({ sql }) => {
      for (let n = 0; n < 1_100; n++)
        sql.exec(
          "INSERT INTO turns (id, session, task, digest, at, model, role, grants, policy, open, settled) VALUES (?, 's', 1, '', ?, 'm', 'user', '[]', '', 1, '[]')",
          `turn_${gate.tenant}_${n}`,
          start,
        );
    });
    await passTo(gate, start + 3 * 3600_000);
    const first = await verification(gate);
    expect(first).toMatchObject({ ok: true, from: 1, to: 1_000, next_after: 1_000 });
    expect(await verification(gate, "&after=1000")).toMatchObject({
      ok: true,
      from: 1_001,
      to: 1_101,
      next_after: null,
    });
    await change("DELETE FROM turns WHERE tenant = ? AND seq = 1000", gate.tenant);
    expect(await verification(gate, "&after=1000")).toMatchObject({
      ok: false,
      problem: { kind: "missing", at: 1_000 },
    });
  });
});

describe("a D1 that was restored to an earlier time", () => {
  it("is noticed, and gets again what the objects still have", async () => {
    const gate = await started(7);
    await turn(gate);
    await ring(gate);
    const backup = [];
    for (const table of ["turns", "decisions"])
      backup.push(
        (
          await env.AUDIT_DB.prepare(`SELECT id FROM ${table} WHERE tenant = ?`).bind(gate.tenant).all<{ id: string }>()
        ).results.map(({ id }) => id),
      );
    vi.setSystemTime(start + 3600_000);
    await turn(gate);
    await turn(gate);
    await ring(gate);
    for (const [index, table] of ["turns", "decisions"].entries())
      await change(
        `DELETE FROM ${table} WHERE tenant = ? AND id NOT IN (SELECT value FROM json_each(?))`,
        gate.tenant,
        JSON.stringify(backup[index]),
      );
    expect(await verification(gate)).toMatchObject({ ok: false, problem: { kind: "truncated", at: 3 } });

    const operator = await gate.keyFor("op", "admin");
    const again = await gate.fetch("/v1/audit/redeliver?user=ada&after=2", { method: "POST", key: operator });
    expect(await again.json()).toMatchObject({ object: "audit.redelivery", waiting: 4 });
    await ring(gate);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 6, waiting: 0 });
  });
});

describe("the daily sweep", () => {
  beforeEach(emptyTrail);
  const sweep = (now: number) =>
    wakeOverdue(
      {
        db: env.AUDIT_DB,
        kv: env.KV,
        chainOf: ({ tenant, user: name }) =>
          env.USER_GUARD.get(env.USER_GUARD.idFromName(`${tenant.length}:${tenant}${name.length}:${name}`)),
      },
      now,
    );

  it("wakes the objects of records that should be gone, and no others", async () => {
    const overdue = await started(7);
    const young = await started(90);
    for (const gate of [overdue, young]) {
      await turn(gate);
      await ring(gate);
      // As the first version left it: nothing of retention is known, and no alarm is armed.
      await storageOf(gate, async (storage) => {
        storage.sql.exec("DELETE FROM meta WHERE key = 'retention'");
        await storage.deleteAlarm();
      });
      await evictDurableObject(gate.guard);
    }
    vi.setSystemTime(start + days(10));
    expect(await sweep(Date.now())).toContainEqual({ tenant: overdue.tenant, user: "ada" });
    await passTo(overdue, Date.now() + 60_000);
    expect(await rowsOf(overdue)).toEqual([]);
    expect(await rowsOf(young)).toEqual([1, 2]);
    expect((await sweep(Date.now())).filter(({ tenant }) => [young.tenant, overdue.tenant].includes(tenant))).toEqual(
      [],
    );
  });

  const copyOf = async (gate: Gateway) => {
    const select = env.AUDIT_DB.prepare("SELECT id, seq, previous, hash, key_id, record FROM turns WHERE tenant = ?");
    return (await select.bind(gate.tenant).all<Record<string, unknown>>()).results;
  };
  const putBack = async (rows: readonly Record<string, unknown>[]) => {
    for (const row of rows)
      await change(
        "INSERT INTO turns (id, seq, previous, hash, key_id, record) VALUES (?, ?, ?, ?, ?, ?)",
        ...Object.values(row),
      );
  };
  /** An object is woken by the sweep, finds what there is, and is not woken again. */
  const sweptAway = async (gate: Gateway) => {
    const woken = async () => (await sweep(Date.now())).filter(({ tenant }) => tenant === gate.tenant).length;
    expect(await woken()).toBe(1);
    await passTo(gate, Date.now() + 60_000);
    expect(await rowsOf(gate)).toEqual([]);
    expect(await woken()).toBe(0);
  };

  it("has records removed again that came back with an older database", async () => {
    const gate = await started(7);
    await turn(gate);
    await ring(gate);
    const before = await copyOf(gate);
    await passTo(gate, start + days(12));
    expect(await rowsOf(gate)).toEqual([]);
    await putBack(before);
    await sweptAway(gate);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 2, gaps: [] } });
  });

  it("has records removed whose object has lost its storage, but none that is young", async () => {
    const gate = await started(7);
    await turn(gate);
    await ring(gate);
    await storageOf(gate, (storage) => storage.deleteAll());
    await evictDurableObject(gate.guard);
    vi.setSystemTime(start + days(5));
    await gate.guard.wake({ tenant: gate.tenant, user: "ada" });
    await passTo(gate, start + days(5) + 60_000);
    expect(await rowsOf(gate)).toEqual([1, 2]);
    vi.setSystemTime(start + days(12));
    await sweptAway(gate);
  });
});
