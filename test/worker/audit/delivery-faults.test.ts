/** The way of audit records from a user's object to D1, while D1 is down or refuses some. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UserGuard } from "../../../src/stores/objects/user-guard.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { runInGuard, workAt } from "../support/run-in-guard.ts";
import { ask, call, says, user } from "../support/script.ts";
import { trailSeqs } from "./trail-seqs.ts";

const policy = {
  handshake: { select: "off" },
  execution: { maxCorrections: 0 },
  tools: {
    read_file: { category: "read_only", rateLimits: [{ max: 5, window: "24h" }] },
    list_files: { category: "read_only" },
  },
};
const tools = [tool("read_file"), tool("list_files")];
/** Far enough ahead that no alarm rings by itself. */
const start = Date.now() + 30 * 24 * 3600_000;
const minutes = (n: number) => n * 60_000;

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

const storageOf = <T>(gate: Gateway, read: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInGuard(gate.stub, (_, { storage }) => read(storage));
const alarmAt = (gate: Gateway) => workAt(gate.stub);
const ring = (gate: Gateway) => runInDurableObject(gate.stub, (instance) => instance.alarm());
const turn = async (gate: Gateway, session = "s") => {
  const answer = await ask(gate, { messages: [user(`go ${Date.now()}`)], tools }, { "x-toolgate-session": session });
  await gate.settle();
  return answer;
};
const verification = async (gate: Gateway, query = "") => {
  const response = await gate.fetch(`/v1/audit/verify?user=ada${query}`, { key: await gate.keyFor("op", "admin") });
  return (await response.json()) as Record<string, unknown>;
};
const rowsOf = ({ tenant }: Gateway): Promise<number[]> => trailSeqs(tenant);

describe("D1 that is down", () => {
  it("for an hour holds up no turn, loses no record and writes none twice, and is tried ever less often, every five minutes at the least", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
    const tries: number[] = [];
    let turns = 0;
    try {
      for (let now = start; now <= start + minutes(60); ) {
        vi.setSystemTime(now);
        if (now >= start + turns * minutes(10)) {
          turns += 1;
          // The limit of five holds as ever.
          expect((await turn(gate)).calls.length).toBe(turns <= 5 ? 1 : 0);
          if (turns === 4) {
            const armed = await alarmAt(gate);
            await evictDurableObject(gate.stub);
            await turn(gate, "other");
            // What is armed outlives the eviction: the turn after it does not ring sooner.
            expect(await alarmAt(gate)).toBe(armed);
            turns += 1;
          }
        }
        const armed = (await alarmAt(gate)) ?? Number.NaN;
        if (now >= armed) {
          tries.push(now);
          await ring(gate);
        }
        now = Math.min((await alarmAt(gate)) ?? Number.NaN, start + turns * minutes(10));
      }
    } finally {
      await env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns");
    }
    const waits = tries.map((at, index) => (at - (tries[index - 1] ?? start)) / 1000).slice(1);
    const nominal = waits.map((_, index) => Math.min(2 ** (index + 1), 300));
    // Half of each is chance: objects that failed together do not come back together.
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual((nominal[index] ?? 0) / 2);
      expect(wait).toBeLessThanOrEqual(nominal[index] ?? 0);
    }
    expect(waits.length).toBeGreaterThan(12);
    expect(new Set(waits.slice(8)).size).toBeGreaterThan(1);
    expect(await rowsOf(gate)).toEqual([]);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 0, waiting: 2 * turns });

    await ring(gate);
    expect(await rowsOf(gate)).toEqual(Array.from({ length: 2 * turns }, (_, index) => index + 1));
    expect(await verification(gate)).toMatchObject({ ok: true, to: 2 * turns, waiting: 0 });
    // Delivered, the next failure begins with two seconds again.
    expect(await storageOf(gate, ({ sql }) => sql.exec("SELECT value FROM meta WHERE key = 'delivery'").one())).toEqual(
      {
        value: '{"failures":0,"notBefore":0}',
      },
    );
  });

  it("for three days loses nothing, whatever is swept meanwhile", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    const hours = (n: number) => minutes(60 * n);
    const turns = 6;
    await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
    try {
      for (let hour = 0; hour < 72; hour += 4) {
        vi.setSystemTime(start + hours(hour));
        if (hour % 12 === 0) await turn(gate);
        // As an alarm of a machine that was asleep: late, and then whatever is due is done at once.
        await ring(gate);
      }
    } finally {
      await env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns");
    }
    expect(await rowsOf(gate)).toEqual([]);
    vi.setSystemTime(start + hours(72));
    await ring(gate);
    expect(await rowsOf(gate)).toEqual(Array.from({ length: 2 * turns }, (_, index) => index + 1));
    expect(await verification(gate)).toMatchObject({ ok: true, to: 2 * turns, waiting: 0 });
  });

  it("is caught up with in order, some at a ring, and says so while very many wait", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await turn(gate);
    await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
    // Turns that died with their workers: each a record, all sealed by one ring.
    await storageOf(gate, ({ sql }) => {
      for (let n = 0; n < 10_000; n++)
        sql.exec(
          "INSERT INTO turns (id, session, task, digest, at, model, role, grants, policy, open, settled) VALUES (?, 's', 1, '', ?, 'm', 'user', '[]', '', 1, '[]')",
          `turn_${n}`,
          start,
        );
    });
    vi.setSystemTime(start + minutes(61));
    await ring(gate);
    expect(errors.join("\n")).toContain("audit_outbox_grows");
    await env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns");
    await ring(gate);
    const some = await rowsOf(gate);
    expect(some).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(await alarmAt(gate)).toBeLessThanOrEqual(Date.now());
    expect(await verification(gate)).toMatchObject({ ok: true, to: 200, waiting: 10_001 - 200 });
  });
});

