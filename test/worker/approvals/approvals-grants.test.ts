/** What an answer allows from then on: grants with their scopes, and first-time consents. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Answer, GrantTerms } from "../../../src/approvals/approval.ts";
import { riskProfileOf } from "../../../src/policy/vet.ts";
import type { CallToDecide } from "../../../src/ports/turns/decide-request.ts";
import type { Question } from "../../../src/ports/turns/question.ts";
import { type Asker, approves, asker, asks, codesOf, denies, edits, under } from "../support/guard-asker.ts";

afterEach(() => {
  vi.useRealTimers();
});

const elsewhere = { session: { id: "t", firstMessageDigest: "o", conversationKey: undefined } };
const granting = (over: Partial<GrantTerms> = {}, answer: Answer = approves): Answer => ({
  ...answer,
  grant: { session: true, expiresAt: null, arguments: {}, ...over },
});

/** A user who has approved one call of `edit` on `a`, for good. */
async function granted(over: Partial<GrantTerms> = {}): Promise<Asker> {
  const self = asker();
  const { approval } = await self.ask();
  await self.guard.approvals.answer(approval.id, granting(over));
  return self;
}

const knownRisk = (asks().question as Question).disclosure;
const goesTo = (destinations: Record<string, string>): Partial<CallToDecide> => ({
  counted: { ...asks().counted, confirmation: { riskProfile: riskProfileOf(knownRisk), destinations } },
});

/** Whether the next such call runs unasked. */
async function runs(self: Asker, call: CallToDecide = asks(), over = {}, more = {}): Promise<boolean> {
  const [decided] = await self.decide(await self.open(over), [call], more);
  return decided?.ordinal !== undefined;
}

