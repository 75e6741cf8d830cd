/** Approval records on their way from a user's object to D1, and out of it again. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeps } from "../../../src/create-deps.ts";
import type { ApprovalRecord } from "../../../src/ports/audit-record.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { wakeOverdue } from "../../../src/stores/audit/retention-overdue.ts";
import { appendRecord } from "../../../src/stores/guard/outbox/record-chain.ts";
import { noteOwner } from "../../../src/stores/guard/transaction.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import { approvalRecord } from "../../stores/audit/records.ts";
import { emptyTrail } from "../audit/empty-trail.ts";
import { erasedChains } from "../support/erased-chains.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard, workAt } from "../support/run-in-guard.ts";
import { ask, call, says, user } from "../support/script.ts";

const policyOf = (retentionDays: number) => ({
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" } },
  audit: { retentionDays },
});
/** Far enough ahead that no alarm rings by itself. */
const start = Date.now() + 100 * 24 * 3600_000;
const days = (n: number) => n * 24 * 3600_000;
const parsed = parseAuditKeys(env.AUDIT_KEY ?? "");
if (!parsed.ok) throw new Error(parsed.error);
const keys = parsed.value;

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

const started = (retentionDays = 90) =>
  gateway({ policy: policyOf(retentionDays), upstream: says({ calls: [call("c", "read_file")] }) });
