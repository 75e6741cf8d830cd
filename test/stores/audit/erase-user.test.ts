/** A person is erased under faults: nothing of them comes back, what is left of their records verifies, and others lose nothing. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Owner } from "../../../src/session/principal.ts";
import { compactArchive } from "../../../src/stores/archive/compact.ts";
import { readParquet } from "../../../src/stores/archive/parquet-records.ts";
import { verifyArchive } from "../../../src/stores/archive/verify-archive.ts";
import { genesis } from "../../../src/stores/audit/audit-chain.ts";
import { rebalance } from "../../../src/stores/audit/shards/rebalance.ts";
import { erasedState, verifyUser } from "../../../src/stores/audit/verify-user.ts";
import { readerOf } from "../archive/bucket-reader.ts";
import { type Phase, type QueuedWorld, queuedWorld } from "./queued-world.ts";
import { decisionRecord, keys, turnRecord } from "./records.ts";

const begin = Date.parse("2026-11-01T06:00:00Z");
const hours = (n: number) => n * 3600_000;
const ada = { tenant: "acme", user: "ada" };
const bob = { tenant: "acme", user: "bob" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const level of ["log", "info", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Ledgers and isolates go by the runtime's clock. */
function pass({ world }: QueuedWorld, ms: number): void {
  world.now += ms;
  vi.setSystemTime(world.now);
}

/** The text that each record of the person has, until the erasure. */
const SECRET = "knows-the-vault";

function addTurn({ world, userOf }: QueuedWorld, owner: Owner, secret = SECRET): void {
  const turn = turnRecord({ ...owner, at: world.now, session: secret });
  const args = { note: secret };
  userOf(owner).append(decisionRecord({ ...owner, at: world.now, turn: turn.id, arguments: args, session: secret }));
  userOf(owner).append(turn);
}

async function deliver(some: QueuedWorld): Promise<void> {
  for (const user of some.users()) await user.ring();
  while (some.world.queue.length > 0) await some.consume();
}

const compact = ({ bucket, world }: QueuedWorld) => compactArchive({ bucket, keys }, world.now);

/** Rings until the next piece is due later. */
async function eraseNow(some: QueuedWorld, owner = ada): Promise<void> {
  const user = some.userOf(owner);
  for (let ring = 0; ring < 300; ring++) {
    await user.ring();
    const state = await user.erasure.state();
    if (!state || state.nextAt === null || state.nextAt > some.world.now) return;
  }
  throw new Error("the erasure does not get on");
}

/** Until every erasure is over, and nothing waits. */
async function settleDown(some: QueuedWorld): Promise<void> {
  some.bucketFails(undefined);
  Object.assign(some.world, { indexFails: undefined, queueIsDown: false });
  for (let round = 0; round < 30; round++) {
    pass(some, hours(7));
    for (const { owner } of some.users()) await eraseNow(some, owner);
    await deliver(some);
    await some.consumeDead();
    await compact(some);
    for (const home of some.homes()) await home.settle(some.world.now);
    const chains = await Promise.all(some.users().map(({ chain }) => chain.state(0)));
    const erasures = await Promise.all(some.users().map(({ erasure }) => erasure.state()));
    const isOver = erasures.every((state) => state === undefined || state.completedAt !== null);
    const isMoving = some.world.listed > 1 && (await some.homeFor("acme").state())?.phase;
    if (isOver && !isMoving && chains.every(({ waiting }) => waiting === 0) && some.world.queue.length === 0) break;
    if (round === 29) throw new Error("an erasure is not over, or records still wait");
  }
  pass(some, hours(1));
  await compact(some);
}

/** All that is stored anywhere, as text. */
async function allStored({ world, files, users }: QueuedWorld): Promise<string> {
  const texts: string[] = [];
  for (const file of [...world.sqlites, world.tools]) {
    const tables = file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables) texts.push(JSON.stringify(file.prepare(`SELECT * FROM "${name}"`).all()));
  }
  for (const { sql } of users())
    for (const { name } of sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray())
      texts.push(JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray()));
  for (const [key, { bytes }] of files)
    texts.push(key.endsWith(".parquet") ? JSON.stringify(await readParquet(bytes)) : new TextDecoder().decode(bytes));
  return texts.join("\n");
}

