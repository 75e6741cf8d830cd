/** How much a user's object reads, keeps and wakes for, however much there is in it. */
import { env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenRequest } from "../../../src/ports/turns/open-turn-request.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { capCalls, expireSessions, MAX_CALLS, MAX_SESSIONS } from "../../../src/stores/guard/alarm/expiry.ts";
import { lazyTables } from "../../../src/stores/guard/lazy-tables.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { guardTables } from "../../../src/stores/guard/tables.ts";
import { applyClose } from "../../../src/stores/guard/turns/close.ts";
import { applyOpen } from "../../../src/stores/guard/turns/open.ts";
import { gateway } from "../support/gateway.ts";
import { toClose } from "../support/guard-asker.ts";
import { says, user } from "../support/script.ts";
import { turnsOf } from "../support/session-turns.ts";
import { alarmAt, days, passTo, policyOf, started, storageOf, turn, verification } from "./retention-world.ts";

const parsed = parseAuditKeys(env.AUDIT_KEY ?? "");
if (!parsed.ok) throw new Error(parsed.error);
const keys = parsed.value;
const start = Date.now() + days(200);
const hours = (n: number) => n * 3600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** In an object of its own, with all that is read of its tables. */
async function inObject<T>(
  body: (sql: SqlStorage, reads: () => number, asked: readonly string[], writes: () => number) => T,
): Promise<T> {
  const { stub } = await gateway();
  return runInDurableObject(stub, (_, { storage: own }) => {
    const { storage, tidy } = lazyTables(own, guardSchema, guardTables);
    const cursors: { readonly rowsRead: number; readonly rowsWritten: number }[] = [];
    const asked: string[] = [];
    const exec = (...query: Parameters<SqlStorage["exec"]>) => {
      asked.push(query[0]);
      const cursor = storage.sql.exec(...query);
      cursors.push(cursor);
      return cursor;
    };
    // After a sweep, which gives tables that have grown their indexes.
    const reads = () => {
      tidy();
      return cursors.splice(0).reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    };
    const writes = () => cursors.splice(0).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
    return body({ exec } as SqlStorage, reads, asked, writes);
  });
}