const storageOf = <T>(gate: Gateway, read: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInGuard(gate.stub, (_, { storage }) => read(storage));
const ring = (gate: Gateway) => runInDurableObject(gate.stub, (instance) => instance.alarm());
let asked = 0;
/** A decision and a turn. */
const turn = async (gate: Gateway) => {
  await ask(gate, { messages: [user(`go ${++asked}`)], tools: [tool("read_file")] }, { "x-toolgate-session": "s" });
  await gate.settle();
};
/** As the object writes it: in the transaction of what happened. */
const append = (gate: Gateway, changes: Partial<ApprovalRecord> = {}) =>
  storageOf(gate, ({ sql }) => {
    noteOwner(sql, { tenant: gate.tenant, user: "ada" });
    appendRecord(
      { sql, keys, now: Date.now() },
      approvalRecord({ tenant: gate.tenant, at: Date.now(), approval: `appr_${gate.tenant}`, ...changes }),
    );
  });
const verification = async (gate: Gateway) => {
  const response = await gate.fetch("/v1/audit/verify?user=ada", { key: await gate.keyFor("op", "admin") });
  return (await response.json()) as Record<string, unknown>;
};
const approvalsOf = async (gate: Gateway) =>
  (
    await env.AUDIT_DB.prepare("SELECT seq FROM approvals WHERE tenant = ? ORDER BY seq")
      .bind(gate.tenant)
      .all<{ seq: number }>()
  ).results.map(({ seq }) => seq);
/** Rings the alarm whenever it is due, until the clock has come to `at`. */
async function passTo(gate: Gateway, at: number): Promise<void> {
  const armedAt = () => workAt(gate.stub);
  for (let armed = await armedAt(); armed !== null && armed <= at; armed = await armedAt()) {
    vi.setSystemTime(Math.max(armed, Date.now()));
    // Rung by hand an alarm stays as it was, unless it is armed again.
    await storageOf(gate, (storage) => storage.deleteAlarm());
    await ring(gate);
  }
  vi.setSystemTime(at);
}

describe("what happened to an approval", () => {
  it("is listed to the tenant's admins, among decisions and turns that verify with it", async () => {
    const gate = await started();
    await turn(gate);
    await append(gate);
    await append(gate, { event: "denied", by: "op", reason: "not today" });
    await turn(gate);
    expect(await gate.approvals()).toMatchObject([
      { object: "audit.approval", event: "asked", seq: 3, disclosure: "Create a note" },
      { event: "denied", seq: 4, by: "op", via: "api", reason: "not today" },
    ]);
    expect(await gate.approvals("&event=denied&session=s1&user=ada&tool=create_note")).toMatchObject([{ seq: 4 }]);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 1, to: 6, waiting: 0 });
    expect((await gate.fetch("/v1/audit/approvals")).status).toBe(403);
    const stranger = await started();
    expect(await stranger.approvals()).toEqual([]);
  });

  it.each([
    ["altered", 3, "UPDATE approvals SET record = json_set(record, '$.event', 'edited') WHERE tenant = ? AND seq = 3"],
    ["missing", 3, "DELETE FROM approvals WHERE tenant = ? AND seq = 3"],
    ["truncated", 4, "DELETE FROM approvals WHERE tenant = ? AND seq = 4"],
  ])("shows where its record is %s", async (kind, at, sql) => {
    const gate = await started();
    await turn(gate);
    await append(gate);
    await append(gate, { event: "approved" });
    await ring(gate);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 4 });
    await env.AUDIT_DB.prepare(sql).bind(gate.tenant).run();
    expect(await verification(gate)).toMatchObject({ ok: false, problem: { kind, at } });
  });

  it("is put aside where D1 refuses it, verifies from there, and is delivered again when asked", async () => {
    const gate = await started();
    await env.AUDIT_DB.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON approvals WHEN NEW.record LIKE '%${gate.tenant}%' BEGIN SELECT RAISE(ABORT, 'string or blob too big'); END`,
    );
    try {
      await turn(gate);
      await append(gate);
      await ring(gate);
      expect(errors.join("\n")).toMatch(/audit_record_put_aside.*"seq":3/);
      expect(await verification(gate)).toMatchObject({ ok: true, to: 3, apart: [{ seq: 3 }] });
    } finally {
      await env.AUDIT_DB.exec("DROP TRIGGER poison");
    }
    const operator = await gate.keyFor("op", "admin");
    await gate.fetch("/v1/audit/redeliver?user=ada", { method: "POST", key: operator });
    await ring(gate);
    expect(await approvalsOf(gate)).toEqual([3]);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 3, apart: [] });
  });
});

describe("the index of a tenant's approvals", () => {
  it("is there for the surfaces, a moment after the object has written it", async () => {
    const gate = await started();
    await turn(gate);
    await append(gate, { expiresAt: start + days(1) });
    await ring(gate);
    const { approvalIndex } = createDeps(env);
    const id = `appr_${gate.tenant}`;
    const pending = (now: number) => approvalIndex.list(gate.tenant, { status: "pending", now, limit: 10 });
    expect(await pending(start)).toMatchObject({ ok: true, value: { data: [{ id, user: "ada" }], hasMore: false } });
    expect(await pending(start + days(1))).toMatchObject({ value: { data: [] } });
    await append(gate, { event: "approved", at: start + 1 });
    await ring(gate);
    expect(await pending(start)).toMatchObject({ value: { data: [] } });
    expect(await approvalIndex.find(gate.tenant, id, start)).toMatchObject({ user: "ada", status: "approved" });
  });
});

describe("retention", () => {
  it("takes approvals with the rest of their beginning, and leaves a checkpoint", async () => {
    const gate = await started(7);
    await turn(gate);
    await append(gate);
    await passTo(gate, start + days(3));
    await append(gate, { event: "expired" });
    await turn(gate);
    await passTo(gate, start + days(7) - 1000);
    expect(await approvalsOf(gate)).toEqual([3, 4]);
    await passTo(gate, start + days(7) + 60_000);
    expect(await approvalsOf(gate)).toEqual([4]);
    expect(await verification(gate)).toMatchObject({ ok: true, from: 4, to: 6, checkpoint: { seq: 3, gaps: [] } });
    await passTo(gate, start + days(11));
    expect(await approvalsOf(gate)).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 6, gaps: [] } });
    expect(errors).toEqual([]);
  });

  it("remembers an approval that was missing already when it was removed", async () => {
    const gate = await started(7);
    await turn(gate);
    await append(gate);
    await turn(gate);
    await ring(gate);
    await env.AUDIT_DB.prepare("DELETE FROM approvals WHERE tenant = ?").bind(gate.tenant).run();
    await passTo(gate, start + days(8));
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 5, gaps: [[3, 3]] } });
    expect(errors.join()).toMatch(/audit_records_missing.*"from":3,"to":3/);
  });

  it("finds approvals that are overdue where no turn is left of their tenant", async () => {
    await emptyTrail();
    const gate = await started(7);
    await append(gate);
    await ring(gate);
    expect(await approvalsOf(gate)).toEqual([1]);
    // As if nothing of retention were known to the object.
    await storageOf(gate, async (storage) => {
      storage.sql.exec("DELETE FROM meta WHERE key = 'retention'");
      await storage.deleteAlarm();
    });
    await evictDurableObject(gate.stub);
    const sweep = async () => {
      const guardOf = () => gate.guard;
      const ledgerOf = () => ({ retention: { shortened: async () => {} } });
      const woken = await wakeOverdue(
        { db: env.AUDIT_DB, kv: env.KV, guardOf, ledgerOf, erased: erasedChains },
        Date.now(),
      );
      return woken.filter(({ tenant }) => tenant === gate.tenant);
    };
    vi.setSystemTime(start + days(5));
    await putPolicy(env.KV, gate.tenant, policyOf(7), Date.now());
    expect(await sweep()).toEqual([]);
    vi.setSystemTime(start + days(10));
    expect(await sweep()).toEqual([{ tenant: gate.tenant, user: "ada" }]);
    await passTo(gate, Date.now() + 60_000);
    expect(await approvalsOf(gate)).toEqual([]);
    expect(await sweep()).toEqual([]);
  });
});