describe("a grant", () => {
  it("lets such calls run unasked, and the record says by which", async () => {
    const self = await granted();
    expect(await runs(self)).toBe(true);
    const [grant] = await self.guard.grants.list();
    expect(grant).toMatchObject({ id: expect.stringMatching(/^grant_/), tool: "edit", session: "s", arguments: {} });
    const records = await self.records();
    expect(records.at(-1)).toMatchObject({
      kind: "decision",
      effect: "allow",
      disposition: "released",
      grant: grant?.id,
    });
    expect(records.find((one) => one.kind === "approval" && one.event === "approved")).toMatchObject({
      grant: { id: grant?.id, session: "s", expiresAt: null, arguments: [] },
    });
  });

  const scopes: readonly (readonly [string, Partial<GrantTerms>, CallToDecide, object, boolean])[] = [
    ["for where the call goes: there", { destinations: { to: "b" } }, asks({}, goesTo({ to: "b" })), {}, true],
    ["for where the call goes: nowhere else", { destinations: { to: "b" } }, asks({}, goesTo({ to: "e" })), {}, false],
    [
      "for where the call goes: not to more",
      { destinations: { to: "b" } },
      asks({}, goesTo({ to: "b", cc: "e" })),
      {},
      false,
    ],
    ["for where the call goes: not without it", { destinations: { to: "b" } }, asks({}, goesTo({})), {}, false],
    ["of a call that goes nowhere: not to somebody", {}, asks({}, goesTo({ to: "e" })), {}, false],
    [
      "for a value that the person named: with it",
      { arguments: { to: { matches: ".*" } } },
      asks({ to: "e" }, goesTo({ to: "e" })),
      {},
      true,
    ],
    ["for its session: not in another", {}, asks(), elsewhere, false],
    ["for every session: in another", { session: false }, asks(), elsewhere, true],
    ["for its tool: not for another", { session: false }, asks({ path: "a" }, { tool: "delete" }), {}, false],
    ["for a value: with it", { arguments: { path: { equals: "a" } } }, asks({ path: "a", more: 1 }), {}, true],
    ["for a value: not with another", { arguments: { path: { equals: "a" } } }, asks({ path: "b" }), {}, false],
    ["for a value: not without it", { arguments: { path: { equals: "a" } } }, asks({}), {}, false],
    [
      "for a pattern: with what it matches",
      { arguments: { path: { matches: "a.*" } } },
      asks({ path: "abc" }),
      {},
      true,
    ],
    ["for a pattern: not with more", { arguments: { path: { matches: "a" } } }, asks({ path: "ab" }), {}, false],
    ["in JSON mode, where nobody can be asked", {}, asks({}, { question: undefined }), {}, true],
  ];
  it.each(scopes)("%s", async (_, terms, call, over, expected) => {
    expect(await runs(await granted(terms), call, over)).toBe(expected);
  });

  it("holds until its time is over, and is listed no longer", async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const self = await granted({ expiresAt: start + 60_000 });
    vi.setSystemTime(start + 59_999);
    expect(await runs(self)).toBe(true);
    vi.setSystemTime(start + 60_000);
    expect(await runs(self)).toBe(false);
    expect(await self.guard.grants.list()).toEqual([]);
  });

  it("holds until it is withdrawn; then no retry gets a call again that it let by", async () => {
    const self = await granted();
    const [grant] = await self.guard.grants.list();
    expect(await runs(self, asks(), { digest: "same" })).toBe(true);
    expect((await self.open({ digest: "same" })).replay?.length).toBe(1);
    expect(await self.guard.grants.withdraw("grant_none")).toBe(false);
    expect(await self.guard.grants.withdraw(grant?.id ?? "")).toBe(true);
    expect((await self.open({ digest: "same" })).replay).toBeUndefined();
    expect([await runs(self), await self.guard.grants.withdraw(grant?.id ?? "")]).toEqual([false, false]);
  });

  it("counts no more where the policy gives none", async () => {
    const self = await granted();
    expect(await runs(self, asks(), {}, { grants: false })).toBe(false);
    expect(await runs(self)).toBe(true);
  });

  it("answers neither a first use nor what looks like an attack, and lifts no limit", async () => {
    const self = await granted();
    const call = asks();
    const suspicious: CallToDecide = {
      ...call,
      effect: "confirm",
      reasons: [{ code: "arguments_suspicious", tool: "edit", set: "sql", path: "/path" }],
    };
    const first = { ...call, counted: { ...call.counted, gate: { tool: "edit" } } };
    const full = { ...call, counted: { ...call.counted, windows: [{ key: "k", max: 0, windowMs: 1000 }] } };
    const decided = await self.decide(await self.open(), [suspicious, first, full]);
    expect(codesOf(decided)).toEqual([
      ["confirm", "arguments_suspicious"],
      ["confirm", "first_use"],
      ["deny", "rate_limited"],
    ]);
    expect(decided.map(({ approval }) => approval?.asks)).toEqual([["arguments_suspicious"], ["first_use"], undefined]);
  });

  it("that an approval relied on must hold when it is released", async () => {
    const self = await granted();
    const call: CallToDecide = {
      ...asks(),
      effect: "confirm",
      reasons: [{ code: "arguments_suspicious", tool: "edit", set: "sql", path: "/path" }],
    };
    const ask = async () => (await self.ask(call, { newMessage: false })).approval;
    const release = async (approval: { readonly id: string }) =>
      codesOf(await self.decide(await self.open({ newMessage: false }), [under(approval, call, approves)]));
    expect(await release(await ask())).toEqual([["allow"]]);
    const [grant] = await self.guard.grants.list();
    expect((await self.records()).at(-1)).toMatchObject({ grant: grant?.id, approval: expect.any(String) });
    const late = await ask();
    await self.guard.grants.withdraw(grant?.id ?? "");
    expect(await release(late)).toEqual([["deny", "approval_mismatch"]]);
  });

  it("is given with an edit too, and never with a refusal", async () => {
    const self = asker();
    const { approval } = await self.ask();
    await self.guard.approvals.answer(
      approval.id,
      granting({ arguments: { path: { equals: "b" } } }, edits({ path: "b" })),
    );
    expect(await runs(self, asks({ path: "b" }), { newMessage: false })).toBe(true);
    const other = asker();
    const asked = await other.ask();
    await other.guard.approvals.answer(asked.approval.id, denies);
    expect([await other.guard.grants.list(), await runs(other)]).toEqual([[], false]);
  });
});

