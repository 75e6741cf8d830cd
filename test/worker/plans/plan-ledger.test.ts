/** Plans in a user's object: what was planned, what each step came to, and who may run it. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_PLAN_BYTES, MAX_PLANS, MAX_STEP_RESULT } from "../../../src/ports/plans-port.ts";
import type { CallToDecide, DecidedCall } from "../../../src/ports/turns/decide-request.ts";
import { guardSchema } from "../../../src/stores/guard/schema/guard-schema.ts";
import { upgradeObject } from "../../../src/stores/objects/object-schema.ts";
import { type Asker, asker, asks, type OpenedTurn, toDecide } from "../support/guard-asker.ts";
import { entry, finish, query, ring, runRecords } from "../tools/managed-runs.ts";
import {
  begin,
  events,
  newPlan,
  openFor,
  ownerOf,
  plan,
  planRecords,
  refusalOf,
  save,
  standing,
  step,
  stepCall,
  taking,
} from "./kept-plans.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let start = 0;

beforeEach(() => {
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number): void => void vi.setSystemTime(start + ms);

/** A plan that a turn has taken. */
async function taken(over: Parameters<typeof newPlan>[1] = {}, steps = [step("a"), step("b")]) {
  const self = asker();
  const { id } = await save(self, newPlan(steps, over));
  return { self, id, turn: await begin(self, id) };
}

async function decided(self: Asker, turn: OpenedTurn, call: CallToDecide): Promise<DecidedCall> {
  const [one] = await self.decide(turn, [call]);
  if (!one) throw new Error("nothing was decided");
  return one;
}

const runs = (id: string, name: string, over: Partial<CallToDecide> = {}) =>
  stepCall({ id }, name, { run: entry(), ...over });

/** Within the object, where a rejection is nobody else's. */
const rejects = (self: Asker, body: (guard: Asker["guard"]) => Promise<unknown>, message: RegExp): Promise<void> =>
  runInDurableObject(self.stub, (object) => expect(body(object.apis)).rejects.toThrow(message));

const decides =
  (turn: OpenedTurn, ...calls: readonly CallToDecide[]) =>
  (guard: Asker["guard"]) =>
    guard.turns.decide(toDecide(turn, calls));

