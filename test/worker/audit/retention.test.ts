/** Retention: what is older than the policy says leaves D1, and the chain still verifies. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { says } from "../support/script.ts";
import {
  alarmAt,
  change,
  days,
  passTo,
  policyOf,
  ring,
  started,
  storageOf,
  turn,
  verification,
} from "./retention-world.ts";
import { trailSeqs } from "./trail-seqs.ts";

const start = Date.now() + days(100);
const rowsOf = ({ tenant }: Gateway): Promise<number[]> => trailSeqs(tenant);

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

  it("keeps records longer where the policy says so, without a look at D1", async () => {
    const gate = await started(5);
    await turn(gate);
    await ring(gate);
    await putPolicy(env.KV, gate.tenant, policyOf(30), Date.now() + 1);
    const asked = vi.spyOn(env.AUDIT_DB, "prepare");
    await passTo(gate, start + days(29));
    expect(asked.mock.calls).toEqual([]);
    expect(await rowsOf(gate)).toEqual([1, 2]);
    await passTo(gate, start + days(30) + 60_000);
    expect(await rowsOf(gate)).toEqual([]);
  });

  it("goes on while D1 takes no new record: a full one has room again only once something is removed", async () => {
    const gate = await started(7);
    await turn(gate);
    await ring(gate);
    await passTo(gate, start + days(7) - 1000);
    await turn(gate);
    vi.setSystemTime(start + days(7) + 60_000);
    const full = new Proxy(env.AUDIT_DB, {
      get(db, name) {
        const member = Reflect.get(db, name) as (...values: unknown[]) => unknown;
        return (...values: unknown[]) => {
          if (/^INSERT INTO (turns|decisions)/.test(String(values[0])))
            throw new Error("D1_ERROR: Exceeded maximum DB size");
          return member.apply(db, values);
        };
      },
    });
    await runInDurableObject(gate.stub, (_, state) => new UserGuard(state, { ...env, AUDIT_DB: full }).alarm());
    // What is not delivered is not removed, whatever its age.
    expect(await rowsOf(gate)).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 2 }, waiting: 2 });
    await passTo(gate, Date.now() + 60_000);
    expect(await rowsOf(gate)).toEqual([3, 4]);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 3, to: 4, waiting: 0 });
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
    await evictDurableObject(gate.stub);
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
    await passTo(gate, start + days(9));
    expect(await rowsOf(gate)).toEqual([4]);
    expect(errors.join()).toMatch(/audit_record_altered.*"seq":4/);
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
    await evictDurableObject(whole.stub);
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

describe("a page of records none of which is intact", () => {
  it("is looked at once a day, and not over and over", async () => {
    const gate = await gateway({ policy: policyOf(7), upstream: says({ text: "ok" }) });
    await turn(gate);
    await storageOf(gate, ({ sql }) => {
      for (let n = 0; n < 120; n++)
        sql.exec(
          "INSERT INTO turns (id, session, task, digest, at, model, role, grants, policy, open, settled) VALUES (?, 's', 1, '', ?, 'm', 'user', '[]', '', 1, '[]')",
          `turn_${gate.tenant}_${n}`,
          start,
        );
    });
    await passTo(gate, start + days(1));
    await change("UPDATE turns SET hash = 'x' WHERE tenant = ? AND seq <= 100", gate.tenant);
    await passTo(gate, start + days(8) + 60_000);
    expect((await rowsOf(gate)).length).toBe(121);
    expect(await passTo(gate, start + days(11))).toBeLessThan(5);
  });
});
