/** What an approval releases, and what it does not. The objects are driven as turns drive them. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/approvals/approval.ts";
import type { CallToDecide } from "../../../src/ports/turns/decide-request.ts";
import {
  type Asked,
  type Asker,
  approves,
  asker,
  asks,
  codesOf,
  denies,
  digestOf,
  edits,
  question,
  under,
} from "../support/guard-asker.ts";

/** A turn that may act on what waits in the session. */
const answering = (self: Asker, { approval }: Asked) =>
  self.open({ answering: { kind: "inline", codes: [approval.code] } });

/** Releases the asked call in a turn of its own. */
async function release(self: Asker, asked: Asked, call: CallToDecide = asked.call, answer?: Answer) {
  const turn = await answering(self, asked);
  return self.decide(turn, [under(asked.approval, call, answer)]);
}

describe("a call that a person must confirm", () => {
  it("waits, and is released once it is approved, once", async () => {
    const self = asker();
    const asked = await self.ask();
    expect(asked.approval).toMatchObject({
      code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{4}$/),
      status: "pending",
      tool: "edit",
      callId: "c1",
      session: "s",
      turn: asked.turn.turn,
      asks: ["confirmation_required"],
      arguments: '{"path":"a"}',
      recorded: { path: "a" },
      answer: null,
      usedBy: null,
    });
    expect(await self.released()).toEqual([]);
    expect(await self.guard.approvals.answer(asked.approval.id, approves)).toMatchObject({
      kind: "answered",
      before: false,
    });
    expect(await self.released()).toEqual([]);

    const turn = await answering(self, asked);
    const [first] = await self.decide(turn, [under(asked.approval, asked.call)]);
    expect(first).toMatchObject({ effect: "allow", reasons: [], ordinal: expect.any(Number) });
    const again = await self.decide(turn, [under(asked.approval, asked.call)]);
    expect(codesOf(again)).toEqual([["deny", "approval_mismatch"]]);
    expect(codesOf(await release(self, asked))).toEqual([["deny", "approval_mismatch"]]);
    expect(await self.released()).toEqual([{ call_id: "c1", arguments: '{"path":"a"}', turn: turn.turn }]);
  });

  it("is released by the answer that comes with the request, in the same transaction", async () => {
    const self = asker();
    const asked = await self.ask();
    const [decided] = await release(self, asked, asked.call, { ...approves, via: "inline" });
    expect(decided?.effect).toBe("allow");
    expect(await self.guard.approvals.find(asked.approval.id)).toMatchObject({
      status: "approved",
      answer: { action: "approve", via: "inline", by: "ada", reason: null },
      usedBy: expect.stringMatching(/^dec_/),
    });
  });

  it("is recorded as asked, as answered, and as released, joined by the approval", async () => {
    const self = asker();
    const asked = await self.ask();
    await release(self, asked, asked.call, approves);
    const { id } = asked.approval;
    const records = await self.records();
    expect(records).toMatchObject([
      {
        kind: "approval",
        event: "asked",
        approval: id,
        disclosure: expect.stringMatching(/^Change `a`\?\n {2}path: a\n/),
        via: null,
      },
      { kind: "decision", effect: "confirm", disposition: "asked", approval: id, id: asked.approval.decision },
      { kind: "approval", event: "approved", approval: id, disclosure: null, via: "api", by: "ada", grant: null },
      { kind: "decision", effect: "allow", disposition: "released", approval: id, reasons: [] },
    ]);
    expect(records[0]).toMatchObject({ decision: asked.approval.decision, asks: ["confirmation_required"] });
  });

  it("leaves what is told to and by a person out of the record where the policy says so", async () => {
    const self = asker();
    const turn = await self.open();
    const call = asks({ path: "a" }, { recorded: null, question: question({ recorded: { path: "[redacted]" } }) });
    const [decided] = await self.decide(turn, [call], { logConfirmations: false });
    const approval = decided?.approval;
    expect(approval?.recorded).toEqual({ path: "[redacted]" });
    await self.guard.approvals.answer(approval?.id ?? "", denies);
    const told = (await self.records()).filter((record) => record.kind === "approval");
    expect(told).toMatchObject([
      { event: "asked", disclosure: null, arguments: null },
      { event: "denied", reason: null, arguments: null, by: "ada" },
    ]);
    expect(codesOf(await release(self, { turn, call, approval } as Asked))).toEqual([["deny", "approval_denied"]]);
  });

  it("is refused as before where nobody can be asked", async () => {
    const self = asker();
    const turn = await self.open();
    const gate = { tool: "edit", disclosure: "d" };
    const mute = asks({}, { question: undefined });
    const decided = await self.decide(turn, [mute, { ...mute, counted: { windows: [], gate } }]);
    expect(codesOf(decided)).toEqual([
      ["confirm", "confirmation_required"],
      ["deny", "first_use"],
    ]);
    expect(decided.some(({ approval }) => approval)).toBe(false);
    expect((await self.records()).map((record) => record.kind === "decision" && record.disposition)).toEqual([
      "refused",
      "refused",
    ]);
  });

  it("is refused once so many wait, or so much, that it is no question any more", async () => {
    const many = asker();
    const turn = await many.open();
    const calls = Array.from({ length: 201 }, (_, index) => asks({ index }, { callId: `c${index}` }));
    const decided = await many.decide(turn, calls);
    const codes = decided.flatMap(({ approval }) => approval?.code ?? []);
    expect([codes.length, new Set(codes).size, decided[200]?.effect]).toEqual([200, 200, "confirm"]);
    const large = asker();
    const big = asks({ text: "x".repeat(400_000) });
    const asked = (await large.decide(await large.open(), [big, big, big])).map(
      ({ approval }) => approval !== undefined,
    );
    expect(asked).toEqual([true, true, false]);
    const huge = await large.decide(await large.open(), [asks({ text: "é".repeat(600_000) })]);
    expect(huge[0]?.approval).toBeUndefined();
  });
});