describe("a plan", () => {
  it("is kept, run step by step, and recorded from its beginning to its end", async () => {
    const self = asker();
    const { id } = await save(self);
    expect(await standing(self, id)).toBe("ready ready ready");
    const turn = await begin(self, id);
    expect([refusalOf(await taking(self, id)), (await plan(self, id)).turn]).toEqual(["running", turn.turn]);
    const first = await decided(self, turn, runs(id, "a"));
    expect(await standing(self, id)).toBe("running running ready");
    later(1000);
    await finish(self, turn, first.id, "succeeded", { result: '{"id":7}' });
    const told = { decision: first.id, result: '{"id":7}', trusted: true, tries: 1, startedAt: start };
    expect((await plan(self, id)).steps[0]).toMatchObject({ ...told, endedAt: start + 1000 });
    const handshake = stepCall({ id }, "b", { tool: "select_intent", handshake: true });
    const [, second] = await self.decide(turn, [handshake, stepCall({ id }, "b")]);
    await self.guard.plans.end(id, turn.turn);
    expect(await standing(self, id)).toBe("paused succeeded released");
    await openFor(self, id, { results: [{ callId: "call_b", succeeded: true, text: "done" }] });
    expect(await standing(self, id)).toBe("finished succeeded succeeded");
    expect((await plan(self, id)).steps[1]).toMatchObject({ decision: second?.id, result: "done", trusted: false });
    expect(refusalOf(await taking(self, id))).toBe("ended");
    const records = await planRecords(self);
    expect(records.map(({ event, status }) => [event, status])).toEqual([
      ["generated", "ready"],
      ["started", "running"],
      ["finished", "finished"],
    ]);
    const place = { plan: id, session: id, tools: ["edit", "edit"], policy: "p1", role: "user", fault: null };
    expect(records[0]).toMatchObject({ ...place, model: "m", modelCalls: 1, usage: { total_tokens: 5 }, turn: null });
    expect(records[1]).toMatchObject({ ...place, model: null, modelCalls: 0, usage: null, turn: turn.turn });
    const decisions = (await self.records()).filter((record) => record.kind === "decision");
    expect(decisions.map((one) => [one.madeBy, one.plan, one.planStep, one.disposition])).toEqual([
      ["plan", id, "a", "run"],
      ["plan", id, "b", "hidden"],
      ["plan", id, "b", "released"],
    ]);
  });

  it("that is empty says why, and has ended", async () => {
    const self = asker();
    const fault = { code: "tool_unknown" as const, message: "there is no tool `fly`", step: "s1" };
    const { id, status } = await save(self, newPlan([], { fault }));
    expect([status, refusalOf(await taking(self, id))]).toEqual(["empty", "ended"]);
    const record = {
      event: "planning_error",
      fault: { code: "tool_unknown", step: "s1" },
      model: "m",
      status: "empty",
    };
    expect(await planRecords(self)).toMatchObject([record]);
  });

  it("is put down once, within bounds", async () => {
    const self = asker();
    const given = newPlan();
    const kept = await save(self, given);
    expect(await save(self, { ...given, input: "another" })).toEqual(kept);
    expect(await events(self)).toEqual(["generated"]);
    const large = newPlan([step("a", { text: "語".repeat(MAX_PLAN_BYTES / 3) })]);
    await rejects(self, (guard) => guard.plans.save({ tenant: "acme", user: self.user }, large), /too large/);
    const values = { x: "v".repeat(300_000) };
    const taking = { id: given.id, turn: "t", values, repeatUnknown: false };
    await rejects(self, (guard) => guard.plans.begin(taking), /too large/);
    expect(await standing(self, given.id)).toBe("ready ready ready");
  });

  it("makes room by the oldest that has ended, and for none that has not", async () => {
    const self = asker();
    const ended = await save(self, newPlan([]));
    await save(self, newPlan([]));
    await runInDurableObject(self.stub, (_, { storage }) => {
      for (let n = 2; n < MAX_PLANS; n++)
        storage.sql.exec(
          `INSERT INTO plans SELECT 'plan_x${n}', session, 'failed', begun, noted, turn, until, filled, approved, keep_ms, created,
             updated - 1, expires, body FROM plans WHERE id = ?`,
          ended.id,
        );
    });
    later(1);
    const others = [await save(self), await save(self)];
    expect(await self.guard.plans.find(ended.id)).toBeUndefined();
    expect(refusalOf(await self.guard.plans.save(ownerOf(self), newPlan()))).toBe("full");
    expect((await plan(self, String(others[1]?.id))).status).toBe("ready");
  });

  it("is forgotten some time after its last change, and whoever is asked about it then is asked no more", async () => {
    const { self, id, turn } = await taken({ keepMs: DAY });
    const question = { channel: "inline" as const, expiresAt: start + 9 * DAY };
    await decided(self, turn, asking(id, "a", question));
    later(MINUTE);
    await self.guard.plans.end(id, turn.turn);
    later(DAY);
    expect((await plan(self, id)).expiresAt).toBe(start + DAY + MINUTE);
    later(DAY + MINUTE);
    expect([await self.guard.plans.find(id), refusalOf(await taking(self, id))]).toEqual([undefined, "unknown"]);
    await ring(self);
    expect(await query(self, "SELECT id FROM plans UNION ALL SELECT plan FROM plan_steps")).toEqual([]);
    expect((await self.guard.approvals.list({ limit: 9, order: "asc" })).data).toMatchObject([{ status: "cancelled" }]);
  });

  it("is listed by status, page by page, without results", async () => {
    const self = asker();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      later(n);
      ids.push((await save(self)).id);
    }
    const [one = "", two = "", three = ""] = ids;
    const turn = await begin(self, two);
    await finish(self, turn, (await decided(self, turn, runs(two, "a"))).id, "succeeded");
    const page = async (over: object) => {
      const { data, hasMore } = await self.guard.plans.list({ limit: 2, order: "desc", ...over });
      return [data.map(({ id }) => id), hasMore];
    };
    expect(await page({})).toEqual([[three, two], true]);
    expect(await page({ after: two })).toEqual([[one], false]);
    expect(await page({ status: "running" })).toEqual([[two], false]);
    expect(await page({ status: "ready", order: "asc" })).toEqual([[one, three], false]);
    const { data } = await self.guard.plans.list({ limit: 1, order: "asc", after: one });
    expect(data[0]?.steps[0]).toMatchObject({ status: "succeeded", result: null });
    const large = newPlan([step("a", { text: "x".repeat(1_400_000) })]);
    for (let n = 0; n < 4; n++) await save(self, { ...large, id: `plan_z${n}` });
    expect(await page({ limit: 50, after: undefined })).toEqual([["plan_z3", "plan_z2"], true]);
  });
});

