/** Approvals in the course of time: they expire, outlast restarts and idle sessions, are waited for, and are forgotten. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerOutcome } from "../../../../src/ports/approvals-port.ts";
import { type Asker, approves, asker, asks, codesOf, denies, question, under } from "../../support/guard-asker.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import { turnsOf } from "../../support/session-turns.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;
let start = 0;

beforeEach(() => {
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.setSystemTime(start + ms);
const ring = (self: Asker): Promise<void> => runInDurableObject(self.stub, (object) => object.alarm());
const alarmOf = (self: Asker): Promise<number | null> => runInGuard(self.stub, (_, { storage }) => storage.getAlarm());
const eventsOf = async (self: Asker) =>
  (await self.records()).flatMap((record) => (record.kind === "approval" ? [record.event] : []));
/** As old as told, whatever its turns did since. */
const aged = (self: Asker, ms: number): Promise<void> =>
  runInGuard(self.stub, async (object, { storage }) => {
    await object.apis.sessions.find("s");
    storage.sql.exec("UPDATE sessions SET seen = ?", start - ms);
  });
const asksFor = (ms: number) => asks({ path: "a" }, { question: question({ expiresAt: start + ms }) });

const answered = (outcome: AnswerOutcome) => (outcome.kind === "unknown" ? undefined : outcome.approval);

describe("an approval whose time is over", () => {
  it("expires by the alarm, which was armed for it, and releases nothing", async () => {
    const self = asker();
    const { approval, call } = await self.ask(asksFor(HOUR));
    await ring(self);
    expect(await alarmOf(self)).toBe(start + HOUR);
    later(HOUR - 1);
    await ring(self);
    expect(await eventsOf(self)).toEqual(["asked"]);
    later(HOUR);
    await ring(self);
    expect(await eventsOf(self)).toEqual(["asked", "expired"]);
    expect(await self.guard.approvals.answer(approval.id, approves)).toMatchObject({
      kind: "settled",
      approval: { status: "expired" },
    });
    const opened = await self.open({ answering: { kind: "inline", codes: [approval.code] } });
    expect(opened.waiting).toMatchObject([{ id: approval.id, status: "expired" }]);
    expect(codesOf(await self.decide(opened, [under(approval, call, approves)]))).toEqual([
      ["deny", "approval_expired"],
    ]);
    expect([await self.released(), await eventsOf(self)]).toEqual([[], ["asked", "expired"]]);
  });

  const reads: readonly (readonly [string, (self: Asker, id: string) => Promise<unknown>])[] = [
    ["read", (self, id) => self.guard.approvals.find(id)],
    ["listed", async (self) => (await self.guard.approvals.list({ limit: 10, order: "desc" })).data[0]],
    ["answered", async (self, id) => answered(await self.guard.approvals.answer(id, approves))],
    ["waited for", async (self, id) => (await self.guard.approvals.wait([id], 10_000))[0]],
    ["followed", async (self) => (await self.guard.approvals.changes(1, 10_000)).data[0]],
    ["told to a turn", async (self) => (await self.open({ newMessage: false })).waiting?.[0]],
  ];
  it.each(reads)("is told as expired when it is %s, though no alarm rang", async (_, read) => {
    const self = asker();
    const { approval } = await self.ask(asksFor(HOUR));
    later(HOUR);
    expect(await read(self, approval.id)).toMatchObject({ id: approval.id, status: "expired" });
    expect(await eventsOf(self)).toEqual(["asked", "expired"]);
  });

  it("is no answer's any more in the transaction that would release it", async () => {
    const self = asker();
    const { approval, call } = await self.ask(asksFor(HOUR));
    const opened = await self.open({ answering: { kind: "inline", codes: [approval.code] } });
    later(HOUR);
    expect(codesOf(await self.decide(opened, [under(approval, call, approves)]))).toEqual([
      ["deny", "approval_expired"],
    ]);
  });

  it("was approved in time, and may be released after", async () => {
    const self = asker();
    const { approval, call } = await self.ask(asksFor(HOUR));
    await self.guard.approvals.answer(approval.id, approves);
    later(2 * HOUR);
    const opened = await self.open({ newMessage: false });
    expect((await self.decide(opened, [under(approval, call)]))[0]?.effect).toBe("allow");
  });
});

