/** Laws of approvals, under random histories and from two windows at once. */
import { evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, Approval } from "../../../src/approvals/approval.ts";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { expireApprovals } from "../../../src/stores/guard/approvals/end-approvals.ts";
import {
  type Asked,
  type Asker,
  approves,
  asker,
  asks,
  denies,
  digestOf,
  edits,
  type OpenedTurn,
  under,
} from "../support/guard-asker.ts";
import { runInGuard } from "../support/run-in-guard.ts";

const keys = parseAuditKeys(`test:${"0".repeat(32)}`);

/** Everything pending expires now, as if its time were over. */
const expireAll = (self: Asker): Promise<void> =>
  runInGuard(self.stub, (_, { storage }) =>
    storage.transactionSync(() => {
      if (!keys.ok) throw new Error(keys.error);
      storage.sql.exec("UPDATE approvals SET expires = 1 WHERE status = 'pending'");
      expireApprovals({ sql: storage.sql, keys: keys.value, now: Date.now() });
    }),
  );

describe("50 approvals answered and released at once from two windows", () => {
  it("release each call at most once, by one answer", async () => {
    const self = asker();
    const turn = await self.open();
    const calls = Array.from({ length: 50 }, (_, index) => asks({ index }, { callId: `c${index}` }));
    const approvals = (await self.decide(turn, calls)).map(({ approval }) => approval as Approval);
    const windows = await Promise.all([1, 2].map(() => self.open({ newMessage: false })));
    const work = windows.flatMap((window) =>
      approvals.map(async (approval, index) => {
        const call = calls[index] ?? asks();
        const [outcome, decided] = await Promise.all([
          self.guard.approvals.answer(approval.id, { ...approves, by: window.turn }),
          self.decide(window, [under(approval, call, { ...approves, by: window.turn })]),
        ]);
        return [outcome.kind === "answered" && !outcome.before, decided[0]?.ordinal !== undefined] as const;
      }),
    );
    const done = await Promise.all(work);
    expect(done.filter(([, released]) => released).length).toBe(50);
    const released = (await self.released()).map(({ call_id }) => call_id);
    expect([released.length, new Set(released).size]).toEqual([50, 50]);
    const records = await self.records();
    const count = (event: string) => records.filter((one) => one.kind === "approval" && one.event === event).length;
    expect([count("asked"), count("approved")]).toEqual([50, 50]);
    expect(records.filter((one) => one.kind === "decision" && one.disposition === "released").length).toBe(50);
  });

  it("let no limit be passed that is checked at the release", async () => {
    const self = asker();
    const counted = { windows: [{ key: "k", max: 7, windowMs: 60_000 }], confirmation: {} };
    const calls = Array.from({ length: 50 }, (_, index) => asks({ index }, { callId: `c${index}`, counted }));
    const decided = await self.decide(await self.open(), calls);
    const windows = await Promise.all([1, 2].map(() => self.open({ newMessage: false })));
    await Promise.all(
      windows.flatMap((window) =>
        decided.map(({ approval }, index) =>
          self.decide(window, [under(approval as Approval, calls[index] ?? asks(), approves)]),
        ),
      ),
    );
    expect((await self.released()).length).toBe(7);
  });
});

type Act =
  | { readonly kind: "ask" | "release" | "take"; readonly which: number; readonly path: number }
  | { readonly kind: "answer"; readonly which: number; readonly answer: number }
  | { readonly kind: "expire" | "reset" | "message" | "restart" };

const small = fc.nat({ max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("ask" as const), which: small, path: small }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("release" as const, "take" as const), which: small, path: small }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("answer" as const), which: small, answer: small }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("expire" as const, "reset" as const, "message" as const, "restart" as const),
    }),
  },
);

const answers = (n: number): Answer => [approves, denies, edits({ path: 2 })][n] as Answer;

/** What a person has allowed, as plainly as it can be said: by the approval, the arguments that may run. */
interface Oracle {
  readonly allowed: Map<string, string>;
  readonly answered: Set<string>;
  readonly over: Set<string>;
}