function asking(id: string, name: string, question: { channel: "inline" | "hold"; expiresAt: number }): CallToDecide {
  const { question: asked, counted } = asks(undefined, {});
  return stepCall({ id }, name, { question: asked && { ...asked, ...question }, counted });
}

describe("the turn that runs a plan", () => {
  it("holds it for twenty seconds after its last word, and a run that it began until its time is over", async () => {
    const { self, id, turn } = await taken();
    later(19_999);
    expect(refusalOf(await taking(self, id))).toBe("running");
    const first = await decided(self, turn, runs(id, "a", { run: entry({ deadline: start + 5 * MINUTE }) }));
    later(5 * MINUTE);
    expect(refusalOf(await taking(self, id))).toBe("running");
    expect((await plan(self, id)).heldUntil).toBe(start + 5 * MINUTE + 10_000);
    // Whoever ran it would have told by now.
    later(5 * MINUTE + 1);
    expect((await self.guard.runs.wait([first.id], 0))[0]?.status).toBe("unknown");
    expect(await standing(self, id)).toBe("failed unknown:outcome_unknown ready");
    expect(refusalOf(await taking(self, id))).toBe("unknown_step");
    expect(refusalOf(await taking(self, id, { repeatUnknown: true }))).toBe("none");
    expect(await standing(self, id)).toBe("running ready ready");
  });

  it("takes it twice as once, and goes on after its lease as long as no other has taken it", async () => {
    const { self, id, turn } = await taken();
    const again = { id, turn: turn.turn, values: { x: 1 }, repeatUnknown: false };
    expect(await self.guard.plans.begin(again)).toMatchObject({ ok: true, plan: { values: {}, turn: turn.turn } });
    later(MINUTE);
    await ring(self);
    expect(await standing(self, id)).toBe("paused ready ready");
    const { id: decision } = await decided(self, turn, runs(id, "a"));
    later(80_000);
    await finish(self, turn, decision, "succeeded");
    later(99_999);
    expect(refusalOf(await taking(self, id))).toBe("running");
    later(100_000);
    const next = await begin(self, id);
    await rejects(self, decides(turn, stepCall({ id }, "b")), /does not hold/);
    const fault = { code: "reference_unresolved" as const, message: "m" };
    await rejects(self, (guard) => guard.plans.endStep({ id, turn: turn.turn, step: "b", fault }), /does not hold/);
    await self.guard.plans.end(id, turn.turn);
    expect((await plan(self, id)).turn).toBe(next.turn);
    expect(await events(self)).toEqual(["generated", "started"]);
  });

  it("holds it while somebody is asked who may answer in it", async () => {
    const { self, id, turn } = await taken();
    await decided(self, turn, asking(id, "a", { channel: "hold", expiresAt: start + 10 * MINUTE }));
    later(10 * MINUTE);
    expect(refusalOf(await taking(self, id))).toBe("running");
    // What has expired the turn tells itself.
    expect(await standing(self, id)).toBe("running waiting ready");
    later(10 * MINUTE + 10_000);
    await ring(self);
    expect(await standing(self, id)).toBe("failed failed:approval_expired ready");
    expect(await events(self)).toEqual(["generated", "started", "failed"]);
  });

  it("decides nothing of a step that is not due, not its own, or another's call, and nothing beside it", async () => {
    const { self, id, turn } = await taken();
    const other = await openFor(self, "s");
    await decided(self, turn, runs(id, "a"));
    await rejects(self, decides(turn, stepCall({ id }, "a")), /is running/);
    await rejects(self, decides(turn, stepCall({ id }, "x")), /no such step/);
    await rejects(self, decides(turn, stepCall({ id }, "b", { tool: "delete" })), /not that of the step/);
    await rejects(self, decides(turn, stepCall({ id }, "b", { approval: { id: "appr_1" } })), /is ready/);
    await rejects(self, decides(other, stepCall({ id }, "b")), /does not hold/);
    await rejects(self, decides(turn, stepCall({ id: "plan_x" }, "b")), /does not hold/);
    await rejects(self, decides(turn, stepCall({ id }, "b"), stepCall({ id }, "b")), /is released/);
    expect((await self.records()).filter(({ kind }) => kind === "decision").length).toBe(1);
    expect([await self.released(), await standing(self, id)]).toEqual([[], "running running ready"]);
  });

  it("ends a step that has no call to decide, and what it would have said of another stays unsaid", async () => {
    const { self, id, turn } = await taken();
    const fault = { code: "reference_unresolved" as const, message: "nothing is there", step: "a" };
    const told = { id, turn: turn.turn, step: "a", fault };
    expect(await self.guard.plans.endStep(told)).toBe("failed");
    const kept = await plan(self, id);
    expect([kept.steps[0]?.fault, kept.steps[0]?.tries]).toEqual([fault, 1]);
    later(1_000);
    expect(await self.guard.plans.endStep(told)).toBe("failed");
    expect(await plan(self, id)).toEqual(kept);
    await decided(self, turn, runs(id, "b"));
    expect(await self.guard.plans.endStep({ ...told, step: "b" })).toBe("running");
    expect(await standing(self, id)).toBe("running failed:reference_unresolved running");
    await rejects(self, (guard) => guard.plans.endStep({ ...told, step: "x" }), /no such step/);
    await rejects(self, (guard) => guard.plans.end("plan_x", "t"), /no such plan/);
  });
});