describe("an approval releases nothing", () => {
  const refusals: readonly (readonly [string, (asked: Asked) => CallToDecide, string])[] = [
    ["for other arguments", () => asks({ path: "b" }), "approval_mismatch"],
    [
      "for arguments that only bear its digest",
      () => asks({ path: "b" }, { digest: digestOf({ path: "a" }) }),
      "approval_mismatch",
    ],
    ["for arguments without a digest", () => asks({ path: "a" }, { digest: null }), "approval_mismatch"],
    ["for another signature", () => asks({ path: "a" }, { extra: { thought_signature: "s" } }), "approval_mismatch"],
    ["for another tool", () => asks({ path: "a" }, { tool: "delete" }), "approval_mismatch"],
    ["for another call", () => asks({ path: "a" }, { callId: "c2" }), "approval_mismatch"],
    [
      "where the rules forbid the call by now",
      ({ call }) => ({
        ...call,
        effect: "deny",
        reasons: [{ code: "role_forbids", tool: "edit", role: "user", roles: [] }],
      }),
      "role_forbids",
    ],
    [
      "for what it was not asked for: the text looks like an attack",
      ({ call }) => ({
        ...call,
        effect: "confirm",
        reasons: [{ code: "arguments_suspicious", tool: "edit", set: "sql", path: "/path" }],
      }),
      "approval_mismatch",
    ],
    [
      "for what it was not asked for: a first use",
      ({ call }) => ({ ...call, counted: { ...call.counted, gate: { tool: "edit" } } }),
      "approval_mismatch",
    ],
    [
      "past a limit",
      ({ call }) => ({ ...call, counted: { ...call.counted, windows: [{ key: "k", max: 0, windowMs: 1000 }] } }),
      "rate_limited",
    ],
    [
      "past a soft limit",
      ({ call }) => ({ ...call, counted: { ...call.counted, soft: { families: [], intents: [], max: 0 } } }),
      "soft_limit_reached",
    ],
  ];

  it.each(refusals)("%s, and is used up by it", async (_, made, code) => {
    const self = asker();
    const asked = await self.ask();
    await self.guard.approvals.answer(asked.approval.id, approves);
    const turn = await answering(self, asked);
    expect(codesOf(await self.decide(turn, [under(asked.approval, made(asked))]))).toEqual([["deny", code]]);
    expect(codesOf(await self.decide(turn, [under(asked.approval, asked.call)]))).toEqual([
      ["deny", "approval_mismatch"],
    ]);
    expect(await self.released()).toEqual([]);
    const settled = (await self.guard.approvals.find(asked.approval.id))?.usedBy;
    expect((await self.records()).find(({ id }) => id === settled)).toMatchObject({ disposition: "refused" });
  });

  it("before it is answered, and it goes on waiting", async () => {
    const self = asker();
    const asked = await self.ask();
    expect(codesOf(await release(self, asked))).toEqual([["deny", "approval_mismatch"]]);
    expect((await release(self, asked, asked.call, approves))[0]?.effect).toBe("allow");
  });

  it("in another session, for another user, and where there is none", async () => {
    const [self, other] = [asker(), asker()];
    const asked = await self.ask();
    await self.guard.approvals.answer(asked.approval.id, approves);
    const elsewhere = await self.open({ session: { id: "t", firstMessageDigest: "o", conversationKey: undefined } });
    const call = under(asked.approval, asked.call, approves);
    expect(codesOf(await self.decide(elsewhere, [call]))).toEqual([["deny", "approval_mismatch"]]);
    expect(codesOf(await other.decide(await other.open(), [call]))).toEqual([["deny", "approval_mismatch"]]);
    expect((await release(self, asked))[0]?.effect).toBe("allow");
    expect([await other.released(), await other.guard.approvals.find(asked.approval.id)]).toEqual([[], undefined]);
  });

  it("but what it was edited to", async () => {
    const self = asker();
    const asked = await self.ask();
    await self.guard.approvals.answer(asked.approval.id, edits({ path: "b" }));
    expect(await self.guard.approvals.find(asked.approval.id)).toMatchObject({
      status: "approved",
      arguments: '{"path":"b"}',
      recorded: { path: "b" },
    });
    const turn = await answering(self, asked);
    const [original, edited] = await self.decide(turn, [
      under({ id: "appr_none" }, asked.call),
      under(asked.approval, asks({ path: "b" })),
    ]);
    expect([original?.effect, edited?.effect]).toEqual(["deny", "allow"]);
    expect((await self.released()).map(({ arguments: args }) => args)).toEqual(['{"path":"b"}']);
    const second = await self.ask();
    await self.guard.approvals.answer(second.approval.id, edits({ path: "b" }));
    expect(codesOf(await release(self, second))).toEqual([["deny", "approval_mismatch"]]);
  });

  it("once it is denied, and the person's words are told", async () => {
    const self = asker();
    const asked = await self.ask();
    await self.guard.approvals.answer(asked.approval.id, denies);
    const [decided] = await release(self, asked, asked.call, approves);
    expect(decided).toMatchObject({ effect: "deny", reasons: [{ code: "approval_denied", reason: "not now" }] });
  });

  it("twice in one step", async () => {
    const self = asker();
    const asked = await self.ask();
    const turn = await answering(self, asked);
    const call = under(asked.approval, asked.call, approves);
    expect((await self.decide(turn, [call, call])).map(({ effect }) => effect)).toEqual(["allow", "deny"]);
  });
});

