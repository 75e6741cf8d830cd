/** What a turn takes of the platform, and what that comes to for many: limits that are met, and dollars. Pure. */
import { plainTable, show } from "./table.ts";

export interface TurnFigures {
  /** `direct, plain` */
  readonly name: string;
  readonly turns: number;
  /** Of all turns; names as the counted Worker tells them, with `d1 bytes`. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Cloudflare's list prices of the paid plan in dollars, without what it includes: developers.cloudflare.com, November 2026. */
const PRICES = {
  millionRequests: 0.3,
  millionObjectRequests: 0.15,
  millionObjectRows: 1,
  millionD1Rows: 1,
  millionQueueOperations: 0.4,
  millionR2Writes: 4.5,
  d1GbMonth: 0.75,
  r2GbMonth: 0.015,
} as const;

/** Its limits: bytes of one D1 database, messages a second of one queue. */
const LIMITS = { d1Bytes: 10e9, queueMessages: 5_000 } as const;
/** A message is written, read and deleted: three operations, for each 64 KB. */
const QUEUE_OPERATIONS = 3;
const QUEUE_UNIT = 64_000;
/** Of a consumer that has enough to do. */
const BATCH = 100;
const HOT_DAYS = 7;

const of = ({ counts, turns }: TurnFigures, name: string): number => (counts[name] ?? 0) / turns;

const measured = [
  "object calls",
  "object alarms",
  "object rows written",
  "object rows kept",
  "d1 statements",
  "d1 rows written",
  "d1 rows removed",
  "d1 bytes",
  "queue messages",
  "queue bytes",
  "r2 bytes",
] as const;

export const describeTurns = (figures: readonly TurnFigures[]): string =>
  plainTable([
    ["a turn", ...figures.map(({ name }) => name)],
    ...measured.map((name) => [name, ...figures.map((one) => show(of(one, name), name.endsWith("bytes") ? 0 : 2))]),
  ]);

/** Dollars of a million turns, by what they are paid for. What an object keeps it removes one day: a row each, without its indexes. */
export function dollars(one: TurnFigures): Readonly<Record<string, number>> {
  const messages = of(one, "queue messages");
  const units = messages === 0 ? 0 : messages * Math.max(1, Math.ceil(of(one, "queue bytes") / messages / QUEUE_UNIT));
  return {
    requests: (1 + messages / BATCH) * PRICES.millionRequests,
    "object requests": (of(one, "object calls") + of(one, "object alarms")) * PRICES.millionObjectRequests,
    "object rows": of(one, "object rows written") * PRICES.millionObjectRows,
    "object rows, removed": of(one, "object rows kept") * PRICES.millionObjectRows,
    "D1 rows": of(one, "d1 rows written") * PRICES.millionD1Rows,
    "D1 rows, removed": of(one, "d1 rows removed") * PRICES.millionD1Rows,
    queue: units * QUEUE_OPERATIONS * PRICES.millionQueueOperations,
    "archive writes": (messages / BATCH) * PRICES.millionR2Writes,
    "D1, a month": ((of(one, "d1 bytes") * 1e6) / 1e9) * PRICES.d1GbMonth * (HOT_DAYS / 30),
    "archive, three months": ((of(one, "r2 bytes") * 1e6) / 1e9) * PRICES.r2GbMonth * 3,
  };
}

export function describeDollars(figures: readonly TurnFigures[]): string {
  const bills = figures.map(dollars);
  const names = Object.keys(bills[0] ?? {});
  const sum = (bill: Readonly<Record<string, number>>) => Object.values(bill).reduce((all, one) => all + one, 0);
  return plainTable([
    ["$ a million turns", ...figures.map(({ name }) => name)],
    ...names.map((name) => [name, ...bills.map((bill) => show(bill[name], 2))]),
    ["sum", ...bills.map((bill) => show(sum(bill), 2))],
  ]);
}

interface Customer {
  readonly name: string;
  readonly turnsADay: number;
  readonly peakASecond: number;
}

const customers: readonly Customer[] = [
  { name: "5 thousand users", turnsADay: 100_000, peakASecond: 10 },
  { name: "5 million users", turnsADay: 10_000_000, peakASecond: 500 },
  { name: "10 thousand tenants of 1,000", turnsADay: 86_000_000, peakASecond: 10_000 },
];

/** @param one the figures of the kind of turn that all are. */
export function describeCustomers(one: TurnFigures): string {
  const rows = customers.map(({ name, turnsADay, peakASecond }) => {
    const d1 = of(one, "d1 bytes") * turnsADay;
    const messages = of(one, "queue messages") * peakASecond;
    return [
      name,
      show(d1 / 1e9, 2),
      show(LIMITS.d1Bytes / d1, 1),
      String(Math.ceil((d1 * HOT_DAYS) / LIMITS.d1Bytes)),
      show(messages, 0),
      String(Math.ceil(messages / LIMITS.queueMessages)),
      show((of(one, "r2 bytes") * turnsADay) / 1e9, 2),
    ];
  });
  return plainTable([
    [
      `turns: ${one.name}`,
      "D1 GB/day",
      "10 GB last days",
      `databases for ${HOT_DAYS} days`,
      "messages/s at peak",
      "queues",
      "archive GB/day",
    ],
    ...rows,
  ]);
}
