/** What people say to plans: to one step, to the whole, with values, and no more of it. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Approval } from "../../../src/approvals/approval.ts";
import type { PlanApproval, StoredPlan } from "../../../src/ports/plans-port.ts";
import type { CallToDecide, DecidedCall } from "../../../src/ports/turns/decide-request.ts";
import {
  type Asker,
  approves,
  asker,
  codesOf,
  denies,
  type OpenedTurn,
  question,
  toDecide,
} from "../support/guard-asker.ts";
import { entry, finish, ring } from "../tools/managed-runs.ts";
import {
  approvalOf,
  begin,
  events,
  newPlan,
  openFor,
  plan,
  planRecords,
  refusalOf,
  save,
  standing,
  step,
  stepCall,
  taking,
} from "./kept-plans.ts";

const HOUR = 3600_000;
let start = 0;

beforeEach(() => {
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.setSystemTime(start + ms);
const confirmation = { windows: [], confirmation: {} };

const asked = (id: string, name = "a", over: Partial<CallToDecide> = {}): CallToDecide =>
  stepCall({ id }, name, { question: question({ expiresAt: start + HOUR }), counted: confirmation, ...over });

async function decided(self: Asker, turn: OpenedTurn, call: CallToDecide): Promise<DecidedCall> {
  const [one] = await self.decide(turn, [call]);
  if (!one) throw new Error("nothing was decided");
  return one;
}

/** A plan whose first step waits for a person; its turn has let go of it. */
async function waiting(placeholders: StoredPlan["placeholders"] = []) {
  const self = asker();
  const { id } = await save(self, newPlan(undefined, { placeholders }));
  const turn = await begin(self, id);
  const { approval } = await decided(self, turn, asked(id));
  await self.guard.plans.end(id, turn.turn);
  return { self, id, approval: approval as Approval };
}

const approvalsOf = async ({ guard }: Asker) =>
  (await guard.approvals.list({ limit: 9, order: "asc" })).data.map(({ status }) => status);

const settling = (id: string, approval: Approval, over: Partial<CallToDecide> = {}) =>
  asked(id, "a", { question: undefined, approval: { id: approval.id }, ...over });

