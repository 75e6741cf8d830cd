/** A user's plans as they are asked for: each method is one transaction, begun after what is due has ended. */
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
import type { DeskHost } from "../approvals/desk.ts";
import { expireDue } from "../approvals/end.ts";
import type { Owner } from "../meta.ts";
import { endOverdue } from "../runs/finish.ts";
import { approvePlan } from "./approve.ts";
import { beginPlan, endPlan, endStep, type Taken } from "./begin.ts";
import { cancelPlan } from "./cancel.ts";
import { listPlans } from "./list.ts";
import type { Stores } from "./record.ts";
import { findPlan, type PlanRow } from "./rows.ts";
import { savePlan } from "./save.ts";
import { tellPlan, tellProgress } from "./tell.ts";
import { toldAgain } from "./told-again.ts";

export class PlanDesk implements PlansPort {
  private readonly host: DeskHost;

  constructor(host: DeskHost) {
    this.host = host;
  }

  async savePlan(owner: Owner, plan: NewPlan): Promise<PlanOutcome> {
    return this.change((stores) => outcomeOf(stores, savePlan(stores, owner, plan)));
  }

  async plan(id: string): Promise<KeptPlan | undefined> {
    return this.read((stores) => {
      const row = findPlan(stores.sql, id, stores.now);
      return row && told(stores, row);
    });
  }

  async planProgress(id: string, known: readonly string[]): Promise<PlanProgress | undefined> {
    return this.read(({ sql, now }) => {
      const row = findPlan(sql, id, now);
      return row && tellProgress(sql, row, known, now);
    });
  }

  async releasedStep(id: string, step: string): ReturnType<PlansPort["releasedStep"]> {
    return this.read(({ sql }) => toldAgain(sql, id, step));
  }

  async plans(query: PlansQuery): ReturnType<PlansPort["plans"]> {
    return this.read(({ sql, now }) => listPlans(sql, query, now));
  }

  async approvePlan(
    id: string,
    approval: PlanApproval,
    values: Readonly<Record<string, unknown>>,
  ): Promise<PlanOutcome> {
    return this.change((stores) => outcomeOf(stores, approvePlan(stores, id, approval, values)));
  }

  async beginPlan(request: BeginPlan): Promise<PlanOutcome> {
    return this.change((stores) => outcomeOf(stores, beginPlan(stores, request)));
  }

  async endStep(request: EndStep): Promise<StepStatus> {
    return this.change((stores) => endStep(stores, request));
  }

  async endPlan(id: string, turn: string): Promise<KeptPlan> {
    return this.change((stores) => told(stores, endPlan(stores, id, turn)));
  }

  async cancelPlan(id: string): Promise<PlanOutcome> {
    return this.change((stores) => outcomeOf(stores, cancelPlan(stores, id)));
  }

  private change<T>(body: (stores: Stores) => T): T {
    const { value } = this.transact(body);
    this.host.changed();
    return value;
  }

  private read<T>(body: (stores: Stores) => T): T {
    const { value, ended } = this.transact(body);
    if (ended) this.host.changed();
    return value;
  }

  private transact<T>(body: (stores: Stores) => T): { readonly value: T; readonly ended: boolean } {
    const { sql, keys, transact } = this.host;
    return transact(() => {
      const stores = { sql: sql(), keys, now: Date.now() };
      const overdue = endOverdue(stores.sql, keys, stores.now);
      const ended = expireDue(stores.sql, keys, stores.now) || overdue;
      return { value: body(stores), ended };
    });
  }
}

const told = ({ sql, now }: Stores, row: PlanRow): KeptPlan => tellPlan(sql, row, now);

function outcomeOf(stores: Stores, taken: Taken): PlanOutcome {
  if (taken.ok) return { ok: true, plan: told(stores, taken.row) };
  const { refusal, row } = taken;
  return { ok: false, refusal, ...(row ? { plan: told(stores, row) } : {}) };
}
