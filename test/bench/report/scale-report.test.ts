import { expect, test } from "vitest";
import { describeCustomers, describeTurns, dollars } from "./scale-report.ts";

const counts = {
  "object calls": 300,
  "object alarms": 100,
  "object rows written": 2_000,
  "object rows kept": 300,
  "d1 rows written": 1_600,
  "d1 rows removed": 200,
  "d1 bytes": 400_000,
};
const direct = { name: "direct, plain", turns: 100, counts };
const queued = {
  name: "queued, plain",
  turns: 100,
  counts: { ...counts, "queue messages": 50, "queue bytes": 50 * 70_000, "r2 bytes": 30_000 },
};

test("a million turns are paid by what one of them took, and the removal of its rows", () => {
  const bill = dollars(direct);
  expect(bill).toMatchObject({ requests: 0.3, "object rows": 20, "object rows, removed": 3, queue: 0 });
  expect(bill).toMatchObject({ "D1 rows": 16, "D1 rows, removed": 2 });
  expect(bill["object requests"]).toBeCloseTo(4 * 0.15);
  // 4 GB for a week of a month.
  expect(bill["D1, a month"]).toBeCloseTo(4 * 0.75 * (7 / 30));
});

test("a message of more than 64 KB is paid twice, in each of its three operations; a batch of a hundred is one file", () => {
  const bill = dollars(queued);
  expect(bill.queue).toBeCloseTo(0.5 * 2 * 3 * 0.4);
  expect(bill["archive writes"]).toBeCloseTo((0.5 / 100) * 4.5);
});

test("the tables tell a turn, and when a database is full", () => {
  expect(describeTurns([direct, queued])).toMatch(/d1 rows written +16\.00 +16\.00/);
  // 0.4 GB a day of 100,000 turns.
  expect(describeCustomers(queued)).toMatch(/5 thousand users +0\.40 +25\.0 +1 +5 +1 /);
});