describe("an approval", () => {
  it("outlasts the object's restart, before and after its answer, and runs once", async () => {
    const self = asker();
    const { approval, call } = await self.ask();
    await evictDurableObject(self.stub);
    await self.guard.approvals.answer(approval.id, approves);
    await evictDurableObject(self.stub);
    const opened = await self.open({ answering: { kind: "inline", codes: [approval.code] } });
    const [first] = await self.decide(opened, [under(approval, call)]);
    await evictDurableObject(self.stub);
    const again = await self.decide(await self.open({ newMessage: false }), [under(approval, call, approves)]);
    expect([first?.effect, codesOf(again)]).toEqual(["allow", [["deny", "approval_mismatch"]]]);
    expect((await self.released()).length).toBe(1);
  });

  it("keeps its session until it expires; then the session may idle out, and takes it along", async () => {
    const self = asker();
    const { approval } = await self.ask(asksFor(3 * DAY));
    await aged(self, 0);
    later(2 * DAY);
    await ring(self);
    expect(await self.guard.sessions.find("s")).toBeDefined();
    expect(await self.guard.gates.open({ tenant: "acme", user: "u" }, "t", "s")).toBe(true);
    expect((await self.open({ newMessage: false })).waiting?.[0]?.id).toBe(approval.id);
    await aged(self, 0);
    later(3 * DAY);
    await ring(self);
    expect(await self.guard.sessions.find("s")).toBeUndefined();
    expect(await self.guard.approvals.find(approval.id)).toMatchObject({ status: "expired" });
    expect((await self.open({ newMessage: false })).waiting).toBeUndefined();
  });

  it("that was approved and never released ends with its session", async () => {
    const self = asker();
    const { approval } = await self.ask(asksFor(HOUR));
    await self.guard.approvals.answer(approval.id, approves);
    later(2 * DAY);
    const opened = await self.open({ answering: { kind: "inline", codes: [approval.code] } });
    expect(opened.waiting).toBeUndefined();
    expect((await self.guard.approvals.find(approval.id))?.status).toBe("cancelled");
    expect(await eventsOf(self)).toEqual(["asked", "approved", "cancelled"]);
  });

  it("is kept for 30 days after its end, its arguments for one, and the object wakes to forget it", async () => {
    const self = asker();
    const { approval, call } = await self.ask();
    const opened = await self.open({ newMessage: false });
    await self.decide(opened, [under(approval, call, approves)]);
    later(2 * DAY);
    await ring(self);
    expect(await self.guard.approvals.find(approval.id)).toMatchObject({ arguments: "", recorded: { path: "a" } });
    later(30 * DAY - 1);
    await ring(self);
    expect((await self.guard.approvals.list({ limit: 10, order: "asc" })).data.length).toBe(1);
    expect(await alarmOf(self)).toBeLessThanOrEqual(start + 30 * DAY + 1000);
    later(30 * DAY + 1000);
    await ring(self);
    expect((await self.guard.approvals.list({ limit: 10, order: "asc" })).data).toEqual([]);
  });
});

describe("a turn that holds its reply for an answer", () => {
  it("is not taken for lost before the answer is due", async () => {
    const self = asker();
    const hold = asks({}, { question: question({ channel: "hold", expiresAt: start + 5 * HOUR }) });
    const { turn, approval } = await self.ask(hold);
    const other = asker();
    await other.ask(asksFor(5 * HOUR));
    later(4 * HOUR);
    await ring(self);
    await self.guard.approvals.answer(approval.id, approves);
    expect((await self.decide(turn, [under(approval, hold)]))[0]?.effect).toBe("allow");
    // One that asked in any other way has ended long before.
    await ring(other);
    const open = await runInGuard(other.stub, (_, { storage }) => turnsOf(storage.sql));
    expect(open).toEqual([]);
  });
});

