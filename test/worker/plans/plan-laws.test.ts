/** Laws of plans, under random histories: whoever comes, dies or is late, no step is done twice unsaid, and the record tells all. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SealedRecord } from "../../../src/ports/audit-record.ts";
import type { PlanStatus, StepStatus, StoredPlan } from "../../../src/ports/plans-port.ts";
import { verifyChain } from "../../../src/stores/audit/audit-chain.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { type Asker, approves, asker, denies, type OpenedTurn, question, toDecide } from "../support/guard-asker.ts";
import { entry, outcome, query, ring } from "../tools/managed-runs.ts";
import { newPlan, openFor, plan, refusalOf, save, step, stepCall } from "./kept-plans.ts";

const MINUTE = 60_000;
const LEASE = 20_000;
const NAMES = ["a", "b", "c"] as const;
const parsed = parseAuditKeys(env.AUDIT_KEY ?? "");
if (!parsed.ok) throw new Error(parsed.error);
const keys = parsed.value;

type How = "run" | "release" | "ask" | "hold" | "refuse" | "settle";
type Act =
  | {
      readonly kind: "decide";
      readonly step: number;
      readonly how: How;
      readonly late: boolean;
      readonly seconds: number;
    }
  | { readonly kind: "begin"; readonly repeat: boolean; readonly value: number }
  | {
      readonly kind: "finish";
      readonly step: number;
      readonly status: "succeeded" | "failed" | "unknown" | "not_started";
    }
  | { readonly kind: "result"; readonly step: number; readonly succeeded: boolean }
  | { readonly kind: "answer"; readonly step: number; readonly yes: boolean }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "fail"; readonly step: number }
  | { readonly kind: "end" | "cancel" | "ring" | "restart" | "message" | "lose" };

const one = <K extends string>(...kinds: readonly K[]) => fc.record({ kind: fc.constantFrom(...kinds) });
const kind = <K extends string, T extends object>(name: K, fields: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<{ kind: K } & T>;
const which = fc.nat({ max: NAMES.length - 1 });
const seconds = fc.constantFrom(1, 20, 70, 300);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: kind("decide", {
      step: which,
      how: fc.constantFrom<How>("run", "run", "release", "release", "ask", "hold", "refuse", "settle", "settle"),
      late: fc.boolean(),
      seconds,
    }),
  },
  { weight: 6, arbitrary: kind("begin", { repeat: fc.boolean(), value: fc.nat({ max: 1 }) }) },
  {
    weight: 4,
    arbitrary: kind("finish", {
      step: which,
      status: fc.constantFrom(
        "succeeded" as const,
        "succeeded" as const,
        "failed" as const,
        "unknown" as const,
        "not_started" as const,
      ),
    }),
  },
  { weight: 3, arbitrary: kind("result", { step: which, succeeded: fc.boolean() }) },
  { weight: 3, arbitrary: kind("answer", { step: which, yes: fc.boolean() }) },
  { weight: 4, arbitrary: kind("wait", { seconds }) },
  { weight: 2, arbitrary: one("ring", "restart", "lose") },
  { weight: 3, arbitrary: one("end") },
  { weight: 1, arbitrary: one("cancel", "message") },
  { weight: 1, arbitrary: kind("fail", { step: which }) },
);

/** What a step may become by an act, besides what time alone does to it. */
const BY_TIME = ["running>unknown", "waiting>failed"];
const MAY: Readonly<Record<Act["kind"], readonly string[]>> = {
  decide: ["ready>running", "ready>released", "ready>waiting", "ready>failed", "waiting>running", "waiting>released"],
  begin: ["failed>ready", "unknown>ready", "waiting>ready", "running>ready"],
  finish: ["running>succeeded", "running>failed"],
  result: ["released>succeeded", "released>failed"],
  message: ["released>unknown"],
  lose: ["released>ready"],
  fail: ["ready>failed"],
  cancel: ["waiting>ready"],
  answer: [],
  wait: [],
  end: [],
  ring: [],
  restart: [],
};

/** Told apart from the guard's own: by what the port says of each status. */
function statusFor(steps: readonly StepStatus[], begun: boolean): PlanStatus {
  if (steps.includes("running")) return "running";
  if (steps.some((status) => status === "failed" || status === "unknown")) return "failed";
  if (steps.every((status) => status === "succeeded")) return "finished";
  return begun ? "paused" : "ready";
}

class World {
  readonly self: Asker = asker();
  now = Date.now();
  id = "";
  /** The last turn that took the plan, until it let go; and the one before. */
  holder: string | undefined;
  turn: OpenedTurn | undefined;
  before: OpenedTurn | undefined;
  /** When the holder last said something. */
  word = 0;
  begun = false;
  cancelled = false;
  last: StoredPlan | undefined;
  /** How often each step was ended without a call. */
  readonly failed: number[] = [];
  readonly closed = new Set<string>();

