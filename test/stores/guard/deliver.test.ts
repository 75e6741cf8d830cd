/** What a user's object does with what the trail answers, whichever trail it is. */
import { describe, expect, test, vi } from "vitest";
import { forgetOrdered, orderErasure } from "../../../src/stores/guard/erasure/forget.ts";
import { deliverSome } from "../../../src/stores/guard/outbox/deliver.ts";
import { forgetMarks, storeMarks, storeNextDelivered } from "../../../src/stores/guard/outbox/marks.ts";
import { deliveredUpTo, readRefused, waitingCount } from "../../../src/stores/guard/outbox/outbox.ts";
import { readHead } from "../../../src/stores/guard/outbox/record-chain.ts";
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

test("an object that finds what it delivered waiting again stores the next mark at once", async () => {
  const { sql, deliver } = outboxWith(3);
  await deliver();
  forgetMarks(sql);
  storeNextDelivered(sql);
  await deliver();
  forgetMarks(sql);
  expect([waitingCount(sql), readMeta(sql, "delivered")?.seq]).toEqual([0, 3]);
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

describe("a chain whose user is erased while the trail is asked", () => {
  /** A trail whose next answers wait. */
  function slowly({ trail }: ReturnType<typeof outboxWith>) {
    const answer = Promise.withResolvers<void>();
    const late =
      <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        const value = await call(...args);
        await answer.promise;
        return value;
      };
    const slow = { ...trail, deliver: late(trail.deliver), moveCheckpoint: late(trail.moveCheckpoint) };
    return { slow, answer: answer.resolve };
  }
  /** As an object's alarm does it, which has waited for two minutes. */
  function erase(sql: SqlStorage): void {
    const transaction = { sql, keys, now: now + 120_000 };
    orderErasure(transaction, "boss");
    forgetOrdered(transaction);
  }

  test.each(["stored", "sent"] as const)("what was %s of it is no word about the next chain", async (taken) => {
    const outbox = outboxWith(3);
    const { sql, append } = outbox;
    const { slow, answer } = slowly(outbox);
    const trail = {
      deliver: async (...some: Parameters<typeof slow.deliver>) => ({ ...(await slow.deliver(...some)), value: taken }),
    };
    const late = deliverSome({ sql, trail, now: () => now, delivered: () => {} });
    erase(sql);
    const next = turnRecord({ at: now + 200_000 });
    append(next);
    answer();
    await late;
    // It goes on with what it finds then.
    expect([outbox.trail.records.has(next.id), readHead(sql)?.seq]).toEqual([true, 1]);
  });

  test("is not removed from the next one by its retention", async () => {
    const outbox = outboxWith(3);
    const { sql, append, deliver } = outbox;
    await deliver();
    const { slow, answer } = slowly(outbox);
    const owner = { tenant: "acme", user: "ada" };
    const late = removeExpired({ sql, trail: slow, keys, days: async () => 1 }, owner, now + 2 * 24 * 3600_000);
    await vi.waitFor(async () => expect((await slow.readCheckpoint(owner))?.seq).toBe(3));
    erase(sql);
    append(turnRecord({ at: now + 200_000 }));
    answer();
    await late;
    expect([readHead(sql)?.seq, waitingCount(sql), readMeta(sql, "retention")]).toEqual([1, 1, undefined]);
  });
});

test("of two deliveries the first is answered last: each record is there once, and none waits", async () => {
  const { sql, append, trail, records, delivered } = outboxWith(3);
  const answer = Promise.withResolvers<void>();
  const hung = {
    async deliver(some: Parameters<typeof trail.deliver>[0]) {
      const taken = await trail.deliver(some);
      await answer.promise;
      return taken;
    },
  };
  const outbox = {
    sql,
    now: () => now,
    delivered: (some: readonly { id: string }[]) => delivered.push(...some.map(({ id }) => id)),
  };
  const first = deliverSome({ ...outbox, trail: hung });
  expect(await deliverSome({ ...outbox, trail })).toBe("empty");
  const later = turnRecord({ at: now });
  append(later);
  await deliverSome({ ...outbox, trail });
  // The first goes on with what came meanwhile.
  const last = turnRecord({ at: now });
  append(last);
  answer.resolve();
  await first;
  expect([...trail.records.keys()]).toEqual([...records, later, last].map(({ id }) => id));
  expect([waitingCount(sql), deliveredUpTo(sql)?.seq]).toEqual([0, 5]);
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
