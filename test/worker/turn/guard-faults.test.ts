import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { conversationKeyOf } from "../../../src/session/conversation-fingerprint.ts";
import { saveHidden } from "../../../src/stores/guard/turns/exchanges.ts";
import { type Gateway, gateway, tool } from "../support/gateway.ts";
import { asker } from "../support/guard-asker.ts";
import { runInGuard, workAt } from "../support/run-in-guard.ts";
import { ask, call, messagesOf, result, says, user } from "../support/script.ts";
import { changeTurns, turnsOf } from "../support/session-turns.ts";
import { managed } from "../tools/managed-runs.ts";

const policy = {
  results: { mark: false },
  handshake: { select: "off" },
  tools: { read_file: { category: "read_only" } },
};
const tools = [tool("read_file")];
const session = { "x-toolgate-session": "s" };
const hi = user("go");

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const storageOf = <T>(gate: Gateway, read: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInGuard(gate.stub, (_, { storage }) => read(storage));

describe("a lost turn that cannot be recorded", () => {
  it("holds up neither the others, nor the sweep, nor the delivery, and is logged", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: [hi], tools }, session);
    await gate.turns();
    await storageOf(gate, ({ sql }) => {
      for (const [id, settled] of [["turn_bad", "{"] as const, ["turn_good", "[]"] as const]) {
        sql.exec(
          `INSERT INTO turns (id, session, task, digest, at, model, role, grants, mode, policy, open, settled)
           VALUES (?, 's', 1, '', ?, 'm', 'user', '[]', NULL, '', 1, ?)`,
          id,
          start,
          settled,
        );
      }
    });
    vi.setSystemTime(start + 25 * 3600_000);
    const ids = (await gate.turns()).map(({ id }) => id);
    expect([ids.length, ids.at(-1)]).toEqual([2, "turn_good"]);
    expect(errors.mock.calls.flat().join(" ")).toContain("turn_bad");
    expect((await gate.fetch("/v1/sessions/s")).status).toBe(404);
  });
});

describe("a turn whose opening was lost with its object", () => {
  it("leaves a line in the log when it is closed, and one that was closed before leaves none", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const self = asker();
    const turn = await self.open();
    await self.close(turn);
    // As the runtime may repeat it.
    await self.close(turn);
    await self.guard.sessions.find("s");
    expect(errors.mock.calls).toEqual([]);
    await self.close({ ...turn, turn: "turn_lost" });
    await self.guard.sessions.find("s");
    expect(errors.mock.calls.flat()).toEqual([expect.stringMatching(/"turn_unknown_at_close","turn":"turn_lost"/)]);
  });
});

const released = (callId: string) => managed({ callId, run: undefined });

describe("a session that the client does not name, of a turn that nobody closed", () => {
  it("is found by the calls that have reached the client, at once and once the turn is known as lost", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const self = asker();
    const unnamed = { id: undefined, firstMessageDigest: "o", conversationKey: undefined };
    const first = await self.open({ session: unnamed });
    await self.decide(first, [released("c1"), released("c2")]);
    await evictDurableObject(self.stub);
    const back = { session: { ...unnamed, conversationKey: conversationKeyOf("o", ["c1", "c2"], "") } };
    const settles = { results: [{ callId: "c1", succeeded: true, text: "" }], newMessage: false };
    expect((await self.open({ ...back, ...settles })).session).toBe(first.session);
    expect(
      (await self.open({ session: { ...unnamed, conversationKey: conversationKeyOf("o", ["c1"], "") } })).session,
    ).not.toBe(first.session);
    vi.setSystemTime(start + 2 * 3600_000);
    await runInDurableObject(self.stub, (instance) => instance.alarm());
    expect(await runInGuard(self.stub, (_, { storage }) => turnsOf(storage.sql))).toEqual([]);
    expect((await self.open(back)).session).toBe(first.session);
  });
});

describe("the alarm after a failed delivery", () => {
  it("does not ring before the back-off has passed, whatever is decided meanwhile", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    await env.AUDIT_DB.exec("ALTER TABLE turns RENAME TO turns_away");
    try {
      await ask(gate, { messages: [hi], tools }, session);
      await gate.settle();
      const now = Date.now();
      // Up to 2, 4, 8 and 16 seconds, half of each at the least.
      for (let failure = 0; failure < 4; failure++) await runInDurableObject(gate.stub, (object) => object.alarm());
      const alarm = () => workAt(gate.stub);
      const held = await alarm();
      expect(held).toBeGreaterThanOrEqual(now + 8_000);
      await ask(gate, { messages: [user("more")], tools }, session);
      await gate.settle();
      // Any call of the object writes what it had put off.
      await gate.guard.sessions.find("s");
      expect(await alarm()).toBe(held);
    } finally {
      await env.AUDIT_DB.exec("ALTER TABLE turns_away RENAME TO turns");
    }
    expect((await gate.turns()).length).toBe(2);
  });
});

describe("an alarm that fails", () => {
  it("is set anew: the runtime rings again some times alone", async () => {
    const gate = await gateway({ policy, upstream: says({ text: "ok" }) });
    await ask(gate, { messages: [hi], tools }, session);
    await gate.settle();
    await runInGuard(gate.stub, async (object, { storage }) => {
      // What was put off is written, so that nothing else sets it.
      await object.alarm();
      const { context } = object as unknown as { context: { alarm: { run(): Promise<void> } } };
      vi.spyOn(context.alarm, "run").mockRejectedValueOnce(new Error("the storage is away"));
      await expect(object.alarm()).rejects.toThrow("the storage is away");
      expect(await storage.getAlarm()).not.toBeNull();
    });
  });
});

describe("a hidden exchange too large to keep", () => {
  it("is left out, and takes neither the record nor the released call with it", async () => {
    const refused = call("r", "unheard_of", { text: "x".repeat(600_000) });
    const gate = await gateway({
      policy,
      upstream: [says({ calls: [refused, call("c", "read_file")] }), says({ text: "ok" })],
    });
    const { message, calls } = await ask(gate, { messages: [hi], tools }, session);
    expect(calls.map(({ id }) => id)).toEqual(["c"]);
    await ask(gate, { messages: [hi, message, result("c")], tools }, session);
    expect(messagesOf(gate.sent[1]).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(await gate.turns()).toMatchObject([{ stop_reason: "completed" }, { stop_reason: "completed" }]);
  });
});

describe("a task with ever more hidden exchanges", () => {
  it("keeps the latest of them, as far as one answer can tell them", async () => {
    const gate = await gateway({ policy, upstream: says({ calls: [call("c", "read_file")] }) });
    await ask(gate, { messages: [hi], tools }, session);
    await gate.settle();
    const places = await storageOf(gate, ({ sql }) => {
      changeTurns(sql, (turn) => ({ ...turn, open: true }));
      const turn = turnsOf(sql)[0]?.id ?? "";
      for (let place = 0; place < 100; place++) {
        const messages = [{ role: "assistant", content: "x".repeat(500_000) }];
        const anchor = { kind: "calls" as const, ids: ["c"], codes: [], position: place };
        saveHidden(sql, { turn, session: "s", hidden: [{ anchor, messages }], reminded: false });
      }
      return sql.exec<{ place: number }>("SELECT place FROM exchanges ORDER BY ordinal").toArray();
    });
    expect(places.map(({ place }) => place)).toEqual([92, 93, 94, 95, 96, 97, 98, 99]);
  });
});
