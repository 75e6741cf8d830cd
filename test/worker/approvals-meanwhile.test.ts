/** What changes between the question and the release: another's answer, the policy, the conversation. */
import { describe, expect, it } from "vitest";
import { approves, asker, codesOf, denies, edits, under } from "./guard-asker.ts";

describe("two answers at once", () => {
  it("a no in the chat is heeded, though the inbox said yes while the request was under way", async () => {
    const self = asker();
    const asked = await self.ask();
    const turn = await self.open({ answering: { kind: "inline", codes: [asked.approval.code] } });
    await self.guard.answer(asked.approval.id, approves);
    const decided = await self.decide(turn, [under(asked.approval, asked.call, { ...denies, via: "inline" })]);
    expect(codesOf(decided)).toEqual([["deny", "approval_denied"]]);
    expect(await self.released()).toEqual([]);
  });

  it("a yes to the call is none to what the inbox made of it while the request was under way", async () => {
    const self = asker();
    const asked = await self.ask();
    const turn = await self.open({ answering: { kind: "inline", codes: [asked.approval.code] } });
    await self.guard.answer(asked.approval.id, edits({ path: "b" }));
    const decided = await self.decide(turn, [under(asked.approval, asked.call, { ...approves, via: "inline" })]);
    expect(codesOf(decided)).toEqual([["deny", "approval_mismatch"]]);
  });
});
