/** How the page stays connected, by a clock of its own. */
import { expect, test } from "vitest";
import { type ConnectionEnd, keepConnected } from "../../src/console/inbox/connection.ts";

interface Connection {
  readonly end: ConnectionEnd;
  readonly lastsMs: number;
}

/** @returns how long the page waited after each connection, and what it showed. */
async function follow(connections: readonly Connection[], random = 1) {
  const stop = new AbortController();
  const waits: number[] = [];
  const shown: string[] = [];
  let now = 0;
  let next = 0;
  await keepConnected({
    connect: async () => {
      const { end, lastsMs } = connections[next++] ?? { end: "failed", lastsMs: 0 };
      now += lastsMs;
      return end;
    },
    show: (link) => void shown.push(link),
    pace: {
      now: () => now,
      random: () => random,
      wait: async (ms) => {
        waits.push(ms);
        now += ms;
        if (next === connections.length) stop.abort();
      },
    },
    stop: stop.signal,
  });
  return { waits, shown };
}

const times = (count: number, connection: Connection) => Array.from({ length: count }, () => connection);

test("a stream that opens and ends at once is opened again less and less often", async () => {
  const { waits, shown } = await follow(times(8, { end: "closed", lastsMs: 10 }));
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
  expect(new Set(shown)).toEqual(new Set(["connecting"]));
});

test("pages spread their tries over half of the wait", async () => {
  expect((await follow(times(3, { end: "failed", lastsMs: 0 }), 0)).waits).toEqual([250, 500, 1_000]);
});

test("a stream that lasted is opened again soon", async () => {
  const short = { end: "closed", lastsMs: 10 } as const;
  const { waits } = await follow([...times(3, short), { end: "closed", lastsMs: 60_000 }, short]);
  expect(waits).toEqual([500, 1_000, 2_000, 500, 1_000]);
});

test("a failure that takes long to show is still a failure", async () => {
  const { waits, shown } = await follow(times(3, { end: "failed", lastsMs: 60_000 }));
  expect(waits).toEqual([500, 1_000, 2_000]);
  expect(shown).toEqual(["connecting", "offline", "offline", "offline"]);
});

test("a silent stream shows as offline, and one that the gateway ends does not", async () => {
  expect((await follow([{ end: "silent", lastsMs: 60_000 }])).shown).toEqual(["connecting", "offline"]);
  expect((await follow([{ end: "closed", lastsMs: 60_000 }])).shown).toEqual(["connecting", "connecting"]);
});

test("a gateway without streams is asked at an even pace", async () => {
  const { waits, shown } = await follow(times(3, { end: "polled", lastsMs: 0 }));
  expect([waits, shown]).toEqual([[4_000, 4_000, 4_000], ["connecting"]]);
});