async function verdictOf(some: QueuedWorld, owner: Owner, state: (after: number) => ReturnType<typeof erasedState>) {
  const db = await some.databaseOf(owner.tenant);
  const { verdict, checkpointProblem, to } = await verifyUser({ db, keys, owner, stateOf: state }, undefined);
  return { verdict, checkpointProblem, to };
}

const chainOf = async (some: QueuedWorld, owner: Owner) =>
  verdictOf(some, owner, (after) => some.userOf(owner).chain.state(after));
const leftOf = async (some: QueuedWorld, erasure: string) =>
  verdictOf(some, { tenant: "acme", user: erasure }, async () =>
    erasedState(await some.databaseOf("acme"), keys, { tenant: "acme", user: erasure }),
  );
const intact = (to: number) => ({ verdict: { ok: true }, checkpointProblem: undefined, to });

describe.each(["queued", "direct"] as const)("with a %s trail", (kind) => {
  test("what is left of the records verifies, what comes later begins a new chain, and others keep theirs", async () => {
    const some = queuedWorld(begin);
    some.world.direct = kind === "direct";
    pass(some, 0);
    for (let turn = 0; turn < 3; turn++)
      for (const owner of [ada, bob]) addTurn(some, owner, owner === bob ? "bob's" : SECRET);
    await deliver(some);
    pass(some, hours(1));
    if (kind === "queued") await compact(some);
    // One is on its way, and one still waits.
    addTurn(some, ada);
    await some.userOf(ada).ring();
    addTurn(some, ada);
    const ordered = await some.userOf(ada).erasure.order(ada, "boss");
    expect(ordered).toMatchObject({ by: "boss", completedAt: null, steps: { object: "pending" } });
    expect((await some.userOf(ada).erasure.order(ada, "boss")).id).toBe(ordered.id);
    await eraseNow(some);
    expect((await some.userOf(ada).erasure.state())?.steps).toEqual({
      object: "done",
      index: "done",
      tools: "done",
      archive: "done",
      check: "pending",
    });
    addTurn(some, ada, "new");
    await settleDown(some);
    expect((await some.userOf(ada).erasure.state())?.completedAt).not.toBeNull();
    expect(await chainOf(some, ada)).toEqual(intact(2));
    expect(await chainOf(some, bob)).toEqual(intact(6));
    // Five turns, and the record of the erasure.
    expect(await leftOf(some, ordered.id)).toEqual(intact(11));
    const stored = await allStored(some);
    expect(stored).not.toContain(SECRET);
    expect(stored).toContain("bob's");
    if (kind === "queued")
      expect(await verifyArchive(readerOf(some), keys)).toMatchObject({
        problems: [],
        records: 19,
        users: 3,
        incoming: 0,
      });
    pass(some, hours(31 * 24));
    await some.userOf(ada).ring();
    expect(await some.userOf(ada).erasure.state()).toBeUndefined();
    // Nothing tells any more who that was.
    const old = (await allStored(some))
      .split("\n")
      .filter((text) => text.includes(ordered.id) && text.includes('"tag"'));
    expect(old).toEqual([]);
    some.stop();
  });
});

test("a message that comes late, or was given up, brings nothing back", async () => {
  const some = queuedWorld(begin);
  pass(some, 0);
  addTurn(some, ada);
  await some.userOf(ada).ring();
  const late = structuredClone(some.world.queue);
  await some.consume();
  await some.userOf(ada).erasure.order(ada, "boss");
  await settleDown(some);
  pass(some, hours(24 * 13));
  some.world.queue.push(...late.map((sent) => ({ ...sent, id: "late" })));
  some.world.dead.push(...late.map((sent) => ({ ...sent, id: "dead" })));
  await some.consume();
  await some.consumeDead();
  expect(some.world.queue.length + some.world.dead.length).toBe(0);
  expect(await allStored(some)).not.toContain(SECRET);
  pass(some, hours(24 * 18));
  await some.userOf(ada).ring();
  // Their name is nowhere.
  expect(await allStored(some)).not.toMatch(/"ada\\?"/);
  some.stop();
});