describe("an answer", () => {
  const other: readonly (readonly [string, Answer])[] = [
    ["denied", denies],
    ["edited", edits({ path: "b" })],
    ["approved with a grant", { ...approves, grant: { session: true, expiresAt: null, arguments: {} } }],
  ];
  it.each(other)("is taken once: what was approved cannot be %s after", async (_, answer) => {
    const self = asker();
    const { approval } = await self.ask();
    expect(await self.guard.approvals.answer(approval.id, approves)).toMatchObject({ kind: "answered", before: false });
    expect(await self.guard.approvals.answer(approval.id, { ...approves, by: "bob", via: "link" })).toMatchObject({
      kind: "answered",
      before: true,
      approval: { answer: { by: "ada" } },
    });
    expect(await self.guard.approvals.answer(approval.id, answer)).toMatchObject({
      kind: "settled",
      approval: { status: "approved" },
    });
    expect((await self.records()).filter(({ kind }) => kind === "approval").length).toBe(2);
    expect(await self.guard.grants.list()).toEqual([]);
  });

  it("is known again with its grant, whose time runs from another moment", async () => {
    const self = asker();
    const { approval } = await self.ask();
    const granting = (): Answer => ({
      ...approves,
      grant: { session: false, expiresAt: Date.now() + 3600_000, arguments: { path: { equals: "a" } } },
    });
    await self.guard.approvals.answer(approval.id, granting());
    expect(await self.guard.approvals.answer(approval.id, granting())).toMatchObject({
      kind: "answered",
      before: true,
    });
    expect((await self.guard.grants.list()).length).toBe(1);
  });

  it("is unknown where there is no approval", async () => {
    expect(await asker().guard.approvals.answer("appr_x", approves)).toEqual({ kind: "unknown" });
  });

  it("that the question did not offer is not taken", async () => {
    const self = asker();
    const { approval } = await self.ask(asks({}, { question: question({ editable: false, grantable: false }) }));
    const grant = { session: true, expiresAt: null, arguments: {} };
    // In the object: of a failed call of a stub the runtime reports the rejection twice.
    await runInDurableObject(self.stub, async (object) => {
      await expect(object.apis.approvals.answer(approval.id, edits({ path: "b" }))).rejects.toThrow("no such edit");
      await expect(object.apis.approvals.answer(approval.id, { ...approves, grant })).rejects.toThrow("no grant");
      // No first use is asked about.
      await expect(object.apis.approvals.answer(approval.id, { ...approves, enables: true })).rejects.toThrow(
        "enables nothing",
      );
    });
    expect((await self.guard.approvals.find(approval.id))?.status).toBe("pending");
  });
});
