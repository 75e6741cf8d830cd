/** Plans as surfaces and turns bring them to a user's object, and what their records are. */
import { newId } from "../../../src/lib/ids.ts";
import { type PlanStep, planDigest } from "../../../src/plan/plan.ts";
import type { PlanRecord } from "../../../src/ports/audit-record.ts";
import type { BeginPlan, NewPlan, PlanApproval, PlanOutcome, StoredPlan } from "../../../src/ports/plans-port.ts";
import type { CallToDecide } from "../../../src/ports/turns/decide-request.ts";
import { type Asker, asks, type OpenedTurn } from "../support/guard-asker.ts";

const DAY = 24 * 3600_000;

export const step = (id: string, input: Readonly<Record<string, unknown>> = { path: "a" }): PlanStep => ({
  id,
  intent: `do ${id}`,
  tool: "edit",
  arguments: { input },
});

export function newPlan(steps: readonly PlanStep[] = [step("a"), step("b")], over: Partial<NewPlan> = {}): NewPlan {
  const id = over.id ?? newId("plan", Date.now());
  return {
    id,
    session: id,
    mode: undefined,
    input: "do a, then b",
    model: "m",
    tools: [],
    steps,
    placeholders: [],
    fault: null,
    modelCalls: 1,
    usage: { total_tokens: 5 },
    policy: "p1",
    role: "user",
    keepMs: 7 * DAY,
    ...over,
  };
}

export const ownerOf = (self: Asker) => ({ tenant: "acme", user: self.user });
export async function save(self: Asker, plan = newPlan()): Promise<StoredPlan> {
  const saved = await self.guard.plans.save(ownerOf(self), plan);
  if (!saved.ok) throw new Error(`not kept: ${saved.refusal}`);
  return saved.plan;
}

/** A turn in the plan's session, which takes it. */
export async function begin(self: Asker, id: string, over: Partial<BeginPlan> = {}): Promise<OpenedTurn> {
  const turn = await openFor(self, id);
  const taken = await self.guard.plans.begin({ id, turn: turn.turn, values: {}, repeatUnknown: false, ...over });
  if (!taken.ok) throw new Error(`not taken: ${taken.refusal}`);
  return turn;
}

export const openFor = async (self: Asker, id: string, over: Parameters<Asker["open"]>[0] = {}): Promise<OpenedTurn> =>
  self.open({
    session: { id, firstMessageDigest: "o", conversationKey: undefined },
    newMessage: (await self.guard.sessions.find(id)) === undefined,
    ...over,
  });

/** Whether it may be begun by a turn of that name. */
export const taking = (self: Asker, id: string, over: Partial<BeginPlan> = {}): Promise<PlanOutcome> =>
  self.guard.plans.begin({ id, turn: `turn_${crypto.randomUUID()}`, values: {}, repeatUnknown: false, ...over });

export const refusalOf = (outcome: PlanOutcome): string => (outcome.ok ? "none" : outcome.refusal);

/** The step's call, released without a question unless told otherwise. */
export const stepCall = (
  plan: Pick<StoredPlan, "id">,
  name: string,
  over: Partial<CallToDecide> = {},
  mark: Partial<NonNullable<CallToDecide["plan"]>> = {},
): CallToDecide =>
  asks(
    { path: "a" },
    {
      callId: `call_${name}`,
      question: undefined,
      counted: { windows: [] },
      madeBy: "plan",
      plan: { id: plan.id, step: name, ...mark },
      ...over,
    },
  );

export const approvalOf = (
  plan: StoredPlan,
  steps: PlanApproval["steps"] = {},
  over: Partial<PlanApproval> = {},
): PlanApproval => ({
  digest: planDigest(plan, over.policy ?? "p1"),
  policy: "p1",
  steps,
  via: "api",
  by: "ada",
  at: Date.now(),
  ...over,
});

export async function plan(self: Asker, id: string): Promise<StoredPlan> {
  const kept = await self.guard.plans.find(id);
  if (!kept) throw new Error("there is no such plan");
  return kept;
}

/** Its status, and that of its steps with their faults. */
export const standing = async (self: Asker, id: string): Promise<string> => {
  const { status, steps } = await plan(self, id);
  return [status, ...steps.map((one) => [one.status, ...(one.fault ? [one.fault.code] : [])].join(":"))].join(" ");
};

export const planRecords = async (self: Asker): Promise<readonly PlanRecord[]> =>
  (await self.records()).flatMap((record) => (record.kind === "plan" ? [record] : []));

export const events = async (self: Asker): Promise<string[]> => (await planRecords(self)).map(({ event }) => event);
