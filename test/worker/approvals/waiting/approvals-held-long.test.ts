/** A reply that is held outlives its connection, its object and its minute. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AnswerAction, Approval } from "../../../../src/approvals/approval.ts";
import type { Gateway } from "../../support/gateway.ts";
import { runInGuard } from "../../support/run-in-guard.ts";
import { ask, readAnswer } from "../../support/script.ts";
import { turnsOf } from "../../support/session-turns.ts";
import { asking, done, edits, hi, says1, session, tools } from "../approvals.ts";

const HOUR = 3600_000;
let start = 0;

beforeEach(() => {
  start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const hold = { ...session, "x-toolgate-approvals": "hold" };
const body = { messages: [hi], tools, stream: true };
const DAY = 24 * HOUR;
const patient = { tools: { edit_note: { category: "modification", timeoutSeconds: 86_400 } } };

async function waiting({ guard }: Gateway): Promise<Approval> {
  return vi.waitFor(
    async () => {
      const port = guard.approvals;
      const { data } = await port.list({ status: "pending", limit: 10, order: "asc" });
      expect(data.length).toBe(1);
      return data[0] as Approval;
    },
    { timeout: 10_000, interval: 5 },
  );
}

const openTurns = ({ stub }: Gateway, count: number) =>
  vi.waitFor(
    async () =>
      expect(await runInGuard(stub, (_, { storage }) => turnsOf(storage.sql).filter(({ open }) => open))).toHaveLength(
        count,
      ),
    { timeout: 10_000, interval: 5 },
  );

const answer = ({ guard }: Gateway, id: string, action: Exclude<AnswerAction, "edit"> = "approve") =>
  guard.approvals.answer(id, { action, via: "api", by: "ada", reason: null });

const released = async (gate: Gateway) =>
  (await gate.decisions()).filter(({ disposition }) => disposition === "released").length;

it("is found again a day later, after its object ended, and asks the model nothing", async () => {
  const gate = await asking([says1(edits()), done], patient);
  const response = await gate.chat(body, hold);
  const { id } = await waiting(gate);
  await response.body?.cancel();
  await gate.settle();
  await evictDurableObject(gate.stub);
  vi.setSystemTime(start + DAY - 60_000);
  // What sweeps has been there.
  await runInDurableObject(gate.stub, (object) => object.alarm());
  const replying = ask(gate, body, hold);
  expect((await waiting(gate)).id).toBe(id);
  await openTurns(gate, 1);
  await answer(gate, id);
  expect((await replying).calls).toMatchObject([{ id: "c1", name: "edit_note" }]);
  expect([gate.sent.length, await released(gate)]).toEqual([1, 1]);
});

it("expires when its own time is over, and releases nothing however often it is asked for", async () => {
  const gate = await asking([says1(edits()), done], patient);
  const response = await gate.chat(body, hold);
  const { id } = await waiting(gate);
  await response.body?.cancel();
  await gate.settle();
  vi.setSystemTime(start + DAY + 1_000);
  expect(await answer(gate, id)).toMatchObject({ kind: "settled", approval: { status: "expired" } });
  expect((await ask(gate, body, hold)).calls).toEqual([]);
  expect(await released(gate)).toBe(0);
});

it("goes to the newest of the same requests: the one before may be a connection that is lost and looks alive", async () => {
  const gate = await asking([says1(edits())], patient);
  const one = gate.chat(body, hold).then(readAnswer);
  const { id } = await waiting(gate);
  await openTurns(gate, 1);
  vi.setSystemTime(start + 1_000);
  const two = gate.chat(body, hold).then(readAnswer);
  await openTurns(gate, 2);
  await answer(gate, id);
  const [first, second] = await Promise.all([one, two]);
  expect([first.calls, first.error?.code]).toEqual([[], "approval_settled"]);
  expect(second.calls).toMatchObject([{ id: "c1" }]);
  expect(await released(gate)).toBe(1);
});

it("gives its calls again for a minute from their release, not from when it was opened", async () => {
  const gate = await asking([says1(edits()), done], patient);
  const replying = ask(gate, body, hold);
  const { id } = await waiting(gate);
  await openTurns(gate, 1);
  vi.setSystemTime(start + HOUR);
  await answer(gate, id);
  const { calls } = await replying;
  await gate.settle();
  vi.setSystemTime(start + HOUR + 50_000);
  await runInDurableObject(gate.stub, (object) => object.alarm());
  expect((await ask(gate, body, hold)).calls).toEqual(calls);
  expect([gate.sent.length, await released(gate)]).toEqual([1, 1]);
  vi.setSystemTime(start + 3 * HOUR);
  expect((await ask(gate, body, hold)).calls).toEqual([]);
  expect(await released(gate)).toBe(1);
});