describe("waiting for an answer", () => {
  it("ends with it, and holds up nothing meanwhile", async () => {
    const self = asker();
    const [a, b] = [await self.ask(), await self.ask(asks({ path: "b" }), { newMessage: false })];
    let told = false;
    const waiting = self.guard.approvals.wait([a.approval.id, "appr_none", b.approval.id], 10_000).then((all) => {
      told = true;
      return all;
    });
    await self.guard.approvals.answer(a.approval.id, approves);
    expect((await self.guard.approvals.find(b.approval.id))?.status).toBe("pending");
    expect(told).toBe(false);
    await self.guard.approvals.answer(b.approval.id, denies);
    expect((await waiting).map(({ id, status }) => [id, status])).toEqual([
      [a.approval.id, "approved"],
      [b.approval.id, "denied"],
    ]);
  });

  it.each<[string, (self: Asker) => Promise<unknown>]>([
    ["a new message", (self) => self.open()],
    ["the session's deletion", (self) => self.guard.sessions.delete("s")],
  ])("ends with %s", async (_, overtake) => {
    const self = asker();
    const { approval } = await self.ask();
    const waiting = self.guard.approvals.wait([approval.id], 10_000);
    await overtake(self);
    expect(await waiting).toMatchObject([{ status: "cancelled" }]);
  });

  it("ends when the time is over, by itself", async () => {
    vi.useRealTimers();
    const self = asker();
    const soon = await self.ask(asks({}, { question: question({ expiresAt: Date.now() + 100 }) }));
    expect(await self.guard.approvals.wait([soon.approval.id], 10_000)).toMatchObject([{ status: "expired" }]);
    const { approval } = await self.ask(asks(), { newMessage: false });
    expect(await self.guard.approvals.wait([approval.id], 50)).toMatchObject([{ status: "pending" }]);
    expect(await self.guard.approvals.wait([approval.id], -1)).toMatchObject([{ status: "pending" }]);
  });
});

describe("following what changes", () => {
  it("tells each change once, in order, and waits where there is none", async () => {
    const self = asker();
    const { version: begin, data } = await self.guard.approvals.changes(-1, 0);
    expect([begin, data]).toEqual([0, []]);
    const waiting = self.guard.approvals.changes(begin, 10_000);
    const a = await self.ask();
    const asked = await waiting;
    expect(asked.data.map(({ id, status }) => [id, status])).toEqual([[a.approval.id, "pending"]]);
    const b = await self.ask(asks({ path: "b" }), { newMessage: false });
    await self.guard.approvals.answer(a.approval.id, approves);
    const next = await self.guard.approvals.changes(asked.version, 0);
    expect(next.data.map(({ id, status }) => [id, status])).toEqual([
      [b.approval.id, "pending"],
      [a.approval.id, "approved"],
    ]);
    expect(await self.guard.approvals.changes(next.version, 0)).toEqual({ version: next.version, data: [] });
    await self.decide(await self.open({ newMessage: false }), [under(a.approval, a.call)]);
    const { data: released } = await self.guard.approvals.changes(next.version, 0);
    expect(released).toMatchObject([{ id: a.approval.id, usedBy: expect.stringMatching(/^dec_/) }]);
    expect(await self.guard.approvals.changes(10_000, 10_000)).toMatchObject({ data: [] });
  });

  it("tells at most 100 at once, and where they lead to", async () => {
    const self = asker();
    const calls = Array.from({ length: 150 }, (_, index) => asks({ index }, { callId: `c${index}` }));
    await self.decide(await self.open(), calls);
    const first = await self.guard.approvals.changes(0, 0);
    const rest = await self.guard.approvals.changes(first.version, 0);
    expect([first.data.length, rest.data.length]).toEqual([100, 50]);
    expect([...first.data, ...rest.data].map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId));
  });
});

describe("the list", () => {
  it("is told in pages, in either order, of one status or of all", async () => {
    const self = asker();
    const turn = await self.open();
    const decided = await self.decide(
      turn,
      ["a", "b", "c"].map((path, index) => asks({ path }, { callId: `c${index}` })),
    );
    const [a, b, c] = decided.map(({ approval }) => approval?.id ?? "");
    await self.guard.approvals.answer(b ?? "", denies);
    const list = async (query: Partial<Parameters<typeof self.guard.approvals.list>[0]>) => {
      const { data, hasMore } = await self.guard.approvals.list({ limit: 2, order: "desc", ...query });
      return [...data.map(({ id }) => id), hasMore];
    };
    expect(await list({})).toEqual([c, b, true]);
    expect(await list({ after: b })).toEqual([a, false]);
    expect(await list({ order: "asc" })).toEqual([a, b, true]);
    expect(await list({ order: "asc", after: b })).toEqual([c, false]);
    expect(await list({ status: "pending" })).toEqual([c, a, false]);
    expect(await list({ status: "denied" })).toEqual([b, false]);
    expect(await list({ after: "appr_none" })).toEqual([false]);
  });
});