describe("a record that D1 refuses", () => {
  const refusing = (message: string) =>
    env.AUDIT_DB.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON decisions WHEN NEW.record LIKE '%"tool":"list_files"%' BEGIN SELECT RAISE(ABORT, '${message}'); END`,
    );
  afterEach(() => env.AUDIT_DB.exec("DROP TRIGGER IF EXISTS poison"));
  const started = () =>
    gateway({ policy, upstream: says({ calls: [call("a", "read_file"), call("b", "list_files")] }) });

  it("holds up no other, is put aside after eight times, told loudly, and verifies where it is", async () => {
    const gate = await started();
    await refusing("not this one");
    await turn(gate);
    await ring(gate);
    // Decisions 1 and 2, the turn 3.
    expect(await rowsOf(gate)).toEqual([1, 3]);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 3, apart: [{ seq: 2, put_aside_at: null }] });
    for (let time = 1; time < 8; time++) {
      expect(errors.join("\n")).not.toContain("put_aside");
      vi.setSystemTime((await alarmAt(gate)) ?? 0);
      await ring(gate);
    }
    expect(errors.join("\n")).toMatch(/audit_record_put_aside.*"dec_\w+","seq":2.*not this one/);
    await turn(gate);
    await ring(gate);
    expect(await rowsOf(gate)).toEqual([1, 3, 4, 6]);
    expect(await verification(gate)).toMatchObject({
      ok: true,
      to: 6,
      apart: [
        { seq: 2, reason: expect.stringContaining("not this one") },
        { seq: 5, reason: null },
      ],
    });

    await env.AUDIT_DB.exec("DROP TRIGGER poison");
    const operator = await gate.keyFor("op", "admin");
    const again = await gate.fetch("/v1/audit/redeliver?user=ada", { method: "POST", key: operator });
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ waiting: 6 })]);
    vi.setSystemTime((await alarmAt(gate)) ?? 0);
    await ring(gate);
    expect(await rowsOf(gate)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await verification(gate)).toMatchObject({ ok: true, apart: [] });
  });

  it("for its size is put aside at once: no later try can end better", async () => {
    const gate = await started();
    await refusing("string or blob too big");
    await turn(gate);
    await ring(gate);
    expect(errors.join("\n")).toMatch(/audit_record_put_aside.*"seq":2/);
    expect(await verification(gate)).toMatchObject({ ok: true, to: 3, waiting: 0, apart: [{ seq: 2 }] });
  });

  it("is kept from who is no admin", async () => {
    const gate = await started();
    for (const [method, path] of [
      ["GET", "verify"],
      ["POST", "redeliver"],
    ] as const) {
      expect((await gate.fetch(`/v1/audit/${path}?user=ada`, { method })).status).toBe(403);
    }
  });
});

describe("a turn that withheld very many tools", () => {
  it("is recorded with as many names as fit, and the number of the others", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => tool(`hidden_${"x".repeat(100)}_${index}`));
    const closed = { ...policy, modes: { default: { deny: ["hidden_*"] } } };
    const gate = await gateway({ policy: closed, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: [user("go")], tools: many }, { "x-toolgate-session": "s" });
    const [record] = await gate.turns();
    expect(record).toMatchObject({ withheld_more: 500, offered: [] });
    expect(record?.withheld).toHaveLength(500);
  });
});

describe("settings that cannot seal a record", () => {
  it("decide nothing, and leave the records that wait an alarm for better ones", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    await turn(gate);
    await storageOf(gate, (storage) => storage.deleteAlarm());
    await runInDurableObject(gate.stub, async (_, state) => {
      const unkeyed = new UserGuard(state, { ...env, AUDIT_KEY: "k1:short" });
      await expect(unkeyed.apis.sessions.find("s")).rejects.toThrow("AUDIT_KEY");
      await unkeyed.alarm();
    });
    expect(await storageOf(gate, (storage) => storage.getAlarm())).toBe(start + minutes(5));
    expect(errors.join()).toMatch(/"event":"audit_key_unusable"/);
    await ring(gate);
    expect(await rowsOf(gate)).toEqual([1, 2]);
  });
});
