/** Laws of the ledger, under random histories: whatever comes in whatever order, each run has one entry, one end, one record. */
import { evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RunStatus } from "../../../src/tools/run.ts";
import { type Asker, asker, type OpenedTurn } from "../support/guard-asker.ts";
import { entry, finish, managed, query, ring, runRecords, usesLeft } from "./managed-runs.ts";

const LIMIT = 6;
const MINUTE = 60_000;

type Ended = Exclude<RunStatus, "started">;
type Act =
  | { readonly kind: "decide"; readonly calls: number; readonly seconds: number }
  | { readonly kind: "finish"; readonly which: number; readonly status: Ended }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "retry" | "message" | "reset" | "delete" | "ring" | "restart" | "look" }
  | { readonly kind: "close"; readonly giveBack: boolean };

const constant = <K extends string>(...kinds: readonly K[]) => fc.record({ kind: fc.constantFrom(...kinds) });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      calls: fc.integer({ min: 1, max: 3 }),
      seconds: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("finish" as const),
      which: fc.nat({ max: 3 }),
      status: fc.constantFrom<Ended>("succeeded", "failed", "unknown", "not_started"),
    }),
  },
  { weight: 4, arbitrary: constant("retry") },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 3, arbitrary: constant("ring", "restart", "look") },
  { weight: 1, arbitrary: constant("message", "reset", "delete") },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), giveBack: fc.boolean() }) },
);

/** What became of one run, as plainly as it can be said. */
interface Run {
  readonly id: string;
  readonly turn: OpenedTurn;
  readonly deadline: number;
  status: RunStatus;
  endedAt: number;
}

/** A user's requests, and what they should find. `chain`: the runs that the request's tries have made so far. */
class World {
  readonly self: Asker = asker();
  readonly runs: Run[] = [];
  chain: Run[] = [];
  now = Date.now();
  digest = 0;
  reset = false;
  openedAt = 0;
  turn: OpenedTurn | undefined;

  wait(seconds: number): void {
    this.now += seconds * 1000;
    vi.setSystemTime(this.now);
  }

  /** What is over its time is unknown from then on, whoever looks. */
  settleOverdue(): void {
    for (const run of this.runs) {
      if (run.status === "started" && run.deadline < this.now)
        Object.assign(run, { status: "unknown", endedAt: this.now });
    }
  }

  /** Whether the same request finds its runs. */
  finds(): boolean {
    const since = this.now - MINUTE;
    return this.chain.some(
      ({ status, endedAt }) =>
        status !== "not_started" && (status === "started" || endedAt > since || this.openedAt > since),
    );
  }

  async open(kind: "retry" | "message" | "reset"): Promise<void> {
    // Of two in one millisecond their ids would say which goes on.
    this.now += 1;
    vi.setSystemTime(this.now);
    this.settleOverdue();
    if (kind !== "retry") Object.assign(this, { digest: this.digest + 1, reset: kind === "reset" });
    const finds = kind === "retry" && this.finds();
    this.turn = await this.self.open({ digest: `d${this.digest}`, reset: this.reset });
    const told = this.turn.runs?.map(({ id, status }) => [id, status]);
    expect([kind, told]).toEqual([kind, finds ? this.chain.map(({ id, status }) => [id, status]) : undefined]);
    if (!finds) this.chain = [];
    this.openedAt = this.now;
  }

  async decide(calls: number, seconds: number): Promise<void> {
    const turn = this.turn as OpenedTurn;
    const deadline = this.now + seconds * 1000;
    const counted = { windows: [{ key: "k", max: LIMIT, windowMs: 24 * 60 * MINUTE }] };
    const some = Array.from({ length: calls }, (_, index) =>
      managed({ callId: `c${index}`, counted, run: entry({ deadline }) }),
    );
    const room = LIMIT - this.spent();
    const decided = await this.self.decide(turn, some, { step: this.chain.length });
    expect(decided.map(({ effect }) => effect)).toEqual(some.map((_, index) => (index < room ? "allow" : "deny")));
    for (const { id, effect } of decided) {
      if (effect !== "allow") continue;
      const run: Run = { id, turn, deadline, status: "started", endedAt: 0 };
      this.runs.push(run);
      this.chain.push(run);
    }
  }

  spent = (): number => this.runs.filter(({ status }) => status !== "not_started").length;

  async finish(which: number, status: Ended): Promise<void> {
    const run = this.runs.at(-1 - which);
    if (!run) return;
    this.settleOverdue();
    const forgotten = (await this.self.guard.runs.wait([run.id], 0)).length === 0;
    // One that has ended may be forgotten with its session; one that has not is not.
    if (forgotten) return expect(run.status).not.toBe("started");
    if (run.status === "started") Object.assign(run, { status, endedAt: this.now });
    expect((await finish(this.self, run.turn, run.id, status)).status).toBe(run.status);
  }

  async forget(): Promise<void> {
    await this.self.guard.sessions.delete("s");
    this.chain = [];
    await this.open("message");
  }

  async play(one: Act): Promise<void> {
    switch (one.kind) {
      case "wait":
        return this.wait(one.seconds);
      case "decide":
        return this.decide(one.calls, one.seconds);
      case "finish":
        return this.finish(one.which, one.status);
      case "close":
        if (this.turn) await this.self.close(this.turn, one.giveBack);
        return this.open("retry");
      case "ring":
        await ring(this.self);
        return this.settleOverdue();
      case "restart":
        await this.self.guard.sessions.find("none");
        return evictDurableObject(this.self.stub);
      case "look":
        this.settleOverdue();
        return expect(
          (
            await this.self.guard.runs.wait(
              this.chain.map(({ id }) => id),
              0,
            )
          ).map(({ status }) => status),
        ).toEqual(this.chain.map(({ status }) => status));
      case "delete":
        return this.forget();
      default:
        return this.open(one.kind);
    }
  }

  /** At the end everything is over its time, and nobody has come back. */
  async end(): Promise<void> {
    this.wait(200);
    await ring(this.self);
    this.settleOverdue();
    const records = await runRecords(this.self);
    const byDecision = (a: readonly string[], b: readonly string[]) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1);
    expect(records.map(({ decision, status }) => [decision, status]).sort(byDecision)).toEqual(
      this.runs.map(({ id, status }) => [id, status]).sort(byDecision),
    );
    const entered = (await this.self.records()).filter((one) => one.kind === "decision" && one.disposition === "run");
    expect(entered.length).toBe(this.runs.length);
    expect(await usesLeft(this.self)).toBe(this.spent());
    expect(await query(this.self, "SELECT * FROM runs WHERE status = 'started' OR ended IS NULL")).toEqual([]);
    expect(await query(this.self, "SELECT * FROM calls WHERE turn IS NOT NULL")).toEqual([]);
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe("laws", () => {
  it("each_decision_is_run_at_most_once_ends_once_and_spends_one_use_unless_it_never_started", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), async (acts) => {
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
        const world = new World();
        await world.open("message");
        for (const one of acts) await world.play(one);
        await world.end();
      }),
      { numRuns: 25 },
    );
  });
});