async function play(acts: readonly Act[]): Promise<void> {
  const self = asker();
  const asked: Asked[] = [];
  const oracle: Oracle = { allowed: new Map(), answered: new Set(), over: new Set() };
  const used = new Set<string>();
  let turn: OpenedTurn = await self.open();
  const take = ({ approval, call }: Asked, answer: Answer) => {
    if (oracle.answered.has(approval.id) || oracle.over.has(approval.id)) return;
    oracle.answered.add(approval.id);
    if (answer.action === "approve") oracle.allowed.set(approval.id, call.digest ?? "");
    if (answer.edited) oracle.allowed.set(approval.id, answer.edited.digest);
  };
  for (const one of acts) {
    switch (one.kind) {
      case "ask": {
        const call = asks({ path: one.path }, { callId: `c${asked.length}` });
        const [decided] = await self.decide(turn, [call]);
        if (decided?.approval) asked.push({ turn, approval: decided.approval, call });
        break;
      }
      case "answer": {
        const target = asked.at(-1 - one.which);
        if (!target) break;
        await self.guard.approvals.answer(target.approval.id, answers(one.answer));
        take(target, answers(one.answer));
        break;
      }
      case "release":
      case "take": {
        const target = asked.at(-1 - one.which);
        if (!target) break;
        const { approval, call } = target;
        const answer = one.kind === "take" ? approves : undefined;
        const [decided] = await self.decide(turn, [
          under(approval, asks({ path: one.path }, { callId: call.callId }), answer),
        ]);
        const live = !used.has(approval.id) && !oracle.over.has(approval.id);
        if (answer && live) take(target, answer);
        const may = live && oracle.allowed.get(approval.id) === digestOf({ path: one.path });
        expect([one, decided?.ordinal !== undefined]).toEqual([one, may]);
        if (oracle.answered.has(approval.id)) used.add(approval.id);
        break;
      }
      case "restart":
        // It runs, and has written what it answered: an open that dies unwritten makes its turn unknown.
        await self.guard.sessions.find("none");
        await evictDurableObject(self.stub);
        break;
      case "expire":
        await expireAll(self);
        for (const { approval } of asked) if (!oracle.answered.has(approval.id)) oracle.over.add(approval.id);
        break;
      default:
        turn = await self.open({ reset: one.kind === "reset", newMessage: one.kind === "message" });
        for (const { approval } of asked) oracle.over.add(approval.id);
    }
  }
  const released = await self.released();
  expect(new Set(released.map(({ call_id }) => call_id)).size).toBe(released.length);
}

describe("laws", () => {
  it("nothing_is_released_without_an_approval_for_its_exact_arguments_and_nothing_twice", async () => {
    await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), play), { numRuns: 60 });
  });

  it("approving_in_any_order_gives_the_same_result", async () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 });
    const said = fc.array(small, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(order, order, said, fc.boolean(), async (first, second, choice, apart) => {
        const outcome = async (sequence: readonly number[]) => {
          const self = asker();
          const calls = [0, 1, 2, 3].map((n) => asks({ path: n }, { callId: `c${n}` }));
          const decided = await self.decide(await self.open(), calls);
          const turn = await self.open({ newMessage: false });
          for (const n of sequence) {
            const approval = decided[n]?.approval as Approval;
            const answer = answers(choice[n] ?? 0);
            const edited = asks({ path: 2 }, { callId: `c${n}` });
            const call = answer.edited ? edited : (calls[n] ?? asks());
            if (apart) await self.guard.approvals.answer(approval.id, answer);
            await self.decide(turn, [under(approval, call, apart ? undefined : answer)]);
          }
          const left = (await self.guard.approvals.list({ limit: 10, order: "asc" })).data;
          return {
            released: (await self.released()).map(({ call_id, arguments: args }) => `${call_id} ${args}`).sort(),
            left: left.map(({ callId, status, arguments: args }) => [callId, status, args]),
          };
        };
        expect(await outcome(first)).toEqual(await outcome(second));
      }),
      { numRuns: 20 },
    );
  });
});