describe("a step that waits for a person", () => {
  it("runs once it is approved, in the run that comes next", async () => {
    const { self, id, approval } = await waiting();
    expect([await standing(self, id), (await plan(self, id)).steps[0]?.approval]).toEqual([
      "paused waiting ready",
      approval.id,
    ]);
    await self.guard.approvals.answer(approval.id, approves);
    const turn = await begin(self, id);
    expect(await standing(self, id)).toBe("running waiting ready");
    await decided(self, turn, settling(id, approval, { run: entry() }));
    expect(await standing(self, id)).toBe("running running ready");
    expect((await plan(self, id)).steps[0]).toMatchObject({ tries: 1, approval: approval.id });
  });

  it("has failed where it is denied, and is asked about again in the run after", async () => {
    const { self, id, approval } = await waiting();
    await self.guard.approvals.answer(approval.id, denies);
    const turn = await begin(self, id);
    await decided(self, turn, settling(id, approval));
    await self.guard.plans.end(id, turn.turn);
    expect(await standing(self, id)).toBe("failed failed:approval_denied ready");
    expect((await planRecords(self)).at(-1)).toMatchObject({ event: "failed", fault: { code: "approval_denied" } });
    // That it has failed is told once, whatever else changes of it.
    await self.guard.plans.approve(id, approvalOf(await plan(self, id)), {});
    expect(await events(self)).toEqual(["generated", "started", "failed", "approved"]);
    const next = await begin(self, id);
    expect((await decided(self, next, asked(id))).effect).toBe("confirm");
    expect((await plan(self, id)).steps[0]).toMatchObject({ status: "waiting", tries: 2 });
  });

  it("goes on waiting where a turn comes too early", async () => {
    const { self, id, approval } = await waiting();
    const turn = await begin(self, id);
    expect(codesOf([await decided(self, turn, settling(id, approval))])).toEqual([["deny", "approval_mismatch"]]);
    expect([await standing(self, id), await approvalsOf(self)]).toEqual(["running waiting ready", ["pending"]]);
  });

  it("has failed once nobody has answered in time, whoever notices; the next run asks again", async () => {
    const { self, id, approval } = await waiting();
    later(HOUR);
    expect(await standing(self, id)).toBe("failed failed:approval_expired ready");
    expect(await events(self)).toEqual(["generated", "started", "failed"]);
    const turn = await begin(self, id);
    const told = await openFor(self, id, { answering: { kind: "native", ids: [approval.id] } });
    expect(told.waiting?.map(({ status }) => status)).toEqual(["expired"]);
    expect((await openFor(self, id)).waiting ?? []).toEqual([]);
    expect((await decided(self, turn, asked(id, "a", { question: question() }))).effect).toBe("confirm");
  });

  it("whose time is over while its turn waits is told by the turn", async () => {
    const self = asker();
    const { id } = await save(self);
    const turn = await begin(self, id);
    const { approval } = await decided(self, turn, asked(id, "a", { question: question({ channel: "hold" }) }));
    later(HOUR + 1000);
    expect(codesOf([await decided(self, turn, settling(id, approval as Approval))])).toEqual([
      ["deny", "approval_expired"],
    ]);
    expect(await standing(self, id)).toBe("running failed:approval_expired ready");
  });

  it("has failed where its conversation goes on to something else, or is gone", async () => {
    for (const end of [
      (self: Asker, id: string) => openFor(self, id, { newMessage: true }),
      (self: Asker, id: string) => openFor(self, id, { reset: true }),
    ]) {
      const { self, id } = await waiting();
      await end(self, id);
      expect([await standing(self, id), await approvalsOf(self)]).toEqual([
        "failed failed:approval_expired ready",
        ["cancelled"],
      ]);
    }
  });

  it("is the plan's still where a chat in its session takes it up, and is not asked for again", async () => {
    const { self, id, approval } = await waiting();
    const chat = await openFor(self, id);
    const call = asked(id, "a", {
      question: undefined,
      plan: undefined,
      approval: { id: approval.id, answer: approves },
    });
    expect((await decided(self, chat, call)).effect).toBe("allow");
    expect(await standing(self, id)).toBe("paused released ready");
    expect((await self.records()).at(-1)).toMatchObject({ kind: "decision", plan: id, planStep: "a" });
    await openFor(self, id, { results: [{ callId: "call_a", succeeded: true }] });
    expect(await standing(self, id)).toBe("paused succeeded ready");
  });

  it("is asked about anew where a value of it is another now, and only then", async () => {
    const places = (name: string) => [{ step: name, path: "/to" }];
    const placeholder = (name: string, of: string) => ({ name, schema: {}, optional: false, places: places(of) });
    const { self, id } = await waiting([placeholder("to", "a"), placeholder("when", "b")]);
    const turn = await begin(self, id, { values: { when: "now" } });
    expect([await standing(self, id), await approvalsOf(self)]).toEqual(["running waiting ready", ["pending"]]);
    await self.guard.plans.end(id, turn.turn);
    await begin(self, id, { values: { to: "bob" } });
    expect([await standing(self, id), await approvalsOf(self)]).toEqual(["running ready ready", ["cancelled"]]);
    expect((await plan(self, id)).values).toEqual({ when: "now", to: "bob" });
  });

  it("that ends by itself is asked about no more", async () => {
    const { self, id } = await waiting();
    const turn = await begin(self, id);
    const fault = { code: "abandoned" as const, message: "m" };
    await self.guard.plans.endStep({ id, turn: turn.turn, step: "a", fault });
    expect([await standing(self, id), await approvalsOf(self)]).toEqual([
      "running failed:abandoned ready",
      ["cancelled"],
    ]);
  });
});

