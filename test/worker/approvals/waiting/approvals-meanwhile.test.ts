/** What changes between the question and the release: another's answer, the policy, the conversation. */
import { describe, expect, it, vi } from "vitest";
import { approves, asker, asks, codesOf, denies, edits, under } from "../../support/guard-asker.ts";

describe("two answers at once", () => {
  it("a no in the chat is heeded, though the inbox said yes while the request was under way", async () => {
    const self = asker();
    const asked = await self.ask();
    const turn = await self.open({ answering: { kind: "inline", codes: [asked.approval.code] } });
    await self.guard.approvals.answer(asked.approval.id, approves);
    const decided = await self.decide(turn, [under(asked.approval, asked.call, { ...denies, via: "inline" })]);
    expect(codesOf(decided)).toEqual([["deny", "approval_denied"]]);
    expect(await self.released()).toEqual([]);
  });

  it("a yes to the call is none to what the inbox made of it while the request was under way", async () => {
    const self = asker();
    const asked = await self.ask();
    const turn = await self.open({ answering: { kind: "inline", codes: [asked.approval.code] } });
    await self.guard.approvals.answer(asked.approval.id, edits({ path: "b" }));
    const decided = await self.decide(turn, [under(asked.approval, asked.call, { ...approves, via: "inline" })]);
    expect(codesOf(decided)).toEqual([["deny", "approval_mismatch"]]);
  });
});

describe("a call that is asked about", () => {
  it("may be as long as its row has room for, counted in bytes: a longer one is refused, and fails nothing", async () => {
    const self = asker();
    const long = (characters: number) => asks({ text: "好".repeat(characters) });
    const decided = await self.decide(await self.open(), [long(250_000), long(300_000), asks()]);
    expect(decided.map(({ effect, approval }) => [effect, approval !== undefined])).toEqual([
      ["confirm", true],
      ["confirm", false],
      ["confirm", true],
    ]);
  });

  it("asks nobody once the conversation has gone on without it: no answer would be acted on", async () => {
    const self = asker();
    const overtaken = await self.open();
    await self.open();
    const [decided] = await self.decide(overtaken, [asks()]);
    expect([decided?.effect, decided?.approval]).toEqual(["confirm", undefined]);
  });

  it("is not crowded out by questions of other chats whose time is over", async () => {
    const self = asker();
    const many = Array.from({ length: 200 }, (_, index) => asks({ index }, { callId: `c${index}` }));
    const soon = many.map((call) => ({
      ...call,
      question: call.question && { ...call.question, expiresAt: Date.now() + 1 },
    }));
    await self.decide(
      await self.open({ session: { id: "other", firstMessageDigest: "o", conversationKey: undefined } }),
      soon,
    );
    await vi.waitUntil(
      async () => {
        const { data } = await self.guard.approvals.list({ status: "pending", limit: 1, order: "asc" });
        return data.length === 0;
      },
      { timeout: 20_000 },
    );
    const [decided] = await self.decide(await self.open(), [asks()]);
    expect(decided?.approval).toBeDefined();
  });
});