describe("a step", () => {
  const ends = [
    ["succeeded", "succeeded", undefined],
    ["failed", "failed:tool_failed", "`edit` in step `a` failed: the tool answered 500"],
    ["unknown", "unknown:outcome_unknown", "`edit` in step `a` may have been done: the tool answered 500"],
    ["not_started", "failed:tool_failed", "`edit` in step `a` did not begin: the tool answered 500"],
  ] as const;
  it.each(ends)("whose run is %s is %s", async (status, told, message) => {
    const { self, id, turn } = await taken();
    const { id: decision } = await decided(self, turn, runs(id, "a", { run: entry({ trusted: false }) }));
    await finish(self, turn, decision, status);
    expect(await standing(self, id)).toBe(`running ${told} ready`);
    // Its turn may go on from there.
    expect(await events(self)).toEqual(["generated", "started"]);
    const { steps } = await self.guard.plans.end(id, turn.turn);
    const result = status === "succeeded" ? '{"id":1}' : null;
    expect([steps[0]?.fault?.message, steps[0]?.trusted, steps[0]?.result]).toEqual([message, false, result]);
    const [failed] = (await planRecords(self)).filter(({ event }) => event === "failed");
    const [code] = told.split(":").slice(1);
    expect(failed?.fault ?? null).toEqual(code ? { code, step: "a" } : null);
    if (status === "unknown") return expect(refusalOf(await taking(self, id))).toBe("unknown_step");
    const next = await begin(self, id);
    const rest = await decided(self, next, runs(id, code ? "a" : "b"));
    await finish(self, next, rest.id, "succeeded");
    expect((await plan(self, id)).steps[0]).toMatchObject({ tries: code ? 2 : 1, fault: null, status: "succeeded" });
    return undefined;
  });

  it("that is refused says which rules refuse it", async () => {
    const { self, id, turn } = await taken();
    const reasons = [{ code: "mode_forbids" as const, tool: "edit", mode: "notes" }];
    await decided(self, turn, stepCall({ id }, "a", { effect: "deny", reasons }));
    expect((await plan(self, id)).steps[0]?.fault).toMatchObject({ code: "refused", message: /mode_forbids/ });
    // Nobody can be asked.
    await decided(self, turn, stepCall({ id }, "b", { counted: { windows: [], confirmation: {} } }));
    expect(await standing(self, id)).toBe("running failed:refused failed:refused");
  });

  it.each([
    [true, "paused succeeded ready"],
    [false, "failed failed:client_failed ready"],
  ] as const)("handed to the client is settled by its result (succeeded: %s)", async (succeeded, told) => {
    const { self, id, turn } = await taken();
    await decided(self, turn, stepCall({ id }, "a", {}, { trusted: true }));
    await self.guard.plans.end(id, turn.turn);
    const text = "x".repeat(MAX_STEP_RESULT);
    await openFor(self, id, { results: [{ callId: "call_a", succeeded, text }] });
    expect(await standing(self, id)).toBe(told);
    expect((await plan(self, id)).steps[0]).toMatchObject({ result: succeeded ? text : null, trusted: true });
  });

  // Of one byte, at which SQLite takes a text to end, and of two.
  it.each(["\0", "é"])("keeps no result that is too long, alone or with the others (%j)", async (unit) => {
    const names = Array.from({ length: 18 }, (_, n) => `s${n}`);
    const { self, id, turn } = await taken(
      {},
      names.map((name) => step(name)),
    );
    for (const [n, name] of names.entries()) {
      const { id: decision } = await decided(self, turn, runs(id, name, { callId: name }));
      await finish(self, turn, decision, "succeeded", { result: unit.repeat(MAX_STEP_RESULT + (n === 0 ? 1 : 0)) });
    }
    const kept = (await plan(self, id)).steps.flatMap(({ result }, n) => (result === null ? [] : [n]));
    expect(kept).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    expect(await query(self, "SELECT MAX(length(outcome)) < 1000 AS ok FROM runs")).toEqual([{ ok: 1 }]);
  });

  it("whose call never reached the client is ready again; one that the user went on from may have been done", async () => {
    const { self, id, turn } = await taken();
    await decided(self, turn, stepCall({ id }, "a"));
    await self.guard.plans.end(id, turn.turn);
    await self.close(turn, true);
    expect(await standing(self, id)).toBe("paused ready ready");
    const next = await begin(self, id);
    await decided(self, next, stepCall({ id }, "a"));
    await self.guard.plans.end(id, next.turn);
    await openFor(self, id, { newMessage: true });
    expect(await standing(self, id)).toBe("failed unknown:abandoned ready");
  });

  it("whose call another turn may have handed out again stays out, though the first reply was lost", async () => {
    const { self, id, turn } = await taken();
    await decided(self, turn, stepCall({ id }, "a"));
    await self.guard.plans.end(id, turn.turn);
    await begin(self, id);
    await self.close(turn, true);
    expect(await standing(self, id)).toBe("running released ready");
  });
});