test("a manifest whose files were removed names the person no more", async () => {
  const some = queuedWorld(begin);
  pass(some, 0);
  for (const owner of [ada, bob]) addTurn(some, owner);
  await deliver(some);
  pass(some, hours(1));
  await compact(some);
  for (const key of [...some.files.keys()].filter((one) => one.startsWith("records/"))) some.files.delete(key);
  const { id } = await some.userOf(ada).erasure.order(ada, "boss");
  await settleDown(some);
  const first = new TextDecoder().decode(some.files.get("manifests/0000000001.json")?.bytes);
  expect(
    JSON.parse(first)
      .heads.map(([, user]: string[]) => user)
      .sort(),
  ).toEqual(["bob", id].sort());
  expect((await verifyArchive(readerOf(some), keys, "2026-11-02")).problems).toEqual([]);
  some.stop();
});

test("a store that answers after minutes does not set back an erasure that went on without it", async () => {
  const some = queuedWorld(begin);
  pass(some, 0);
  addTurn(some, ada);
  await deliver(some);
  const user = some.userOf(ada);
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: some.world.now });
  await user.erasure.order(ada, "boss");
  const answer = Promise.withResolvers<void>();
  some.world.held = answer.promise;
  const first = user.ring();
  await vi.advanceTimersByTimeAsync(60_000);
  some.world.held = undefined;
  // The next one begins without it.
  const second = user.ring();
  await vi.advanceTimersByTimeAsync(59_000);
  const before = await user.erasure.state();
  await vi.advanceTimersByTimeAsync(2_000);
  await second;
  some.world.now += 121_000;
  await eraseNow(some);
  const after = await user.erasure.state();
  expect([before?.steps.index, after?.steps.archive]).toEqual(["pending", "done"]);
  answer.resolve();
  await first;
  expect(await user.erasure.state()).toEqual(after);
  vi.useFakeTimers({ toFake: ["Date"], now: some.world.now });
  await settleDown(some);
  expect(await allStored(some)).not.toContain(SECRET);
});

test("what is left cannot be made up, nor dropped, and does not hide what was altered before", async () => {
  const some = queuedWorld(begin);
  some.world.direct = true;
  pass(some, 0);
  for (let turn = 0; turn < 3; turn++) addTurn(some, ada);
  await deliver(some);
  const { sqlite } = some.world;
  sqlite.exec("UPDATE turns SET record = replace(record, 'completed', 'aborted') WHERE seq = 4");
  const { id } = await some.userOf(ada).erasure.order(ada, "boss");
  await settleDown(some);
  const left = sqlite.prepare("SELECT seq, previous, record FROM erased_records ORDER BY seq").all();
  expect(left.map(({ record }) => JSON.parse(String(record)).seal !== "")).toEqual([
    true,
    true,
    true,
    false,
    true,
    true,
  ]);
  // A digest of the name without a key could be tried.
  expect(left[0]?.previous).not.toBe(genesis(ada.tenant, ada.user));
  const verdict = async () => (await leftOf(some, id)).verdict;
  expect(await verdict()).toEqual({ ok: false, at: 4, problem: "altered" });
  sqlite.exec("UPDATE erased_records SET record = json_set(record, '$.seal', 'made-up') WHERE seq = 4");
  expect(await verdict()).toMatchObject({ at: 4, problem: "altered" });
  sqlite.exec("DELETE FROM erased_records WHERE seq = 3");
  expect(await verdict()).toMatchObject({ at: 3, problem: "missing" });
  sqlite.exec("DELETE FROM erased_records; DELETE FROM changes");
  expect(await verdict()).toMatchObject({ at: 1, problem: "truncated" });
  some.stop();
});

