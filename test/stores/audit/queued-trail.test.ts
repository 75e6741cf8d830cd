/** The queued trail under faults: nothing is lost, nothing is there twice, and every chain verifies, in the index and in the archive. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { compactArchive } from "../../../src/stores/archive/compact.ts";
import { verifyArchive } from "../../../src/stores/archive/verify-archive.ts";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import { verifyUser } from "../../../src/stores/audit/verify-user.ts";
import { readerOf } from "../archive/bucket-reader.ts";
import { type Phase, type QueuedWorld, queuedWorld } from "./queued-world.ts";
import { decisionRecord, keys, turnRecord } from "./records.ts";

const begin = 1_790_000_000_000;
const hours = (n: number) => n * 3600_000;
const owners = ["ada", "bob", "eve"].map((user, index) => ({ tenant: index === 2 ? "other" : "acme", user }));

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

function addTurn({ world, userOf }: QueuedWorld, user = 0): void {
  const owner = owners[user] ?? { tenant: "acme", user: "ada" };
  const turn = turnRecord({ ...owner, at: world.now });
  userOf(owner).append(decisionRecord({ ...owner, at: world.now, turn: turn.id }));
  userOf(owner).append(turn);
}

/** Until nothing waits: every fault is over. */
async function settleDown(some: QueuedWorld): Promise<void> {
  const { world } = some;
  some.bucketFails(undefined);
  Object.assign(world, { indexFails: undefined, queueIsDown: false });
  for (let round = 0; round < 20; round++) {
    // Beyond the back-off of objects, and the time after which a message counts as lost.
    world.now += hours(7);
    for (const user of some.users()) await user.ring();
    while (world.queue.length > 0) await some.consume();
    await some.consumeDead();
    const states = await Promise.all(some.users().map(({ chain }) => chain.state(0)));
    if (states.every(({ waiting }) => waiting === 0) && world.queue.length === 0) return;
  }
  throw new Error("records still wait");
}

const rowsIn = ({ world }: QueuedWorld): number =>
  auditTables
    .map((table) => Number(world.sqlite.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n))
    .reduce((sum, n) => sum + n);

/** @returns how many records there are, each once, in the index and in the archive. */
async function checkAll(some: QueuedWorld): Promise<number> {
  let sealed = 0;
  for (const { owner, chain } of some.users()) {
    const verified = await verifyUser({ db: some.db, keys, owner, stateOf: (after) => chain.state(after) }, undefined);
    expect([owner.user, verified.verdict, verified.checkpointProblem]).toEqual([owner.user, { ok: true }, undefined]);
    expect(verified.to).toBe(verified.state.head?.seq ?? 0);
    sealed += verified.to;
  }
  expect(rowsIn(some)).toBe(sealed);
  some.world.now += hours(1);
  await compactArchive({ bucket: some.bucket, keys }, some.world.now);
  const archive = await verifyArchive(readerOf(some), keys);
  expect(archive).toMatchObject({ problems: [], records: sealed, incoming: 0 });
  return sealed;
}

test("records of several users go through the queue at once, and each object hears of its own", async () => {
  const some = queuedWorld(begin);
  for (const user of [0, 1, 2, 0]) addTurn(some, user);
  for (const user of some.users()) await user.ring();
  expect(some.world.queue.length).toBe(3);
  const before = await some.userOf(owners[0] ?? { tenant: "", user: "" }).chain.state(0);
  expect([before.waiting, before.delivered?.seq]).toEqual([4, 0]);
  // What is on its way is not sent again.
  for (const user of some.users()) await user.ring();
  expect(some.world.queue.length).toBe(3);
  await some.consume();
  expect(await checkAll(some)).toBe(8);
  some.stop();
});

describe("a message", () => {
  test("that comes twice, late and out of order is stored once", async () => {
    const some = queuedWorld(begin);
    for (let turn = 0; turn < 4; turn++) {
      addTurn(some);
      await some.users()[0]?.ring();
    }
    const { queue } = some.world;
    queue.push(...structuredClone(queue).map((sent) => ({ ...sent, id: `${sent.id}-again` })));
    queue.reverse();
    while (queue.length > 0) {
      await some.consume({ count: 1 });
      some.world.now += hours(1);
    }
    expect(await checkAll(some)).toBe(8);
    some.stop();
  });

  test("that is lost is sent again by the object, in its time", async () => {
    const some = queuedWorld(begin);
    addTurn(some);
    const [user] = some.users();
    await user?.ring();
    some.world.queue.length = 0;
    some.world.now += hours(5);
    user?.evict();
    await user?.ring();
    expect(some.world.queue.length).toBe(0);
    some.world.now += hours(2);
    await user?.ring();
    expect(some.world.queue.length).toBe(1);
    await some.consume();
    expect(await checkAll(some)).toBe(2);
    some.stop();
  });

  test("that nobody can read, or that is given up, is kept, and the object sends its records again", async () => {
    const some = queuedWorld(begin);
    addTurn(some);
    await some.users()[0]?.ring();
    some.world.queue.push({ id: "odd", body: { version: 9 } as never, attempts: 0 });
    some.world.indexFails = "D1_ERROR: Exceeded maximum DB size";
    for (let time = 0; time < 10; time++) await some.consume();
    expect([some.world.queue.length, some.world.dead.length]).toEqual([0, 2]);
    // Full, each time that it was tried.
    expect(some.world.reports).toEqual(Array.from({ length: 10 }, () => true));
    await some.consumeDead();
    expect([...some.files.keys()].filter((key) => key.startsWith("dead-letters/"))).toEqual([
      "dead-letters/message-1.json",
      "dead-letters/odd.json",
    ]);
    await settleDown(some);
    expect(await checkAll(some)).toBe(2);
    some.stop();
  });

  test("is not lost where the bucket cannot keep it either", async () => {
    const some = queuedWorld(begin);
    addTurn(some);
    await some.users()[0]?.ring();
    some.world.indexFails = "D1_ERROR: D1 DB is overloaded";
    some.bucketFails(/./);
    for (let time = 0; time < 10; time++) await some.consume();
    await some.consumeDead();
    expect(some.world.dead.length).toBe(1);
    await settleDown(some);
    expect(await checkAll(some)).toBe(2);
    some.stop();
  });
});