/** Numbers 1 to `n`, for statements that put many rows. */
const upTo = (n: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;

/** Sessions with what hangs on each: the first message, a settled call and its run, what was hidden, and an approval that ended. */
function putSessions(sql: SqlStorage, n: number, seen: number): void {
  sql.exec(
    `INSERT INTO sessions (id, opening, fresh, created, seen, pair) ${upTo(n)} SELECT 's' || i, '', 0, ${seen}, ${seen} + i, 'q' || i FROM n`,
  );
  sql.exec(`INSERT INTO pairs (pair, session, at) ${upTo(n)} SELECT 'p' || i, 's' || i, ${seen} FROM n`);
  sql.exec(
    `INSERT INTO calls (session, session_created, task, turn, decision, call_id, tool, recorded, arguments, keeps, undoable, extra, at)
     ${upTo(n)} SELECT 's' || i, ${seen}, 1, 't' || i, 'd' || i, 'c', 'x', 'null', '{}', i = 1, i = 1, '{}', ${seen} FROM n`,
  );
  sql.exec(
    `INSERT INTO runs (decision, session, task, families, soft, turn, holder, request, step, call_id, tool, arguments, at, policy, entry, deadline, status, outcome, ended)
     ${upTo(n)} SELECT 'r' || i, 's' || i, 1, '[]', 0, '', '', '', 1, 'c', 'x', '{}', ${seen}, '', '{}', 0, 'succeeded', '{}', ${seen} FROM n`,
  );
  sql.exec(
    `INSERT INTO exchanges (session, task, anchors, place, messages) ${upTo(n)} SELECT 's' || i, 1, '[]', 1, '[]' FROM n`,
  );
  sql.exec(
    `INSERT INTO approvals (id, code, status, open, version, session, task, turn, decision, request, channel, tool, call_id, arguments, digest, asked, expires, ended, policy, logs, body)
     ${upTo(n)} SELECT 'a' || i, '', 'approved', 0, i, 's' || i, 1, '', '', '', 'inline', 'x', 'c', '{}', '', ${seen}, ${seen}, ${seen}, '', '{}', '{}' FROM n`,
  );
}

const count = (sql: SqlStorage, table: string) => sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n;
const TABLES = ["sessions", "pairs", "runs", "exchanges"];

describe("a sweep", () => {
  it("reads no more of an object in which very much is alive, but the list of sessions that it counts", async () => {
    const readsOf = (n: number) =>
      inObject((sql, reads) => {
        putSessions(sql, n, start);
        reads();
        expect(expireSessions({ sql, keys, now: start + hours(1) })).toBe(false);
        return reads();
      });
    const [few, many] = [await readsOf(100), await readsOf(5_000)];
    expect(many - few).toBeLessThan(5_000 + 100);
  });

  it("forgets idle sessions with all that hangs on them, some at a time, and says whether there are more", () =>
    inObject((sql) => {
      putSessions(sql, 450, start);
      const later = start + hours(25);
      const rounds: boolean[] = [];
      do rounds.push(expireSessions({ sql, keys, now: later }));
      while (rounds.at(-1));
      expect(rounds).toEqual([true, true, false]);
      expect(TABLES.map((table) => count(sql, table))).toEqual([0, 0, 0, 0]);
      // Calls stay for the list, with their arguments where they can be undone.
      expect(
        sql.exec("SELECT COUNT(*) AS n, COUNT(arguments) AS told, COUNT(extra) AS extra FROM calls").one(),
      ).toEqual({
        n: 450,
        told: 1,
        extra: 0,
      });
      // What was shown of an approval is kept for the list; what was asked for is not.
      expect(sql.exec("SELECT DISTINCT arguments FROM approvals").toArray()).toEqual([{ arguments: "" }]);
    }));

  it("forgets the sessions of a user who has very many, those first that were touched first, unless a person is asked in one", () =>
    inObject((sql) => {
      putSessions(sql, MAX_SESSIONS + 150, start);
      sql.exec(
        "UPDATE approvals SET open = 1, status = 'pending', ended = NULL, expires = ? WHERE id = 'a7'",
        start + hours(9),
      );
      expireSessions({ sql, keys, now: start + hours(1) });
      expect(TABLES.map((table) => count(sql, table))).toEqual(TABLES.map(() => MAX_SESSIONS + 1));
      const first = sql.exec<{ id: string }>("SELECT id FROM sessions ORDER BY seen LIMIT 2").toArray();
      expect(first.map(({ id }) => id)).toEqual(["s7", "s151"]);
    }));

  it("takes from calls that were settled a day ago what only their task needed", () =>
    inObject((sql) => {
      putSessions(sql, 3, start);
      sql.exec("UPDATE calls SET soft = 1, outcome = 'succeeded' WHERE session <> 's3'");
      sql.exec("UPDATE sessions SET seen = ?", start + hours(25));
      sql.exec("UPDATE calls SET at = ? WHERE session = 's2'", start + hours(24));
      expireSessions({ sql, keys, now: start + hours(25) });
      expect(sql.exec("SELECT session, soft, extra FROM calls ORDER BY session").toArray()).toEqual([
        { session: "s1", soft: 0, extra: null },
        { session: "s2", soft: 1, extra: "{}" },
        { session: "s3", soft: 0, extra: "{}" },
      ]);
    }));

  it("keeps the calls that came last, and all of the last day", () =>
    inObject((sql) => {
      sql.exec(
        `INSERT INTO calls (decision, session, call_id, tool, at, recorded, keeps, undoable)
         ${upTo(MAX_CALLS + 30)} SELECT 'dec_' || i, 's', 'c', 'x', ${start} + i, 'null', 0, 0 FROM n`,
      );
      const left = (now: number) => {
        capCalls(sql, now);
        return sql.exec("SELECT COUNT(*) AS n, MIN(at) AS first FROM calls").one();
      };
      expect(left(start + hours(24) + 11)).toEqual({ n: MAX_CALLS + 20, first: start + 11 });
      expect(left(start + hours(25))).toEqual({ n: MAX_CALLS, first: start + 31 });
    }));
});

/** In session `s1`. */
const request = (results: OpenRequest["results"] = []): OpenRequest => ({
  turn: "turn_now",
  principal: { tenant: "t", user: "u", role: "user", connections: [], authenticated: true } as never,
  model: "m",
  session: { id: "s1", firstMessageDigest: "", conversationKey: undefined },
  digest: "d",
  clientRetry: false,
  mode: undefined,
  policy: "v",
  reset: false,
  newMessage: false,
  intents: { kind: "keep" },
  detected: [],
  untrusted: false,
  definitions: [],
  results,
});

it("a turn writes three rows: its session when it is opened and when it is closed, and its record", () =>
  inObject((sql, _, __, writes) => {
    sql.exec('INSERT INTO meta (key, value) VALUES (\'owner\', \'{"tenant":"t","user":"u"}\')');
    const transaction = { sql, keys, now: start };
    const unnamed = {
      ...request(),
      newMessage: true,
      session: { id: undefined, firstMessageDigest: "o", conversationKey: undefined },
    };
    const run = (turn: string) => {
      const { opened, write } = applyOpen(transaction, { ...unnamed, turn });
      write();
      const ended = { ...toClose({ ...opened, turn }), replyText: `hello ${turn}`, reply: ["mark"] };
      applyClose(transaction, ended);
    };
    // It makes the tables.
    run("turn_1");
    writes();
    run("turn_2");
    expect(writes()).toBe(3);
  }));

it("an open reads the user's links once, and no token", () =>
  inObject((sql, _, asked) => {
    sql.exec("INSERT INTO connections (provider, since, hosts, token) VALUES ('crm', 1, '[]', 'sealed')");
    const before = asked.length;
    const { opened, write } = applyOpen({ sql, keys, now: start }, request());
    write();
    const links = asked.slice(before).filter((text) => /\bFROM connections\b/.test(text));
    expect([opened.connections, links.length, links.some((text) => /\*|token/.test(text))]).toEqual([
      ["crm"],
      1,
      false,
    ]);
    expect(turnsOf(sql).map(({ grants }) => grants)).toEqual(['[true,["crm",1]]']);
  }));

it.each([
  ["is the first of a conversation that nobody knows", { conversationKey: "unknown", clientRetry: false }],
  ["is a first one that was sent again", { conversationKey: undefined, clientRetry: true }],
])("a request that %s reads few of very many sessions", async (_, { conversationKey, clientRetry }) => {
  const readsOf = (n: number) =>
    inObject((sql, reads) => {
      putSessions(sql, n, start);
      sql.exec("INSERT INTO meta (key, value) VALUES ('owner', '{}')");
      reads();
      const session = { id: undefined, firstMessageDigest: "o", conversationKey };
      applyOpen({ sql, keys, now: start + hours(1) }, { ...request(), newMessage: true, session, clientRetry });
      return reads();
    });
  const [few, many] = [await readsOf(10), await readsOf(3_000)];
  expect(many - few).toBeLessThan(20);
});

describe("a result that comes back", () => {
  it("finds its call in a session that has made very many, as does a message that abandons it", async () => {
    const readsOf = (n: number, newMessage: boolean) =>
      inObject((sql, reads) => {
        putSessions(sql, 1, start);
        sql.exec(
          `INSERT INTO calls (session, session_created, task, turn, decision, call_id, tool, recorded, keeps, undoable, at, outcome)
           ${upTo(n)} SELECT 's1', ${start}, 9, 't', 'e' || i, 'c' || i, 'x', '{}', 0, 0, ${start}, 'succeeded' FROM n`,
        );
        sql.exec(
          `INSERT INTO calls (session, session_created, task, turn, decision, call_id, tool, recorded, keeps, undoable, at)
           VALUES ('s1', ?1, 9, 't', 'last', 'mine', 'x', '{}', 0, 0, ?1)`,
          start,
        );
        sql.exec("INSERT INTO meta (key, value) VALUES ('owner', '{}')");
        reads();
        const results = newMessage ? [] : [{ callId: "mine", succeeded: true, text: "" }];
        applyOpen({ sql, keys, now: start }, { ...request(results), newMessage });
        const read = reads();
        const outcome = newMessage ? "abandoned" : "succeeded";
        expect(sql.exec("SELECT outcome FROM calls WHERE call_id = 'mine'").one()).toEqual({ outcome });
        return read;
      });
    for (const newMessage of [false, true])
      expect((await readsOf(3_000, newMessage)) - (await readsOf(10, newMessage))).toBeLessThan(20);
  });
});

describe("the alarm of an object that nobody comes back to", () => {
  it("rings until everything idle is forgotten, without an hour between", async () => {
    const gate = await started(90);
    await turn(gate);
    await passTo(gate, start + 1_000);
    await storageOf(gate, ({ sql }) => putSessions(sql, 700, start));
    const day = start + hours(25);
    await passTo(gate, day);
    await passTo(gate, day + 2_000);
    expect(await storageOf(gate, ({ sql }) => count(sql, "sessions"))).toBe(0);
  });

  it("has few tables after a hello, and one when nothing is left but the chain, which goes on from there", async () => {
    const gate = await gateway({ policy: policyOf(90), upstream: says({ text: "hello" }) });
    await gate.chat({ messages: [user("hello")] });
    const sizeAt = async (at: number) => {
      await passTo(gate, at);
      return storageOf(gate, ({ sql }) => sql.databaseSize);
    };
    expect(await sizeAt(start + hours(1))).toBeLessThan(50_000);
    expect(await sizeAt(start + days(4))).toBeLessThan(20_000);
    // For the retention of its record.
    expect(await alarmAt(gate)).toBeGreaterThan(start + days(80));
    expect(await verification(gate)).toMatchObject({ ok: true, from: 1, to: 1, head: { seq: 1 } });
    await gate.chat({ messages: [user("hello again")] });
    await gate.settle();
    await passTo(gate, start + days(4) + hours(2));
    expect(await verification(gate)).toMatchObject({ ok: true, from: 1, to: 2, head: { seq: 2 } });
    expect(await sizeAt(start + days(8))).toBeLessThan(20_000);
    expect(await sizeAt(start + days(100))).toBeLessThan(20_000);
    expect(await verification(gate)).toMatchObject({ ok: true, checkpoint: { seq: 2 } });
    // Older code would begin another chain.
    expect(await storageOf(gate, ({ kv }) => kv.get("schema"))).toEqual({
      version: guardSchema.length,
      readableBy: guardSchema.length,
    });
  });

  it("rings for what there is to forget, and not every hour", async () => {
    const gate = await started(90);
    await turn(gate);
    // The delivery; a day later the session; two days later the records that were delivered.
    expect(await passTo(gate, start + days(3))).toBeLessThanOrEqual(5);
    const left = await storageOf(gate, ({ sql }) => ["sessions", "outbox", "calls"].map((table) => count(sql, table)));
    expect(left).toEqual([0, 0, 1]);
    // Then for the released call, which is kept for its undo.
    expect(await alarmAt(gate)).toBe(start + days(30));
  });
});
