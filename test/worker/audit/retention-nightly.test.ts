/** The nightly sweep: tenants that shorten the time, and records that no object removes by itself. */

import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lengthPrefixed } from "../../../src/lib/digest.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import type { TenantLedgerPort } from "../../../src/ports/tenant-ledger-port.ts";
import { wakeOverdue } from "../../../src/stores/audit/retention-overdue.ts";
import type { TenantLedger } from "../../../src/stores/objects/tenant-ledger.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { memoryKv } from "../../support/memory-kv.ts";
import { erasedChains } from "../support/erased-chains.ts";
import { type Gateway, gateway } from "../support/gateway.ts";
import { portsOf } from "../support/object-ports.ts";
import { runInGuard } from "../support/run-in-guard.ts";
import { says } from "../support/script.ts";
import { emptyTrail } from "./empty-trail.ts";
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

const objectOf = ({ tenant, user: name }: { tenant: string; user: string }) =>
  env.USER_GUARD.get(env.USER_GUARD.idFromName(lengthPrefixed(tenant, name)));
const ledgerStub = (tenant: string) => env.TENANT_LEDGER.get(env.TENANT_LEDGER.idFromName(tenant));
const ledgerOf = (tenant: string) => portsOf<TenantLedgerPort>(ledgerStub(tenant));
/** @returns when its alarm was due; null where it had none. */
const ringLedger = (tenant: string): Promise<number | null> =>
  runInDurableObject(ledgerStub(tenant), async (object: TenantLedger, { storage }) => {
    const due = await storage.getAlarm();
    if (due === null) return null;
    vi.setSystemTime(due);
    await storage.deleteAlarm();
    await object.alarm();
    return due;
  });
