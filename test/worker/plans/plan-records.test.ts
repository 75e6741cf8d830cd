/** What a user's object records of plans, in the audit trail as operators read it. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { deliverRecords } from "../../../src/stores/audit/d1-audit.ts";
import { wakeOverdue } from "../../../src/stores/audit/retention-overdue.ts";
import type { UserGuardApis } from "../../../src/stores/guard/guard-apis.ts";
import { chainOf, planRecord } from "../../stores/audit/records.ts";
import { emptyTrail } from "../audit/empty-trail.ts";
import { erasedChains } from "../support/erased-chains.ts";
import { gateway } from "../support/gateway.ts";
import { asker } from "../support/guard-asker.ts";
import { entry, finish } from "../tools/managed-runs.ts";
import { approvalOf, begin, newPlan, openFor, plan, save, step, stepCall } from "./kept-plans.ts";

interface Row extends Record<string, unknown> {
  readonly id: string;
}

it("a plan is found with its turn, its calls and how they ended, and the chain verifies", async () => {
  const self = asker();
  const gate = await gateway();
  const key = await gate.operatorKey();
  const kept = await save(self);
  const { id } = kept;
  await self.guard.plans.approve(id, approvalOf(kept), {});
  const turn = await begin(self, id);
  const [call] = await self.decide(turn, [stepCall({ id }, "a", { run: entry() })]);
  await finish(self, turn, String(call?.id), "failed", { failure: "tool_failed" });
  await self.guard.plans.end(id, turn.turn);
  await self.close(turn);
  const empty = newPlan([], { fault: { code: "no_tools", message: "there is no tool" } });
  await save(self, empty);
  await save(self, newPlan([step("c")]));
  await runInDurableObject(self.stub, (instance) => instance.alarm());

  const read = async (path: string) => (await gate.fetch(`/v1/audit/${path}`, { key })).json();
  const list = async (path: string) => {
    const { data } = (await read(`${path}&tenant=acme&user=${self.user}&order=asc`)) as { data: Row[] };
    // Of one millisecond they are told in any order.
    return data.toSorted((one, other) => Number(one.seq) - Number(other.seq));
  };
  const events = await list(`plans?plan=${id}`);
  expect(events).toMatchObject([
    { event: "generated", status: "ready", tools: ["edit", "edit"], model: "m", model_calls: 1, turn: null },
    { event: "approved", status: "ready", digest: expect.stringMatching(/./), via: "api", by: "ada" },
    { event: "started", status: "running", turn: turn.turn },
    { event: "failed", status: "failed", turn: turn.turn, fault: { code: "tool_failed", step: "a" } },
  ]);
  expect(await list("plans?event=planning_error")).toMatchObject([
    { plan: empty.id, status: "empty", fault: { code: "no_tools", step: null }, tools: [] },
  ]);
  const ids = (rows: readonly Row[]) => rows.map((row) => row.id);
  expect(await list(`plans?status=failed&turn=${turn.turn}`)).toEqual([events[3]]);
  expect(ids(await list(`decisions?plan=${id}&made_by=plan`))).toEqual([call?.id]);
  expect(await read(`turns/${turn.turn}?tenant=acme`)).toMatchObject({
    decisions: [{ id: call?.id, made_by: "plan", plan: id, plan_step: "a", run: { status: "failed" } }],
    plans: [{ id: events[2]?.id }, { id: events[3]?.id }],
  });
  expect(await read(`verify?tenant=acme&user=${self.user}`)).toMatchObject({ ok: true, waiting: 0, to: 9 });
  const other = await (
    await gate.fetch("/v1/audit/plans?tenant=acme", { key: await gate.keyFor("op", "admin") })
  ).json();
  expect(other).toMatchObject({ error: { code: "tenant_forbidden" } });
});

it("the withdrawal of an approval is recorded with the approval and the changed values", async () => {
  const self = asker();
  const gate = await gateway();
  const key = await gate.operatorKey();
  const open = (name: string) => ({ name, schema: {}, optional: false, places: [{ step: "b", path: "/path" }] });
  const { id } = await save(self, newPlan(undefined, { placeholders: [open("to"), open("cc")] }));
  const first = await begin(self, id, { values: { to: "ada", cc: "bob" } });
  await self.decide(first, [stepCall({ id }, "a")]);
  await self.guard.plans.end(id, first.turn);
  await openFor(self, id, { results: [{ callId: "call_a", succeeded: true, text: "private" }] });
  const seen = approvalOf(await plan(self, id));
  expect(await self.guard.plans.approve(id, seen, {})).toMatchObject({ ok: true });
  const values = { to: "eve", cc: "bob" };
  const second = await begin(self, id, { values });
  // The same values again change nothing.
  await self.guard.plans.end(id, second.turn);
  await begin(self, id, { values });
  await runInDurableObject(self.stub, (instance) => instance.alarm());

  const list = async (query: string): Promise<readonly Row[]> => {
    const response = await gate.fetch(`/v1/audit/plans?tenant=acme&user=${self.user}&plan=${id}${query}`, { key });
    return ((await response.json()) as { data: Row[] }).data;
  };
  const events = (await list("")).toSorted((one, other) => Number(one.seq) - Number(other.seq));
  const told = ["generated", "started", "approved", "approval_withdrawn"];
  expect(events.map(({ event }) => event)).toEqual(told);
  const [, , , withdrawn] = events;
  const at = { turn: second.turn, status: "paused" };
  const { digest, via, by } = seen;
  expect(withdrawn).toMatchObject({ ...at, changed: ["to"], digest, via, by });
  expect(JSON.stringify(events)).not.toMatch(/private|"eve"/);
  for (const event of told.slice(3)) expect((await list(`&event=${event}`)).length).toBe(1);
  const verified = await gate.fetch(`/v1/audit/verify?tenant=acme&user=${self.user}`, { key });
  expect(await verified.json()).toMatchObject({ ok: true, waiting: 0 });
});

it("plans that are overdue are found where their tenant has no turn", async () => {
  await emptyTrail();
  const { tenant } = await gateway({ policy: { audit: { retentionDays: 7 } } });
  const at = Date.now() - 8 * 24 * 3600_000;
  await deliverRecords(env.AUDIT_DB, chainOf([planRecord({ tenant, at })]));
  const ledgerOf = () => ({ retention: { shortened: async () => {} } });
  const guardOf = () => ({ chain: { checkRetention: async () => {} } }) as unknown as UserGuardApis;
  const sweep = (now: number) =>
    wakeOverdue({ db: env.AUDIT_DB, kv: env.KV, guardOf, ledgerOf, erased: erasedChains }, now);
  expect(await sweep(Date.now())).toEqual([]);
  expect(await sweep(Date.now() + 2 * 24 * 3600_000)).toEqual([{ tenant, user: "ada" }]);
});
