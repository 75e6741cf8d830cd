/** How an opening request finds what waits, keeps the task for it, or overtakes it. */
import { describe, expect, it } from "vitest";
import type { AnswerTarget, OpenRequest, OpenResult } from "../../../../src/ports/turns/open-turn-request.ts";
import { conversationKeyOf } from "../../../../src/session/conversation-fingerprint.ts";
import { type Asker, approves, asker, asks, codesOf, denies, question, under } from "../../support/guard-asker.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import { anHourOlder, changeTurns, turnsOf } from "../../support/session-turns.ts";

const inline = (...codes: string[]): { answering: AnswerTarget } => ({ answering: { kind: "inline", codes } });
const native = (...ids: string[]): { answering: AnswerTarget } => ({ answering: { kind: "native", ids } });
const idsOf = (approvals: readonly { readonly id: string }[] | undefined) => approvals?.map(({ id }) => id);
const fresh = { session: { id: undefined, firstMessageDigest: "o", conversationKey: undefined } };
const continues = { newMessage: false };

const taskOf = (self: Asker, session = "s"): Promise<number> =>
  runInGuard(self.stub, async (object, { storage }) => {
    // What is written behind is there after any other call.
    await object.apis.sessions.find(session);
    return storage.sql.exec<{ task: number }>("SELECT task FROM sessions WHERE id = ?", session).one().task;
  });

/** Two calls that wait, in the order they were made. */
async function two(self: Asker) {
  const turn = await self.open({ digest: "asking" });
  const calls = [asks({ n: 1 }, { callId: "c1" }), asks({ n: 2 }, { callId: "c2" })];
  const decided = await self.decide(turn, calls);
  const [a, b] = decided.map(({ approval }) => approval);
  if (!a || !b) throw new Error("not asked");
  return { turn, calls, a, b, task: await taskOf(self) };
}

const nothing = (opened: OpenResult) => [opened.waiting, opened.cancelled, opened.unknownApprovals];

describe("a request that answers inline", () => {
  it("keeps the task, and is told of all that waits in it", async () => {
    const self = asker();
    const { a, b, task } = await two(self);
    const opened = await self.open(inline("ZZZZ", b.code));
    expect([idsOf(opened.waiting), opened.cancelled, await taskOf(self)]).toEqual([[a.id, b.id], undefined, task]);
  });

  it.each(["that no call has", "that a call of another session has", "of a call that was acted on"])(
    "with a code %s is an ordinary message",
    async (which) => {
      const self = asker();
      const { a, b, calls, task } = await two(self);
      const other = await self.ask(asks(), {
        session: { id: "t", firstMessageDigest: "o", conversationKey: undefined },
      });
      let code = "AAAA";
      if (which.includes("session")) code = other.approval.code;
      if (which.includes("acted")) {
        code = a.code;
        await self.decide(await self.open(inline(a.code)), [under(a, calls[0] ?? asks(), denies)]);
      }
      const opened = await self.open(inline(code));
      expect(opened.waiting).toBeUndefined();
      expect(idsOf(opened.cancelled)).toEqual(which.includes("acted") ? [b.id] : [a.id, b.id]);
      expect(await taskOf(self)).toBe(task + 1);
      expect((await self.guard.approvals.find(other.approval.id))?.status).toBe("pending");
    },
  );

  it("is told what was decided elsewhere meanwhile, until a turn acts on it", async () => {
    const self = asker();
    const { a, b, calls } = await two(self);
    await self.guard.approvals.answer(a.id, denies);
    await self.guard.approvals.answer(b.id, approves);
    const opened = await self.open(inline(a.code));
    expect(opened.waiting?.map(({ status }) => status)).toEqual(["denied", "approved"]);
    await self.decide(opened, [under(a, calls[0] ?? asks())]);
    expect(idsOf((await self.open(continues)).waiting)).toEqual([b.id]);
  });

  it("sent again gets the same calls again, though its first reply was lost, and spends nothing", async () => {
    const self = asker();
    const window = { key: "tool:edit", max: 1, windowMs: 60_000 };
    const call = asks({ n: 1 }, { counted: { windows: [window], confirmation: {} } });
    const { approval } = await self.ask(call);
    const yes = { ...inline(approval.code), digest: "yes" };
    const first = await self.open(yes);
    await self.decide(first, [under(approval, call, approves)]);
    await self.close(first, true);
    for (let time = 0; time < 2; time++) {
      const again = await self.open(yes);
      expect(again.replay).toEqual([{ id: "c1", tool: "edit", arguments: '{"n":1}', extra: undefined }]);
      expect([again.waiting, again.cancelled]).toEqual([undefined, undefined]);
    }
    expect((await self.released()).length).toBe(1);
  });
});