  async start(): Promise<void> {
    const places = [{ step: "a", path: "/x" }];
    const placeholders = [{ name: "v", schema: {}, optional: false, places }];
    const kept = await save(
      this.self,
      newPlan(
        NAMES.map((name) => step(name)),
        { placeholders },
      ),
    );
    Object.assign(this, { id: kept.id, last: kept });
  }

  at = (index: number) => (this.last as StoredPlan).steps[index] as StoredPlan["steps"][number];

  async decide({ step: index, how, late, seconds: lasts }: Extract<Act, { kind: "decide" }>): Promise<void> {
    const turn = (late ? this.before : this.turn) ?? this.turn;
    if (!turn) return;
    const { status, approval, decision: done } = await this.look().then(() => this.at(index));
    const settles = how === "settle";
    const asks = how === "ask" || how === "hold";
    const expiresAt = this.now + lasts * 1000;
    const call = stepCall({ id: this.id }, NAMES[index] as string, {
      callId: `${NAMES[index]}${this.now}`,
      counted: asks || settles ? { windows: [], confirmation: {} } : { windows: [] },
      ...(asks ? { question: question({ channel: how === "hold" ? "hold" : "inline", expiresAt }) } : {}),
      ...(how === "refuse"
        ? { effect: "deny" as const, reasons: [{ code: "not_offered" as const, tool: "edit" }] }
        : {}),
      ...(how === "run" || (settles && lasts > 20) ? { run: entry({ deadline: expiresAt }) } : {}),
      ...(settles && approval !== null ? { approval: { id: approval }, callId: await this.callOf(done) } : {}),
    });
    const answers = settles && approval !== null;
    const due = status === (answers ? "waiting" : "ready");
    // A conversation has settled the question: that is told to who comes too late, and moves nothing.
    const settled = answers && !due && (await this.isSettled(approval));
    const may = (due || settled) && turn.turn === this.holder && !this.closed.has(turn.turn);
    const decided = await this.tried((guard) => guard.turns.decide(toDecide(turn, [call])));
    expect([how, decided !== undefined]).toEqual([how, may]);
    if (settled && decided) expect(decided).toMatchObject([{ effect: "deny" }]);
    else if (may) this.word = this.now;
  }

  async callOf(decision: string | null): Promise<string> {
    const rows = await query<{ call_id: string }>(
      this.self,
      `SELECT call_id FROM approvals WHERE decision = '${decision}'`,
    );
    return rows[0]?.call_id ?? "none";
  }

  async isSettled(approval: string): Promise<boolean> {
    const rows = await query<{ open: number }>(this.self, `SELECT open FROM approvals WHERE id = '${approval}'`);
    return rows[0]?.open === 0;
  }

  /** Within the object, where a rejection is nobody else's. @returns undefined for one. */
  tried = <T extends object | string>(body: (guard: Asker["guard"]) => Promise<T>): Promise<T | undefined> =>
    runInDurableObject(this.self.stub, (object) => body(object.apis).catch(() => undefined));

  async begin({ repeat, value }: Extract<Act, { kind: "begin" }>): Promise<void> {
    const { status, steps } = await this.look();
    const turn = await openFor(this.self, this.id);
    const taking = { id: this.id, turn: turn.turn, values: { v: value }, repeatUnknown: repeat };
    const told = refusalOf(await this.self.guard.plans.begin(taking));
    const unknown = !repeat && steps.some((one) => one.status === "unknown");
    const ended = status === "finished" || status === "cancelled";
    expect(told).toBe(ended ? "ended" : status === "running" ? "running" : unknown ? "unknown_step" : "none");
    if (told !== "none") return;
    Object.assign(this, { before: this.turn, turn, holder: turn.turn, word: this.now, begun: true });
  }

  async finish({ step: index, status }: Extract<Act, { kind: "finish" }>): Promise<void> {
    const { decision } = this.at(index);
    if (!decision || !this.turn) return;
    const told = { turn: this.turn.turn, session: this.id, id: decision, outcome: outcome(status, { result: "1" }) };
    const running = (await this.look()).steps[index]?.status === "running";
    if ((await this.tried((guard) => guard.runs.finish(told))) && running && this.holder === told.turn)
      this.word = this.now;
  }

