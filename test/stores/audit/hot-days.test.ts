/** HOT_DAYS: what the archive has leaves the index, and nothing else does; every chain verifies in both. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archivedHashes } from "../../../src/stores/archive/archived-hashes.ts";
import { compactArchive } from "../../../src/stores/archive/compact.ts";
import { verifyArchive } from "../../../src/stores/archive/verify-archive.ts";
import { removeArchived } from "../../../src/stores/audit/hot-days.ts";
import { auditTables } from "../../../src/stores/audit/record-kinds.ts";
import { trailShards } from "../../../src/stores/audit/shards/shards.ts";
import { verifyUser } from "../../../src/stores/audit/verify-user.ts";
import { readerOf } from "../archive/bucket-reader.ts";
import { type QueuedWorld, queuedWorld } from "./queued-world.ts";
import { decisionRecord, keys, turnRecord } from "./records.ts";

const begin = Date.parse("2026-10-01T06:00:00Z");
const DAY_MS = 24 * 3600_000;

beforeEach(() => {
  for (const level of ["log", "info", "warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

function addTurn({ world, userOf }: QueuedWorld, user: string, tenant = "acme"): void {
  const owner = { tenant, user };
  const turn = turnRecord({ ...owner, at: world.now });
  userOf(owner).append(decisionRecord({ ...owner, at: world.now, turn: turn.id }));
  userOf(owner).append(turn);
}

async function deliver(some: QueuedWorld): Promise<void> {
  for (const user of some.users()) await user.ring();
  while (some.world.queue.length > 0) await some.consume();
}

const compact = ({ bucket, world }: QueuedWorld) => compactArchive({ bucket, keys }, world.now);

const remove = (some: QueuedWorld, days = 3) =>
  removeArchived(
    {
      shards: trailShards({ AUDIT_DB: some.db }),
      archived: archivedHashes(some.bucket, keys),
      keys,
      groups: 2,
      days,
    },
    some.world.now,
    () => 0,
  );

const rowsIn = ({ world }: QueuedWorld): number =>
  auditTables.reduce(
    (sum, table) => sum + Number(world.sqlite.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n),
    0,
  );

async function verdicts(some: QueuedWorld) {
  const all = some.users().map(async ({ owner, chain }) => {
    const stateOf = (after: number) => chain.state(after);
    const { verdict, checkpointProblem, from, to } = await verifyUser({ db: some.db, keys, owner, stateOf }, undefined);
    return { ok: verdict.ok && checkpointProblem === undefined, from, to };
  });
  return Promise.all(all);
}

/** A turn a day of two users; the last day is now. */
async function week(some: QueuedWorld): Promise<void> {
  for (let day = 0; day < 7; day++) {
    addTurn(some, "ada");
    addTurn(some, "bob", "other");
    await deliver(some);
    some.world.now += DAY_MS;
  }
}

test("what is old and in the archive leaves the index, and each chain begins later there", async () => {
  const some = queuedWorld(begin);
  await week(some);
  expect(await remove(some)).toBe(0);
  await compact(some);
  // Days 0 to 3 of seven, two users, two records a turn.
  expect(await remove(some)).toBe(16);
  expect(await remove(some)).toBe(0);
  expect(rowsIn(some)).toBe(12);
  expect(await verdicts(some)).toEqual([
    { ok: true, from: 9, to: 14 },
    { ok: true, from: 9, to: 14 },
  ]);
  expect(await verifyArchive(readerOf(some), keys)).toMatchObject({ problems: [], records: 28 });
  // A day later, and the objects' own retention when it comes to look.
  some.world.now += DAY_MS;
  expect(await remove(some)).toBe(4);
  some.world.now += 100 * DAY_MS;
  await deliver(some);
  expect((await verdicts(some)).map(({ ok }) => ok)).toEqual([true, true]);
  some.stop();
});

test("the first record that the archive does not have, or has otherwise, keeps those after it", async () => {
  const some = queuedWorld(begin);
  await week(some);
  await compact(some);
  const file = [...some.files.keys()].find((key) => key.startsWith("records/day=2026-10-02"));
  const kept = some.files.get(file ?? "");
  some.files.delete(file ?? "");
  expect(await remove(some)).toBe(16 - 6);
  // Who holds the bucket alone cannot have a record removed: a file that no manifest names so counts for nothing.
  some.files.set(file ?? "", { uploaded: new Date(begin), bytes: (kept?.bytes ?? new Uint8Array()).slice(1) });
  expect(await remove(some)).toBe(0);
  if (kept) some.files.set(file ?? "", kept);
  expect(await remove(some)).toBe(6);
  expect((await verdicts(some)).map(({ ok }) => ok)).toEqual([true, true]);
  some.stop();
});

test("a record that comes again after it was removed is removed again, and an altered or missing one stays to be seen", async () => {
  const some = queuedWorld(begin);
  addTurn(some, "ada");
  await some.users()[0]?.ring();
  const late = structuredClone(some.world.queue);
  await week(some);
  await compact(some);
  await remove(some);
  some.world.queue.push(...late.map((sent) => ({ ...sent, id: "late" })));
  await some.consume();
  expect((await verdicts(some))[0]?.ok).toBe(false);
  await compact(some);
  expect(await remove(some)).toBe(2);
  expect((await verdicts(some))[0]?.ok).toBe(true);
  some.world.sqlite.exec("DELETE FROM decisions WHERE user = 'bob' AND seq = 9");
  some.world.now += DAY_MS;
  await remove(some);
  expect((await verdicts(some)).map(({ ok }) => ok)).toEqual([true, false]);
  some.stop();
});