test("an_erased_person_does_not_come_back", async () => {
  const phase = fc.constantFrom<Phase>("index", "archive", "settle", "ack");
  const who = fc.boolean();
  const count = fc.integer({ min: 1, max: 4 });
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("turn" as const), who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("ring" as const), who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("consume" as const), count }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("dies" as const), after: phase, count }) },
    { weight: 3, arbitrary: fc.constant({ kind: "archive" as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: "compact" as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: "erase" as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("pieces" as const), count: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("twice" as const), which: fc.nat(20) }) },
    fc.record({ kind: fc.constant("lost" as const), which: fc.nat(20) }),
    fc.constant({ kind: "late" as const }),
    fc.constant({ kind: "again" as const }),
    fc.record({ kind: fc.constant("evict" as const), who }),
    fc.record({ kind: fc.constant("index" as const), fails: fc.boolean() }),
    fc.record({
      kind: fc.constant("bucket" as const),
      fails: fc.constantFrom(undefined, /./, /put manifests/, /put records/, /delete/, /get incoming/),
    }),
    fc.record({ kind: fc.constant("queue" as const), fails: fc.boolean() }),
    fc.constant({ kind: "dead" as const }),
    fc.constant({ kind: "shards" as const }),
    fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(1, 3, 20, 130) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 50 }), async (actions) => {
      const some = queuedWorld(begin, 3);
      const { world } = some;
      pass(some, 0);
      const erasures = new Set<string>();
      const kept: typeof world.queue = [];
      let sealed = 0;
      for (const one of actions) {
        pass(some, 1_000);
        const { queue } = world;
        switch (one.kind) {
          case "turn":
            addTurn(some, one.who ? ada : bob, one.who ? `${SECRET}-${erasures.size}.` : "bob's");
            sealed += 2;
            break;
          case "ring":
            await some.userOf(one.who ? ada : bob).ring();
            break;
          case "consume":
            await some.consume({ count: one.count });
            break;
          case "dies":
            await some.consume({ count: one.count, dies: one.after });
            break;
          case "archive":
            for (const { ring } of some.users()) await ring();
            kept.push(...structuredClone(queue));
            await some.consume();
            pass(some, hours(1 / 4));
            await compact(some).catch(() => {});
            break;
          case "compact":
            await compact(some).catch(() => {});
            break;
          case "erase": {
            const { id } = await some.userOf(ada).erasure.order(ada, "boss");
            erasures.add(id);
            break;
          }
          case "pieces":
            for (let piece = 0; piece < one.count; piece++) await some.userOf(ada).ring();
            break;
          case "twice": {
            const sent = queue[one.which % Math.max(1, queue.length)];
            if (sent) queue.push({ ...structuredClone(sent), id: `${sent.id}-again` });
            break;
          }
          case "lost":
            queue.splice(one.which, 1);
            break;
          case "late":
            queue.reverse();
            break;
          case "again":
            queue.push(
              ...structuredClone(kept).map((sent, index) => ({ ...sent, id: `${sent.id}-${index}-${world.now}` })),
            );
            break;
          case "evict":
            some.userOf(one.who ? ada : bob).evict();
            break;
          case "index":
            world.indexFails = one.fails ? "D1_ERROR: Network connection lost" : undefined;
            break;
          case "bucket":
            some.bucketFails(one.fails);
            break;
          case "queue":
            world.queueIsDown = one.fails;
            break;
          case "dead":
            await some.consumeDead();
            break;
          case "shards":
            world.listed = 3;
            await rebalance({ all: some.databases(), ledgerOf: () => ({ trail: some.homeFor("acme") }) }).catch(
              () => {},
            );
            break;
          case "wait":
            for (let minute = 0; minute < one.minutes; minute += 3) {
              pass(some, hours(1 / 20));
              await some.homeFor("acme").settle(world.now);
            }
            break;
        }
      }
      await settleDown(some);
      const stored = await allStored(some);
      for (let before = 0; before < erasures.size; before++) expect(stored).not.toContain(`${SECRET}-${before}.`);
      let found = 0;
      for (const owner of [ada, bob]) {
        const verdict = await chainOf(some, owner);
        expect([owner.user, verdict]).toEqual([owner.user, intact(verdict.to)]);
        found += verdict.to;
      }
      for (const erasure of erasures) {
        const verdict = await leftOf(some, erasure);
        expect([erasure, verdict]).toEqual([erasure, intact(verdict.to)]);
        found += verdict.to - 1;
      }
      expect(found).toBe(sealed);
      const archive = await verifyArchive(readerOf(some), keys);
      expect(archive).toMatchObject({ problems: [], records: sealed + erasures.size, incoming: 0 });
      some.stop();
    }),
    { numRuns: 10 },
  );
});