  async play(one: Act): Promise<void> {
    const { guard } = this.self;
    switch (one.kind) {
      case "decide":
        return this.decide(one);
      case "begin":
        return this.begin(one);
      case "finish":
        return this.finish(one);
      case "result": {
        const { decision } = this.at(one.step);
        const rows = await query<{ call_id: string }>(
          this.self,
          `SELECT call_id FROM calls WHERE decision = '${decision}'`,
        );
        const results = rows.map(({ call_id: callId }) => ({ callId, succeeded: one.succeeded, text: "told" }));
        return void (await openFor(this.self, this.id, { results }));
      }
      case "answer": {
        const { approval } = this.at(one.step);
        return void (approval && (await guard.approvals.answer(approval, one.yes ? approves : denies)));
      }
      case "wait":
        this.now += one.seconds * 1000;
        return void vi.setSystemTime(this.now);
      case "fail": {
        const fault = { code: "reference_unresolved" as const, message: "m" };
        const told = { id: this.id, turn: this.holder ?? "none", step: NAMES[one.step] as string, fault };
        const { status } = (await this.look()).steps[one.step] as StoredPlan["steps"][number];
        if (!(await this.tried((object) => object.plans.endStep(told)))) return;
        // Told again it changes nothing, nor how long the plan is held.
        if (status === "ready" || status === "waiting") this.word = this.now;
        if (status === "ready") this.failed[one.step] = (this.failed[one.step] ?? 0) + 1;
        return;
      }
      case "end":
        await guard.plans.end(this.id, this.turn?.turn ?? "none");
        if (this.holder === this.turn?.turn) this.holder = undefined;
        return;
      case "cancel":
        if (refusalOf(await guard.plans.cancel(this.id)) === "none")
          Object.assign(this, { cancelled: true, holder: undefined });
        return;
      case "lose":
        if (this.turn) this.closed.add(this.turn.turn);
        return this.turn && this.self.close(this.turn, true);
      case "message":
        return void (await openFor(this.self, this.id, { newMessage: true }));
      case "ring":
        return ring(this.self);
      case "restart":
        await guard.plans.find(this.id);
        return evictDurableObject(this.self.stub);
    }
  }

  /** The plan as it is now, which must follow from what it was. */
  async look(by?: Act): Promise<StoredPlan> {
    const told = await plan(this.self, this.id);
    const steps = told.steps.map(({ status }) => status);
    const held = told.turn !== null;
    expect(told.status).toBe(this.cancelled ? "cancelled" : held ? "running" : statusFor(steps, this.begun));
    if (held) expect(told.turn).toBe(this.holder);
    // Of a run that nobody has told the end of nobody waits for more.
    const lost = told.steps.some(({ fault }) => fault?.code === "outcome_unknown");
    if (this.holder && !lost && this.now < this.word + LEASE) expect(told.turn).toBe(this.holder);
    const may = [...BY_TIME, ...(by ? MAY[by.kind] : [])];
    for (const [index, { status, tries }] of told.steps.entries()) {
      const was = this.at(index);
      const moved = `${was.status}>${status}`;
      if (was.status !== status) expect(may).toContain(moved);
      if (moved === "unknown>ready" || moved === "running>ready") expect(by).toMatchObject({ repeat: true });
      const begins = was.status === "ready" && status !== "ready";
      expect(tries).toBe(was.tries + (begins ? 1 : 0));
    }
    this.last = told;
    return told;
  }

  /** At the end nobody has come back, and everything is over its time. */
  async end(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      this.now += 10 * MINUTE;
      vi.setSystemTime(this.now);
      await ring(this.self);
    }
    const { status, steps } = await this.look();
    expect(steps.map((one) => one.status)).not.toContain("running");
    const sealed = (await query<{ sealed: string }>(this.self, "SELECT sealed FROM outbox ORDER BY seq")).map(
      (row) => JSON.parse(row.sealed) as SealedRecord,
    );
    const head = JSON.parse(
      (await query<{ value: string }>(this.self, "SELECT value FROM meta WHERE key = 'head'"))[0]?.value ?? "null",
    );
    expect(verifyChain(keys, sealed, { tenant: "acme", user: this.self.user, head })).toEqual({ ok: true });
    const records = sealed.map(({ record }) => record);
    const told = records.flatMap((record) => (record.kind === "plan" ? [record.event] : []));
    expect([told[0], told.includes("started")]).toEqual(["generated", this.begun]);
    for (const end of ["started", "finished", "cancelled"] as const) {
      expect(told.filter((event) => event === end).length).toBeLessThanOrEqual(1);
    }
    if (status === "finished" || status === "failed" || status === "cancelled") expect(told.at(-1)).toBe(status);
    const since = records.findIndex((record) => record.kind === "plan" && record.event === "cancelled");
    const after = since < 0 ? [] : records.slice(since);
    expect(after.filter((record) => record.kind === "decision")).toEqual([]);
    // Each try is in the record, but for those that ended without a call to decide.
    for (const [index, { tries, decision }] of steps.entries()) {
      const of = records.flatMap((record) =>
        record.kind === "decision" && record.planStep === NAMES[index] ? [record] : [],
      );
      const begun = of.filter(({ approval, disposition }) => approval === undefined || disposition === "asked");
      expect(begun.length + (this.failed[index] ?? 0)).toBe(tries);
      if (decision !== null) expect(of.map(({ id }) => id)).toContain(decision);
    }
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe("laws", () => {
  it("a_step_is_done_once_unless_somebody_says_again_and_a_plan_is_what_its_steps_are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 30 }), async (acts) => {
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
        const world = new World();
        await world.start();
        for (const one of acts) {
          await world.play(one);
          await world.look(one);
        }
        await world.end();
      }),
      { numRuns: 60 },
    );
  });
});