describe("a refusal that is sent again", () => {
  it("keeps the task once more, with what was told of it, and is an ordinary message later", async () => {
    const self = asker();
    const { approval, call } = await self.ask();
    const task = await taskOf(self);
    const no = { ...inline(approval.code), digest: "no" };
    const first = await self.open(no);
    await self.decide(first, [under(approval, call, denies)]);
    await self.guard.turns.saveHidden({
      turn: first.turn,
      session: "s",
      reminded: false,
      hidden: [{ anchor: { kind: "refusals", codes: ["K7QF"] }, messages: [{ role: "tool", content: "refused" }] }],
    });
    const again = await self.open(no);
    expect([again.waiting, again.hidden.length, await taskOf(self)]).toEqual([undefined, 1, task]);
    await runInGuard(self.stub, (_, { storage }) => changeTurns(storage.sql, anHourOlder));
    expect([(await self.open(no)).hidden, await taskOf(self)]).toEqual([[], task + 1]);
  });
});

describe("a request that answers natively", () => {
  it("keeps the task where all that it names waits in it", async () => {
    const self = asker();
    const { a, b, task } = await two(self);
    const opened = await self.open(native(a.id));
    expect([idsOf(opened.waiting), opened.unknownApprovals]).toEqual([[a.id, b.id], undefined]);
    expect(await taskOf(self)).toBe(task);
  });

  it("moves nothing where it names what does not wait there", async () => {
    const self = asker();
    const { a, turn, task } = await two(self);
    const elsewhere = await self.ask(asks(), {
      session: { id: "t", firstMessageDigest: "o", conversationKey: undefined },
    });
    const refused = await self.open({ ...native(a.id, "appr_none", elsewhere.approval.id), results: [] });
    expect(refused).toMatchObject({ unknownApprovals: ["appr_none", elsewhere.approval.id], session: "s" });
    expect([refused.waiting, refused.cancelled, await taskOf(self)]).toEqual([undefined, undefined, task]);
    const turns = await runInGuard(self.stub, (_, { storage }) => turnsOf(storage.sql).map(({ id }) => id));
    expect(turns).not.toContain(refused.turn);
    expect((await self.open({ ...native(a.id), reset: true })).unknownApprovals).toEqual([a.id]);
    expect(idsOf((await self.open({ ...native(a.id) })).waiting)).toContain(a.id);
    expect(turn.session).toBe("s");
    const stranger = asker();
    expect((await stranger.open(native(a.id))).unknownApprovals).toEqual([a.id]);
    expect(await stranger.guard.sessions.find("s")).toBeUndefined();
  });

  it("of a task that is over is refused", async () => {
    const self = asker();
    const { a } = await two(self);
    await self.open();
    expect((await self.open(native(a.id))).unknownApprovals).toEqual([a.id]);
  });

  it("finds the session that the client never named, whose next reply is then found by its calls", async () => {
    const self = asker();
    const { approval, call, turn } = await self.ask(asks(), fresh);
    expect(turn.fresh).toBe(true);
    const opened = await self.open({ ...fresh, ...native(approval.id) });
    expect([opened.session, opened.fresh, idsOf(opened.waiting)]).toEqual([turn.session, true, [approval.id]]);
    await self.decide(opened, [under(approval, call, approves)]);
    const conversationKey = conversationKeyOf("o", ["c1"], "");
    const next = await self.open({
      session: { id: undefined, firstMessageDigest: "o", conversationKey },
      newMessage: false,
    });
    expect([next.session, next.fresh]).toEqual([turn.session, false]);
  });

  it("that names what was acted on already is told so", async () => {
    const self = asker();
    const { a, b, calls } = await two(self);
    await self.decide(await self.open(native(a.id)), [under(a, calls[0] ?? asks(), approves)]);
    const opened = await self.open(native(a.id));
    expect(opened.waiting?.map(({ id, usedBy }) => [id, usedBy !== null])).toEqual([
      [a.id, true],
      [b.id, false],
    ]);
    expect(codesOf(await self.decide(opened, [under(a, calls[0] ?? asks())]))).toEqual([["deny", "approval_mismatch"]]);
  });
});