describe("the session of a plan", () => {
  it("takes the plan with it where the user deletes it, before it was ever run too", async () => {
    const { self, id, turn } = await taken();
    const { id: decision } = await decided(self, turn, runs(id, "a"));
    const untouched = await save(self);
    for (const one of [id, untouched.id]) {
      expect(await self.guard.sessions.delete(one)).toBe(true);
      expect(await self.guard.plans.find(one)).toBeUndefined();
      expect(await self.guard.sessions.delete(one)).toBe(false);
    }
    await finish(self, turn, decision, "succeeded");
    expect([await events(self), (await runRecords(self)).length]).toEqual([
      ["generated", "started", "generated", "cancelled", "cancelled"],
      1,
    ]);
  });

  it("leaves the plan where it idles out: what was handed out may have been done, and is handed out again only where the run says so", async () => {
    const { self, id, turn } = await taken();
    await decided(self, turn, stepCall({ id }, "a"));
    await self.guard.plans.end(id, turn.turn);
    later(DAY + 2 * MINUTE);
    await ring(self);
    expect([await self.guard.sessions.find(id), await standing(self, id)]).toEqual([
      undefined,
      "failed unknown:abandoned ready",
    ]);
    await expect(begin(self, id)).rejects.toThrow("unknown_step");
    const next = await begin(self, id, { repeatUnknown: true });
    await decided(self, next, stepCall({ id }, "a"));
    expect(await standing(self, id)).toBe("running released ready");
  });
});

describe("an object of schema 8", () => {
  it("gets plans and loses nothing; what code of schema 8 has ended is caught up", async () => {
    const self = asker();
    await runInDurableObject(self.stub, async (_, { storage }) => {
      await storage.deleteAll();
      expect(upgradeObject(storage, "UserGuard", guardSchema.slice(0, 8))).toEqual({ ok: true, value: 8 });
      storage.sql.exec(
        `INSERT INTO sessions (id, opening, fresh, created, seen) VALUES ('s', 'o', 0, ${start}, ${start})`,
      );
    });
    await evictDurableObject(self.stub);
    const { id } = await save(self, newPlan(["a", "b", "c", "d", "e"].map((name) => step(name))));
    const turn = await begin(self, id);
    const run = await decided(self, turn, runs(id, "a"));
    const lost = await decided(self, turn, runs(id, "b", { callId: "c2" }));
    const gone = await decided(self, turn, runs(id, "c", { callId: "c3" }));
    const settled = await decided(self, turn, stepCall({ id }, "d"));
    await runInDurableObject(self.stub, (_, { storage }) => {
      const outcome = JSON.stringify({ status: "succeeded", detail: null });
      storage.sql.exec("UPDATE runs SET status = 'succeeded', outcome = ? WHERE decision = ?", outcome, run.id);
      storage.sql.exec("DELETE FROM runs WHERE decision IN (?, ?)", lost.id, gone.id);
      storage.sql.exec("UPDATE calls SET outcome = 'succeeded' WHERE decision IN (?, ?)", gone.id, settled.id);
    });
    later(2 * MINUTE);
    await ring(self);
    expect(await standing(self, id)).toBe("failed succeeded unknown:outcome_unknown succeeded succeeded ready");
    expect(await events(self)).toEqual(["generated", "started", "failed"]);
    expect(await self.guard.sessions.find("s")).toMatchObject({ id: "s" });
  });
});
