/** The hot index over several databases: tenants are moved under load and under faults, and nothing is lost, nor there twice. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import { rebalance } from "../../../src/stores/audit/shards/rebalance.ts";
import { homeOf } from "../../../src/stores/audit/shards/shards.ts";
import { verifyUser } from "../../../src/stores/audit/verify-user.ts";
import { type QueuedWorld, queuedWorld } from "./queued-world.ts";
import { decisionRecord, keys, turnRecord } from "./records.ts";

const begin = 1_790_000_000_000;
const minutes = (n: number) => n * 60_000;
const all = ["AUDIT_DB", "AUDIT_DB_2", "AUDIT_DB_3"];
/** Of these three one belongs to each database. */
const tenants = all.map((shard) => tenantOf(shard));

function tenantOf(shard: string): string {
  for (let n = 0; ; n++) if (homeOf(`tenant-${n}`, all) === shard) return `tenant-${n}`;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Isolates and ledgers go by the runtime's clock. */
function pass({ world }: QueuedWorld, ms: number): void {
  world.now += ms;
  vi.setSystemTime(world.now);
}

function addTurn({ world, userOf }: QueuedWorld, tenant: string, user = "ada"): void {
  const owner = { tenant, user };
  const turn = turnRecord({ ...owner, at: world.now, arm: "system_first" });
  const reasons = [{ code: "auth_required", tool: "rm" }] as const;
  userOf(owner).append(decisionRecord({ ...owner, at: world.now, turn: turn.id, effect: "deny", reasons }));
  userOf(owner).append(turn);
}

async function deliver(some: QueuedWorld): Promise<void> {
  for (const user of some.users()) await user.ring();
  while (some.world.queue.length > 0) await some.consume();
}

const settleHomes = async (some: QueuedWorld) => {
  for (const home of some.homes()) await home.settle(some.world.now);
};

async function settleDown(some: QueuedWorld): Promise<void> {
  Object.assign(some.world, { indexFails: undefined, failing: undefined });
  for (let round = 0; round < 60; round++) {
    pass(some, minutes(round < 40 ? 5 : 420));
    await deliver(some);
    if (round % 4 === 0) await rebalanceAll(some);
    await settleHomes(some);
  }
}

const rebalanceAll = (some: QueuedWorld) => {
  const listed = new Map([...some.databases()].slice(0, some.world.listed));
  return rebalance({ all: listed, ledgerOf: (tenant) => ({ trail: some.homeFor(tenant) }) });
};

const rowsIn = ({ world }: QueuedWorld) =>
  world.sqlites.map((file) =>
    auditTables.reduce((sum, table) => sum + Number(file.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n), 0),
  );

/** @returns how many records there are, each in its tenant's database and in no other. */
async function checkAll(some: QueuedWorld): Promise<number> {
  let sealed = 0;
  for (const { owner, chain } of some.users()) {
    const db = await some.databaseOf(owner.tenant);
    const verified = await verifyUser({ db, keys, owner, stateOf: (after) => chain.state(after) }, undefined);
    expect([owner, verified.verdict, verified.state.waiting]).toEqual([owner, { ok: true }, 0]);
    expect(verified.to).toBe(verified.state.head?.seq ?? 0);
    sealed += verified.to;
  }
  expect(rowsIn(some).reduce((sum, rows) => sum + rows)).toBe(sealed);
  return sealed;
}

describe("a tenant's home", () => {
  test("stays where it is for most tenants when a shard is added", () => {
    const names = Array.from({ length: 400 }, (_, n) => `t${n}`);
    const moved = names.filter((name) => homeOf(name, all) !== homeOf(name, all.slice(0, 2)));
    expect(moved.length).toBeGreaterThan(80);
    expect(moved.length).toBeLessThan(190);
    expect(new Set(moved.map((name) => homeOf(name, all)))).toEqual(new Set(["AUDIT_DB_3"]));
  });

  test("is where its records are, whatever its name says", async () => {
    const some = queuedWorld(begin, 3);
    pass(some, 0);
    for (const tenant of tenants) addTurn(some, tenant);
    await deliver(some);
    some.world.listed = 3;
    for (const tenant of tenants)
      expect(await some.homeFor(tenant).place(tenant)).toEqual({
        read: "AUDIT_DB",
        write: ["AUDIT_DB"],
        isMoving: false,
      });
    expect((await some.homeFor("new").place("new")).read).toBe(homeOf("new", all));
    some.stop();
  });
});

test("shards that are added under load get their tenants; each phase waits until every isolate has heard", async () => {
  const some = queuedWorld(begin, 3);
  const [, second = ""] = tenants;
  pass(some, 0);
  for (let turn = 0; turn < 150; turn++) addTurn(some, tenants[turn % 3] ?? "", `user-${turn % 5}`);
  await deliver(some);
  some.world.listed = 3;
  await rebalanceAll(some);
  const phases = new Set<string | null | undefined>();
  for (let minute = 0; minute < 12; minute++) {
    pass(some, minutes(1));
    for (const tenant of tenants) addTurn(some, tenant, "user-1");
    await deliver(some);
    await settleHomes(some);
    const home = await some.homeFor(second).state();
    phases.add(home?.phase);
    // Who asks at any time finds every record that was delivered.
    const verified = await verifyUser(
      {
        db: await some.databaseOf(second),
        keys,
        owner: { tenant: second, user: "user-1" },
        stateOf: (after) => some.userOf({ tenant: second, user: "user-1" }).chain.state(after),
      },
      undefined,
    );
    expect(verified.verdict).toEqual({ ok: true });
  }
  expect([...phases]).toEqual(expect.arrayContaining(["announced", "copying", "checking", "switched", "left", null]));
  expect(await checkAll(some)).toBe(300 + 12 * 6);
  expect(rowsIn(some).every((rows) => rows > 100)).toBe(true);
  expect(await some.homeFor(second).state()).toEqual({ shard: "AUDIT_DB_2", pin: null, other: null, phase: null });
  some.stop();
});

test("an operator pins a tenant to a shard, and takes it back before it has moved", async () => {
  const some = queuedWorld(begin, 3);
  some.world.listed = 3;
  const [first = ""] = tenants;
  pass(some, 0);
  addTurn(some, first);
  await deliver(some);
  await some.homeFor(first).pin(first, "AUDIT_DB_3");
  expect(await some.homeFor(first).place(first)).toMatchObject({ write: ["AUDIT_DB", "AUDIT_DB_3"], isMoving: true });
  pass(some, minutes(3));
  await settleHomes(some);
  addTurn(some, first);
  await deliver(some);
  expect(rowsIn(some)).toEqual([4, 0, 2]);
  await some.homeFor(first).pin(first, null);
  await settleDown(some);
  expect(rowsIn(some)).toEqual([4, 0, 0]);
  await some.homeFor(first).pin(first, "AUDIT_DB_3");
  await settleDown(some);
  expect(rowsIn(some)).toEqual([0, 0, 4]);
  await checkAll(some);
  some.stop();
});

test("nothing is removed of a tenant that is moved, and a row that differs holds the move", async () => {
  const some = queuedWorld(begin, 3);
  some.world.listed = 3;
  const [first = ""] = tenants;
  pass(some, 0);
  addTurn(some, first);
  await deliver(some);
  await some.homeFor(first).pin(first, "AUDIT_DB_2");
  pass(some, minutes(3));
  await settleHomes(some);
  await settleHomes(some);
  some.world.sqlites[1]?.exec("UPDATE turns SET record = json_set(record, '$.model', 'another')");
  for (let round = 0; round < 30; round++) {
    pass(some, minutes(3));
    await settleHomes(some);
  }
  expect(vi.mocked(console.error).mock.calls.flat().join()).toContain("tenant_not_moved");
  expect(await some.homeFor(first).place(first)).toMatchObject({ read: "AUDIT_DB" });
  expect(rowsIn(some)[0]).toBe(2);
  some.stop();
});

test("a_move_loses_nothing_and_doubles_nothing", async () => {
  const tenant = fc.nat(2);
  const action = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("turn" as const), tenant }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("deliver" as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const) }) },
    fc.record({ kind: fc.constant("dies" as const), after: fc.constantFrom("index" as const, "archive" as const) }),
    fc.record({ kind: fc.constant("shard" as const) }),
    fc.record({ kind: fc.constant("pin" as const), tenant, shard: fc.constantFrom(null, ...all) }),
    fc.record({ kind: fc.constant("direct" as const), direct: fc.boolean() }),
    fc.record({ kind: fc.constant("fails" as const), shard: fc.constantFrom(undefined, ...all) }),
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 4 }) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const some = queuedWorld(begin, 3);
      const { world } = some;
      for (const one of actions) {
        pass(some, 1_000);
        switch (one.kind) {
          case "turn":
            addTurn(some, tenants[one.tenant] ?? "");
            break;
          case "deliver":
            await deliver(some).catch(() => {});
            break;
          case "move":
            await settleHomes(some);
            break;
          case "dies":
            for (const user of some.users()) await user.ring();
            await some.consume({ dies: one.after });
            break;
          case "shard":
            world.listed = Math.min(3, world.listed + 1);
            await rebalanceAll(some).catch(() => {});
            break;
          case "pin":
            await some
              .homeFor(tenants[one.tenant] ?? "")
              .pin(tenants[one.tenant] ?? "", one.shard)
              .catch(() => {});
            break;
          case "direct":
            world.direct = one.direct;
            break;
          case "fails":
            world.failing = one.shard;
            world.indexFails = one.shard && "D1_ERROR: D1 DB is overloaded";
            break;
          case "wait":
            pass(some, minutes(one.minutes));
            break;
        }
      }
      await settleDown(some);
      await checkAll(some);
      some.stop();
    }),
    { numRuns: 15 },
  );
});
