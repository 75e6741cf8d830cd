/** A user's plans as turns and frontends reach them. */
import type {
  BeginPlan,
  EndStep,
  KeptPlan,
  NewPlan,
  PlanApproval,
  PlanOutcome,
  PlanProgress,
  PlansPort,
  PlansQuery,
  StepStatus,
} from "../../../ports/plans-port.ts";
import type { Owner } from "../../../session/principal.ts";
import type { ObjectContext } from "../object-context.ts";
import type { Transaction } from "../transaction.ts";
import { approvePlan, beginPlan, endPlan, endStep, type Taken } from "./begin.ts";
import { findPlan, type PlanRow } from "./rows.ts";
import { cancelPlan, savePlan } from "./save.ts";
import { listPlans, tellPlan, tellProgress, toldAgain } from "./tell.ts";

export class PlansApi implements PlansPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async save(owner: Owner, plan: NewPlan): Promise<PlanOutcome> {
    return this.context.change((stores) => outcomeOf(stores, savePlan(stores, owner, plan)));
  }

  async find(id: string): Promise<KeptPlan | undefined> {
    return this.context.read((stores) => {
      const row = findPlan(stores.sql, id, stores.now);
      return row && told(stores, row);
    });
  }

  async progress(id: string, known: readonly string[]): Promise<PlanProgress | undefined> {
    return this.context.read(({ sql, now }) => {
      const row = findPlan(sql, id, now);
      return row && tellProgress(sql, row, known, now);
    });
  }

  async releasedStep(id: string, step: string): ReturnType<PlansPort["releasedStep"]> {
    return this.context.read(({ sql }) => toldAgain(sql, id, step));
  }

  async list(query: PlansQuery): ReturnType<PlansPort["list"]> {
    return this.context.read(({ sql, now }) => listPlans(sql, query, now));
  }

  async approve(id: string, approval: PlanApproval, values: Readonly<Record<string, unknown>>): Promise<PlanOutcome> {
    return this.context.change((stores) => outcomeOf(stores, approvePlan(stores, id, approval, values)));
  }

  async begin(request: BeginPlan): Promise<PlanOutcome> {
    return this.context.change((stores) => outcomeOf(stores, beginPlan(stores, request)));
  }

  async endStep(request: EndStep): Promise<StepStatus> {
    return this.context.change((stores) => endStep(stores, request));
  }

  async end(id: string, turn: string): Promise<KeptPlan> {
    return this.context.change((stores) => told(stores, endPlan(stores, id, turn)));
  }

  async cancel(id: string): Promise<PlanOutcome> {
    return this.context.change((stores) => outcomeOf(stores, cancelPlan(stores, id)));
  }
}

const told = ({ sql, now }: Transaction, row: PlanRow): KeptPlan => tellPlan(sql, row, now);

function outcomeOf(stores: Transaction, taken: Taken): PlanOutcome {
  if (taken.ok) return { ok: true, plan: told(stores, taken.row) };
  const { refusal, row } = taken;
  return { ok: false, refusal, ...(row ? { plan: told(stores, row) } : {}) };
}