describe("a request that answers nothing", () => {
  it("but is the one that asked, keeps the task however late", async () => {
    const self = asker();
    const { a, b, task } = await two(self);
    await runInGuard(self.stub, (_, { storage }) => changeTurns(storage.sql, anHourOlder));
    const opened = await self.open({ digest: "asking" });
    expect([idsOf(opened.waiting), await taskOf(self)]).toEqual([[a.id, b.id], task]);
    const elsewhere = await self.open({
      digest: "asking",
      session: { id: "t", firstMessageDigest: "o", conversationKey: undefined },
    });
    expect(nothing(elsewhere)).toEqual([undefined, undefined, undefined]);
  });

  it("but says that it is sent again, is found though the client named no session", async () => {
    const self = asker();
    const { turn, approval } = await self.ask(asks(), { ...fresh, digest: "asking" });
    await runInGuard(self.stub, (_, { storage }) => changeTurns(storage.sql, anHourOlder));
    const again = await self.open({ ...fresh, digest: "asking", clientRetry: true });
    expect([again.session, idsOf(again.waiting)]).toEqual([turn.session, [approval.id]]);
    expect((await self.open({ ...fresh, digest: "asking" })).session).not.toBe(turn.session);
  });

  it("but goes on with the task, is told of what waits", async () => {
    const self = asker();
    const { a, b } = await two(self);
    const opened = await self.open(continues);
    expect([idsOf(opened.waiting), opened.cancelled]).toEqual([[a.id, b.id], undefined]);
  });

  it.each<[string, Partial<OpenRequest>]>([
    ["a new message", {}],
    ["a reset", { reset: true, newMessage: false }],
    ["a reset that seems to answer", { reset: true, ...inline("*") }],
  ])("%s cancels what waits and what was approved; nothing of it is released any more", async (_, over) => {
    const self = asker();
    const { a, b, calls } = await two(self);
    const c = (await self.decide(await self.open(continues), [asks({ n: 3 }, { callId: "c3" })]))[0]?.approval;
    await self.guard.approvals.answer(b.id, approves);
    await self.guard.approvals.answer(c?.id ?? "", denies);
    const codes = over.answering ? inline(a.code) : {};
    const opened = await self.open({ ...over, ...codes, turn: "turn_over" });
    expect(opened.waiting).toBeUndefined();
    expect(opened.cancelled?.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "denied"]);
    expect(await self.guard.approvals.answer(a.id, approves)).toMatchObject({
      kind: "settled",
      approval: { status: "cancelled" },
    });
    const decided = await self.decide(opened, [under(a, calls[0] ?? asks(), approves), under(b, calls[1] ?? asks())]);
    expect(codesOf(decided)).toEqual([
      ["deny", "approval_mismatch"],
      ["deny", "approval_mismatch"],
    ]);
    expect(await self.released()).toEqual([]);
    const events = (await self.records()).flatMap((record) => (record.kind === "approval" ? [record.event] : []));
    expect(events).toEqual(["asked", "asked", "asked", "approved", "denied", "cancelled", "cancelled"]);
    // The same open, sent again because its answer was lost, tells the same.
    const again = await self.open({ ...over, ...codes, turn: "turn_over", repeatedOpen: true });
    expect(again.cancelled).toEqual(opened.cancelled);
  });

  it("and deletes the session cancels what waits in it, and its grants", async () => {
    const self = asker();
    const { a, b } = await two(self);
    const everywhere = await self.ask(asks(), {
      session: { id: "t", firstMessageDigest: "o", conversationKey: undefined },
    });
    const grant = { session: true, expiresAt: null, arguments: {} };
    await self.guard.approvals.answer(b.id, { ...approves, grant });
    await self.guard.approvals.answer(everywhere.approval.id, { ...approves, grant });
    expect((await self.guard.grants.list()).map(({ session }) => session)).toEqual(["t", "s"]);
    await self.guard.sessions.delete("s");
    expect([(await self.guard.approvals.find(a.id))?.status, (await self.guard.approvals.find(b.id))?.status]).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect((await self.guard.grants.list()).map(({ session }) => session)).toEqual(["t"]);
    expect(nothing(await self.open(inline(a.code)))).toEqual([undefined, undefined, undefined]);
  });
});

describe("a turn that asks and releases", () => {
  it("is found again by all the calls that its reply has", async () => {
    const self = asker();
    const opened = await self.open(fresh);
    const free = asks({}, { callId: "free", counted: { windows: [] } });
    const held = asks({}, { callId: "held", question: question({ channel: "hold" }) });
    const [, asked] = await self.decide(opened, [free, held]);
    await self.decide(opened, [under(asked?.approval ?? { id: "" }, held, approves)]);
    const conversationKey = conversationKeyOf("o", ["free", "held"], "");
    const next = await self.open({
      session: { id: undefined, firstMessageDigest: "o", conversationKey },
      newMessage: false,
    });
    expect(next.session).toBe(opened.session);
  });

  it("gives back what it reserved where nothing in it was approved", async () => {
    const self = asker();
    const opened = await self.open();
    await self.decide(opened, [asks({}, { counted: { windows: [] } }), asks()]);
    await self.close(opened, true);
    expect(await self.released()).toEqual([]);
    expect((await self.open(continues)).waiting?.length).toBe(1);
  });
});
