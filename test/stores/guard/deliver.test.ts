/** What a user's object does with what the trail answers, whichever trail it is. */
import { expect, test, vi } from "vitest";
import { deliverSome } from "../../../src/stores/guard/outbox/deliver.ts";
import { forgetMarks, storeMarks } from "../../../src/stores/guard/outbox/marks.ts";
import { deliveredUpTo, readRefused, waitingCount } from "../../../src/stores/guard/outbox/outbox.ts";
import { removeExpired, retentionDueAt } from "../../../src/stores/guard/outbox/retention.ts";
import { readMeta } from "../../../src/stores/guard/transaction.ts";
import { memoryTrail } from "../audit/memory-trail.ts";
import { keys, turnRecord } from "../audit/records.ts";
import { userStorage } from "./user-storage.ts";

const now = 1_790_000_100_000;

function outboxWith(count: number) {
  const { sql, append } = userStorage();
  const records = Array.from({ length: count }, (_, index) => turnRecord({ at: now - 1000 + index }));
  for (const record of records) append(record);
  const trail = memoryTrail();
  const delivered: string[] = [];
  const deliver = () =>
    deliverSome({ sql, trail, now: () => now, delivered: (some) => delivered.push(...some.map(({ id }) => id)) });
  return { sql, append, trail, records, delivered, deliver };
}

test("what the trail took is delivered, and there is something to remove later", async () => {
  const { sql, trail, records, delivered, deliver } = outboxWith(3);
  expect(await deliver()).toBe("empty");
  expect([...trail.records.keys()]).toEqual(records.map(({ id }) => id));
  expect(delivered).toEqual(records.map(({ id }) => id));
  expect([waitingCount(sql), deliveredUpTo(sql)?.seq, retentionDueAt(sql)]).toEqual([0, 3, now]);
});

test("an object that dies before it stores what is delivered delivers that again, and nothing twice", async () => {
  const { sql, trail, deliver } = outboxWith(3);
  await deliver();
  forgetMarks(sql);
  expect(waitingCount(sql)).toBe(3);
  await deliver();
  storeMarks(sql);
  forgetMarks(sql);
  expect([waitingCount(sql), trail.records.size]).toEqual([0, 3]);
});

test("what is delivered is stored with every eighth record", async () => {
  const { sql, append, deliver } = outboxWith(8);
  await deliver();
  append(turnRecord({ at: now }));
  await deliver();
  expect([waitingCount(sql), readMeta(sql, "delivered")?.seq]).toEqual([0, 8]);
});

test("a trail that is down takes nothing, and all of it waits", async () => {
  const { sql, trail, delivered, deliver } = outboxWith(3);
  trail.down = new Error("the trail is down");
  await expect(deliver()).rejects.toThrow("the trail is down");
  expect([waitingCount(sql), deliveredUpTo(sql)?.seq, delivered]).toEqual([3, 0, []]);
});

test("a record that the trail refuses holds up no other, and is put aside in the end", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { sql, trail, records, deliver } = outboxWith(3);
  const refused = records[1]?.id ?? "";
  trail.refuses.set(refused, { reason: "a constraint", final: false });
  expect(await deliver()).toBe("more");
  expect([...trail.records.keys()]).toEqual(records.map(({ id }) => id).filter((id) => id !== refused));
  expect(await deliver()).toBe("held");
  trail.refuses.set(refused, { reason: "too big", final: true });
  await deliver();
  expect([...readRefused(sql, 0)].map(({ reason }) => reason)).toEqual(["too big"]);
  vi.restoreAllMocks();
});

test("the object removes the beginning of its chain from the trail, under a checkpoint that it signs", async () => {
  const { sql, trail, deliver } = outboxWith(3);
  await deliver();
  const owner = { tenant: "acme", user: "ada" };
  const dayLater = now + 24 * 3600_000;
  await removeExpired({ sql, trail, keys, days: async () => 1 }, owner, dayLater - 999 + 1);
  expect([...trail.records.values()].map(({ seq }) => seq)).toEqual([3]);
  expect(await trail.readCheckpoint(owner)).toMatchObject({ seq: 2 });
});