const sweep = (kv: KvPort = env.KV) =>
  wakeOverdue(
    { db: env.AUDIT_DB, kv, guardOf: (owner) => portsOf(objectOf(owner)), ledgerOf, erased: erasedChains },
    Date.now(),
  );
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the nightly sweep", () => {
  beforeEach(emptyTrail);
  /** Turns of users whose objects know nothing of them. */
  const put = (turns: readonly { tenant: string; user: string; at: number }[]) =>
    env.AUDIT_DB.batch(
      turns.map((owner) => {
        const id = `${owner.tenant}-${owner.user}`;
        const record = JSON.stringify({ ...owner, id, session: "s", stopReason: "" });
        return env.AUDIT_DB.prepare(
          "INSERT INTO turns (id, seq, previous, hash, key_id, record) VALUES (?, 1, '', '', '', ?)",
        ).bind(id, record);
      }),
    );

  it("has a shorter time followed by every object, which wakes once for it and asks D1 for nothing before", async () => {
    const gate = await started(90);
    const idle = await gateway({ policy: policyOf(90), upstream: says({ text: "ok" }) });
    for (const one of [gate, idle]) {
      await turn(one);
      await ring(one);
    }
    await sweep();
    await passTo(gate, start + days(10));
    await putPolicy(env.KV, gate.tenant, policyOf(12), Date.now());
    expect(await sweep()).toEqual([]);
    expect(await alarmAt(gate)).toBeGreaterThan(start + days(29));
    // Every isolate can read the new policy by then.
    const due = Date.now() + 120_000;
    expect(await ringLedger(gate.tenant)).toBe(due);
    expect(await alarmAt(gate)).toBe(due);
    await passTo(gate, start + days(12) - 1000);
    expect(await rowsOf(gate)).toEqual([1, 2]);
    await passTo(gate, start + days(12) + 60_000);
    expect(await rowsOf(gate)).toEqual([]);
    // The walk is over, and the other tenant was none of its business.
    expect(await ringLedger(gate.tenant)).toBeNull();
    const ofIdle = await storageOf(idle, ({ sql }) => sql.exec("SELECT value FROM meta WHERE key = 'retention'").one());
    expect(JSON.parse(String(ofIdle.value)).dueAt).toBe(start + days(90) + 1);
  });

  it("tells many users of a tenant, a few at a time, and begins anew where the time is shortened once more", async () => {
    const gate = await started(90);
    const names = Array.from({ length: 95 }, (_, n) => `user-${String(n).padStart(3, "0")}`);
    await put(names.map((name) => ({ tenant: gate.tenant, user: name, at: start })));
    const toldNow = async () => {
      const told = await Promise.all(
        names.map((name) =>
          runInGuard(objectOf({ tenant: gate.tenant, user: name }), (_, { storage }) =>
            storage.sql.exec("DELETE FROM meta WHERE key = 'retention' RETURNING key").toArray(),
          ),
        ),
      );
      return told.flat().length;
    };
    const ledger = ledgerOf(gate.tenant);
    const next = async () => {
      await ringLedger(gate.tenant);
      return toldNow();
    };
    await ledger.retention.shortened(gate.tenant);
    expect([await next(), await next()]).toEqual([40, 40]);
    await ledger.retention.shortened(gate.tenant);
    // The ring that the walk before had armed is too early for the new one.
    expect([await next(), await next(), await next(), await next()]).toEqual([0, 40, 40, 15]);
    expect(await ringLedger(gate.tenant)).toBeNull();
  });

  it("goes on with the walk through a tenant's users once D1 answers again", async () => {
    const gate = await started(90);
    await turn(gate);
    await ring(gate);
    await ledgerOf(gate.tenant).retention.shortened(gate.tenant);
    await env.AUDIT_DB.exec("ALTER TABLE plans RENAME TO plans_away");
    await ringLedger(gate.tenant);
    await env.AUDIT_DB.exec("ALTER TABLE plans_away RENAME TO plans");
    const dueAt = async () => {
      const row = await storageOf(gate, ({ sql }) => sql.exec("SELECT value FROM meta WHERE key = 'retention'").one());
      return (JSON.parse(String(row.value)) as { dueAt: number }).dueAt;
    };
    expect(await dueAt()).toBe(start + days(90) + 1);
    const before = Date.now();
    expect(await ringLedger(gate.tenant)).toBe(before + 60_000);
    expect([await dueAt(), await ringLedger(gate.tenant)]).toEqual([0, null]);
  });

  it("finds overdue tenants beyond the first few hundred, whose own old records are rightly kept", async () => {
    const overdue = await started(7);
    await turn(overdue);
    await ring(overdue);
    await storageOf(overdue, (storage) => storage.deleteAll());
    await evictDurableObject(overdue.stub);
    // Of tenants under the embedded policy, which keeps them for 90 days.
    const kept = Array.from({ length: 310 }, (_, n) => ({ tenant: `kept-${overdue.tenant}-${n}`, user: "ada" }));
    await put(kept.map((owner) => ({ ...owner, at: start - days(60) })));
    vi.setSystemTime(start + days(10));
    const nights: string[] = [];
    const kv = memoryKv();
    await putPolicy(kv, overdue.tenant, policyOf(7), start);
    for (let night = 0; night < 2; night++) {
      nights.push(...(await sweep(kv)).map(({ tenant }) => tenant));
      vi.setSystemTime(Date.now() + days(1));
    }
    expect(nights).toContain(overdue.tenant);
    expect(new Set(nights)).toEqual(new Set([overdue.tenant]));
  });

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
      await evictDurableObject(gate.stub);
    }
    vi.setSystemTime(start + days(10));
    expect(await sweep()).toContainEqual({ tenant: overdue.tenant, user: "ada" });
    await passTo(overdue, Date.now() + 60_000);
    expect(await rowsOf(overdue)).toEqual([]);
    expect(await rowsOf(young)).toEqual([1, 2]);
    expect((await sweep()).filter(({ tenant }) => [young.tenant, overdue.tenant].includes(tenant))).toEqual([]);
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
    const woken = async () => (await sweep()).filter(({ tenant }) => tenant === gate.tenant).length;
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
    await evictDurableObject(gate.stub);
    vi.setSystemTime(start + days(5));
    await gate.guard.chain.checkRetention({ tenant: gate.tenant, user: "ada" }, "overdue");
    await passTo(gate, start + days(5) + 60_000);
    expect(await rowsOf(gate)).toEqual([1, 2]);
    vi.setSystemTime(start + days(12));
    await sweptAway(gate);
  });
});