describe("a plan approved as a whole", () => {
  const digest = (id: string) => String(stepCall({ id }, "a").digest);

  async function approved(steps: (id: string) => PlanApproval["steps"], over: Partial<PlanApproval> = {}) {
    const self = asker();
    const kept = await save(self);
    const outcome = await self.guard.plans.approve(kept.id, approvalOf(kept, steps(kept.id), over), {});
    expect(refusalOf(outcome)).toBe("none");
    return { self, id: kept.id, turn: await begin(self, kept.id) };
  }

  const covered = (id: string, over: Partial<CallToDecide> = {}, cover: object = { call: digest(id) }) =>
    stepCall(
      { id },
      "a",
      { counted: confirmation, question: question(), ...over },
      { covered: cover as { call: string } },
    );

  it("needs no confirmation for the calls that it covers, and the record says by what", async () => {
    const { self, id, turn } = await approved((of) => ({ a: { call: digest(of) }, b: { template: "t" } }));
    expect((await decided(self, turn, covered(id))).effect).toBe("allow");
    const b = stepCall({ id }, "b", { counted: confirmation }, { covered: { template: "t" } });
    expect((await decided(self, turn, b)).effect).toBe("allow");
    const records = (await self.records()).filter((record) => record.kind === "decision");
    expect(records).toMatchObject([
      { grant: id, planStep: "a", disposition: "released" },
      { grant: id, planStep: "b" },
    ]);
    const [record] = (await planRecords(self)).filter(({ event }) => event === "approved");
    expect(record).toMatchObject({
      digest: approvalOf(await plan(self, id)).digest,
      via: "api",
      by: "ada",
      policy: "p1",
    });
  });

  it("grants nothing that needs none, and the record says so", async () => {
    const { self, id, turn } = await approved((of) => ({ a: { call: digest(of) } }));
    expect((await decided(self, turn, covered(id, { counted: { windows: [] } }))).effect).toBe("allow");
    expect((await self.records()).at(-1)).not.toHaveProperty("grant");
  });

  const others: readonly (readonly [string, (id: string) => CallToDecide, string[]])[] = [
    ["is another", (id) => covered(id, { digest: "other" }), ["confirm", "confirmation_required"]],
    ["says that it is another", (id) => covered(id, {}, { call: "other" }), ["confirm", "confirmation_required"]],
    ["is known by a template", (id) => covered(id, {}, { template: digest(id) }), ["confirm", "confirmation_required"]],
    ["says nothing", (id) => asked(id), ["confirm", "confirmation_required"]],
    [
      "is a first use",
      (id) => covered(id, { counted: { ...confirmation, gate: { tool: "edit", perSession: true } } }),
      ["confirm", "first_use"],
    ],
    [
      "is over its limit",
      (id) => covered(id, { counted: { ...confirmation, windows: [{ key: "k", max: 0, windowMs: HOUR }] } }),
      ["deny", "rate_limited"],
    ],
    [
      "is over its soft limit",
      (id) => covered(id, { counted: { ...confirmation, soft: { families: ["f"], intents: [], max: 0 } } }),
      ["deny", "soft_limit_reached"],
    ],
    [
      "looks like an attack",
      (id) =>
        covered(id, { reasons: [{ code: "arguments_suspicious", tool: "edit", path: "/path", set: "x" }] as never }),
      ["confirm", "arguments_suspicious"],
    ],
  ];
  it.each(others)("does not cover a call that %s", async (_, call, told) => {
    const { self, id, turn } = await approved((of) => ({ a: { call: digest(of) } }));
    expect(codesOf([await decided(self, turn, call(id))])).toEqual([told]);
    expect((await self.records()).at(-1)).not.toHaveProperty("grant");
  });

  it("covers nothing under another policy, of another step, or by the name of an object's own property", async () => {
    for (const [steps, over, name] of [
      [(of: string) => ({ a: { call: digest(of) } }), { policy: "p0" }, "a"],
      [(of: string) => ({ a: { call: digest(of) } }), {}, "b"],
      [() => ({}), {}, "constructor"],
    ] as const) {
      const self = asker();
      const kept = await save(self, newPlan([step("a"), step("b"), step("constructor")]));
      await self.guard.plans.approve(kept.id, approvalOf(kept, steps(kept.id), over), {});
      const turn = await begin(self, kept.id);
      const call = stepCall(kept, name, { counted: confirmation }, { covered: { call: digest(kept.id) } });
      expect(codesOf([await decided(self, turn, call)])).toEqual([["confirm", "confirmation_required"]]);
    }
  });

  it("is withdrawn by another value, and by one more; not by the same", async () => {
    const self = asker();
    const kept = await save(self);
    const values = { to: { name: "bob" } };
    const whole = { ...kept, values };
    expect(refusalOf(await self.guard.plans.approve(kept.id, approvalOf(whole), values))).toBe("none");
    for (const [filled, stands] of [
      [{ to: { name: "bob" } }, true],
      [{ when: "now" }, false],
      [{ to: { name: "eve" } }, false],
    ] as const) {
      const before = await plan(self, kept.id);
      await self.guard.plans.approve(kept.id, approvalOf(before), {});
      const turn = await begin(self, kept.id, { values: filled });
      expect((await plan(self, kept.id)).approved !== null).toBe(stands);
      await self.guard.plans.end(kept.id, turn.turn);
    }
  });

  it("with other values is not gone on with by a turn that was silent too long: that has read the earlier ones", async () => {
    for (const values of [{}, { to: "eve" }]) {
      const self = asker();
      const kept = await save(self);
      const turn = await begin(self, kept.id);
      later(HOUR);
      const whole = approvalOf({ ...kept, values });
      expect(refusalOf(await self.guard.plans.approve(kept.id, whole, values))).toBe("none");
      const going = (guard: Asker["guard"]) => guard.turns.decide(toDecide(turn, [stepCall(kept, "a")]));
      await runInDurableObject(self.stub, async (object) => {
        if ("to" in values) await expect(going(object.apis)).rejects.toThrow("does not hold the plan");
        else expect(await going(object.apis)).toMatchObject([{ effect: "allow" }]);
      });
      later(0);
    }
  });

  it("is taken once, for the plan as it stands, while nobody runs it and it has not ended", async () => {
    const self = asker();
    const kept = await save(self);
    const { id } = kept;
    const yes = approvalOf(kept);
    const approving = (approval = yes, values = {}) => self.guard.plans.approve(id, approval, values).then(refusalOf);
    expect(await self.guard.plans.approve("plan_x", yes, {}).then(refusalOf)).toBe("unknown");
    expect(await approving({ ...yes, digest: "other" })).toBe("changed");
    expect(await approving(yes, { to: "bob" })).toBe("changed");
    expect([await approving(), await approving()]).toEqual(["none", "none"]);
    expect(await events(self)).toEqual(["generated", "approved"]);
    const turn = await begin(self, id);
    expect(await approving()).toBe("running");
    const { id: decision } = await decided(self, turn, stepCall({ id }, "a", { run: entry() }));
    await self.guard.plans.end(id, turn.turn);
    expect([await standing(self, id), await approving()]).toEqual(["running running ready", "running"]);
    expect(refusalOf(await taking(self, id))).toBe("running");
    await finish(self, turn, decision, "succeeded");
    expect(await approving()).toBe("none");
    await self.guard.plans.cancel(id);
    expect(await approving()).toBe("ended");
  });
});