test("a record that is too large for the queue goes by way of the bucket", async () => {
  const some = queuedWorld(begin);
  const [owner = { tenant: "acme", user: "ada" }] = owners;
  const { append, ring } = some.userOf(owner);
  addTurn(some);
  append(decisionRecord({ ...owner, at: begin, arguments: { text: "x".repeat(300_000) } }));
  addTurn(some);
  await ring();
  expect(some.world.queue.map(({ body }) => body.records?.length ?? body.key?.slice(0, 6))).toEqual([2, "large/", 2]);
  await some.consume();
  expect([...some.files.keys()].some((key) => key.startsWith("large/"))).toBe(false);
  expect(await checkAll(some)).toBe(5);
  some.stop();
});

test("a record that the index refuses is put aside by its object; the others are stored, and the archive has all", async () => {
  const some = queuedWorld(begin);
  addTurn(some);
  addTurn(some, 1);
  const refused = decisionRecord({ at: begin });
  some.world.sqlite.exec(`CREATE TRIGGER refuse BEFORE INSERT ON decisions WHEN NEW.id = '${refused.id}'
    BEGIN SELECT RAISE(ABORT, 'SQLITE_CONSTRAINT: refused'); END`);
  some.users()[0]?.append(refused);
  for (const user of some.users()) await user.ring();
  await some.consume();
  const state = await some.users()[0]?.chain.state(0);
  expect(state?.refused.map(({ sealed }) => sealed.record.id)).toEqual([refused.id]);
  expect(rowsIn(some)).toBe(4);
  some.world.now += hours(1);
  await compactArchive({ bucket: some.bucket, keys }, some.world.now);
  expect(await verifyArchive(readerOf(some), keys)).toMatchObject({ problems: [], records: 5 });
  some.stop();
});

test("an object that has lost its storage takes no word about its old chain for its new one", async () => {
  const some = queuedWorld(begin);
  addTurn(some);
  const [user] = some.users();
  const old = (await user?.chain.state(0))?.head;
  await user?.chain.settle({ stored: [{ seq: 2, hash: "another" }], refused: [], lost: [] });
  expect((await user?.chain.state(0))?.waiting).toBe(2);
  await user?.chain.settle({ stored: [old ?? { seq: 0, hash: "" }], refused: [], lost: [] });
  expect((await user?.chain.state(0))?.delivered?.seq).toBe(0);
  some.stop();
});

test("nothing_is_lost_and_nothing_is_there_twice", async () => {
  const phase = fc.constantFrom<Phase>("index", "archive", "settle", "ack");
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("turn" as const), user: fc.nat(2) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("ring" as const), user: fc.nat(2) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("consume" as const), count: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("dies" as const), after: phase, count: fc.integer({ min: 1, max: 4 }) }),
    },
    fc.record({ kind: fc.constant("untold" as const) }),
    fc.record({ kind: fc.constant("twice" as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant("lost" as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant("late" as const) }),
    fc.record({ kind: fc.constant("evict" as const), user: fc.nat(2) }),
    fc.record({
      kind: fc.constant("index" as const),
      fails: fc.constantFrom(undefined, "D1_ERROR: Exceeded maximum DB size", "D1_ERROR: Network connection lost"),
    }),
    fc.record({ kind: fc.constant("bucket" as const), fails: fc.boolean() }),
    fc.record({ kind: fc.constant("queue" as const), fails: fc.boolean() }),
    fc.record({ kind: fc.constant("dead" as const) }),
    fc.record({ kind: fc.constant("compact" as const) }),
    fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 12 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const some = queuedWorld(begin);
      const { world } = some;
      for (const one of actions) {
        world.now += 1_000;
        const { queue } = world;
        switch (one.kind) {
          case "turn":
            addTurn(some, one.user);
            break;
          case "ring":
            await some.users()[one.user]?.ring();
            break;
          case "consume":
            await some.consume({ count: one.count });
            break;
          case "dies":
            await some.consume({ count: one.count, dies: one.after });
            break;
          case "untold":
            await some.consume({ untold: true });
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
          case "evict":
            some.users()[one.user]?.evict();
            break;
          case "index":
            world.indexFails = one.fails;
            break;
          case "bucket":
            some.bucketFails(one.fails ? /./ : undefined);
            break;
          case "queue":
            world.queueIsDown = one.fails;
            break;
          case "dead":
            await some.consumeDead();
            break;
          case "compact":
            await compactArchive({ bucket: some.bucket, keys }, world.now).catch(() => {});
            break;
          case "wait":
            world.now += hours(one.hours);
            break;
        }
      }
      await settleDown(some);
      await checkAll(some);
      some.stop();
    }),
    { numRuns: 30 },
  );
});