describe("a first use that is asked for", () => {
  const external = (gate: object = {}, over: Partial<CallToDecide> = {}): CallToDecide =>
    asks({ q: 1 }, { tool: "web", counted: { windows: [], gate: { tool: "web", ...gate } }, ...over });

  it.each([
    ["for every session", {}, null, true],
    ["for its session alone, where the policy keeps no consents", { perSession: true }, "s", false],
  ])("opens the gate %s with the release, not before", async (_, gate, session, anywhere) => {
    const self = asker();
    const call = external(gate);
    const { approval } = await self.ask(call);
    expect(approval.asks).toEqual(["first_use"]);
    await self.guard.approvals.answer(approval.id, { ...approves, enables: true });
    expect(await self.guard.gates.list()).toEqual([]);
    const [decided] = await self.decide(await self.open({ newMessage: false }), [under(approval, call)]);
    expect(decided?.effect).toBe("allow");
    expect(await self.guard.gates.list()).toEqual([
      { tool: "web", session, openedAt: expect.any(Number), goesTo: null },
    ]);
    expect(await runs(self, call)).toBe(true);
    expect(await runs(self, call, elsewhere)).toBe(anywhere);
  });

  it("is for its call alone where the answer is a mere yes", async () => {
    const self = asker();
    const call = external();
    const { approval } = await self.ask(call);
    await self.guard.approvals.answer(approval.id, approves);
    const [decided] = await self.decide(await self.open({ newMessage: false }), [under(approval, call)]);
    expect(decided?.effect).toBe("allow");
    expect(await self.guard.gates.list()).toEqual([]);
    expect(await runs(self, call)).toBe(false);
  });

  it("that was asked about before disclosures were data is consent, as it was told then", async () => {
    const self = asker();
    const call = external();
    const written = {
      language: "en",
      tool: "web",
      category: "external",
      summary: "This is the first time that `web` is used.",
      notes: [],
      changes: [],
      destination: null,
      reversible: false,
      undoing: "",
      question: "Enable web from now on, until you withdraw it?",
      learnMore: null,
    } as const;
    const question = { ...call.question, disclosure: written } as unknown as Question;
    const { approval } = await self.ask({ ...call, question });
    await self.guard.approvals.answer(approval.id, approves);
    await self.decide(await self.open({ newMessage: false }), [under(approval, call)]);
    expect(await self.guard.gates.list()).toMatchObject([{ tool: "web" }]);
  });

  it("that is refused, or whose call is, opens none", async () => {
    const self = asker();
    const call = external();
    const { approval } = await self.ask(call);
    await self.decide(await self.open({ newMessage: false }), [under(approval, call, denies)]);
    const limited = external({}, { counted: { ...call.counted, windows: [{ key: "k", max: 0, windowMs: 1 }] } });
    const again = await self.ask(call, { newMessage: false });
    await self.decide(await self.open({ newMessage: false }), [under(again.approval, limited, approves)]);
    expect(await self.guard.gates.list()).toEqual([]);
  });

  it("asks with the confirmation, in one question", async () => {
    const self = asker();
    const call = external({}, {});
    const both = { ...call, counted: { ...call.counted, confirmation: {} } };
    const { approval } = await self.ask(both);
    expect(approval.asks).toEqual(["first_use", "confirmation_required"]);
    const [decided] = await self.decide(await self.open({ newMessage: false }), [under(approval, both, approves)]);
    expect(decided?.effect).toBe("allow");
  });
});