describe("a plan that is cancelled", () => {
  it("decides nothing more; who is asked is asked no more, and what runs is noted", async () => {
    const self = asker();
    const { id } = await save(self, newPlan([step("a"), step("b"), step("c")]));
    const turn = await begin(self, id);
    const { id: decision } = await decided(self, turn, stepCall({ id }, "a", { run: entry() }));
    await decided(self, turn, asked(id, "b"));
    const outcome = await self.guard.plans.cancel(id);
    expect([refusalOf(outcome), await standing(self, id)]).toEqual(["none", "cancelled running ready ready"]);
    expect(await approvalsOf(self)).toEqual(["cancelled"]);
    await runInDurableObject(self.stub, (object) => {
      const request = toDecide(turn, [stepCall({ id }, "c")]);
      return expect(object.apis.turns.decide(request)).rejects.toThrow(/does not hold/);
    });
    await finish(self, turn, decision, "succeeded", { result: "1" });
    expect(await standing(self, id)).toBe("cancelled succeeded ready ready");
    await self.guard.plans.end(id, turn.turn);
    expect([refusalOf(await self.guard.plans.cancel(id)), refusalOf(await taking(self, id))]).toEqual([
      "none",
      "ended",
    ]);
    expect(refusalOf(await self.guard.plans.cancel("plan_x"))).toBe("unknown");
    expect((await planRecords(self)).at(-1)).toMatchObject({
      event: "cancelled",
      status: "cancelled",
      turn: turn.turn,
    });
    expect(await events(self)).toEqual(["generated", "started", "cancelled"]);
    await ring(self);
  });

  it("was not finished before", async () => {
    const self = asker();
    const { id } = await save(self, newPlan([step("a")]));
    const turn = await begin(self, id);
    await finish(self, turn, (await decided(self, turn, stepCall({ id }, "a", { run: entry() }))).id, "succeeded");
    expect(refusalOf(await self.guard.plans.cancel(id))).toBe("ended");
    // Its turn died before it could let go.
    later(2 * 60_000);
    await ring(self);
    expect([await standing(self, id), await events(self)]).toEqual([
      "finished succeeded",
      ["generated", "started", "finished"],
    ]);
  });
});
