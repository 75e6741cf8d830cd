/** What turns and surfaces reach of a user's plans: a part of the user's object. */
import { DurableObject } from "cloudflare:workers";
import type { BeginPlan, EndStep, NewPlan, PlanApproval, PlansPort, PlansQuery } from "../../../ports/plans-port.ts";
import type { GuardEnv } from "../guard-env.ts";
import type { Owner } from "../meta.ts";

export abstract class PlanSurface extends DurableObject<GuardEnv> implements PlansPort {
  protected abstract readonly planDesk: PlansPort;

  async savePlan(owner: Owner, plan: NewPlan): ReturnType<PlansPort["savePlan"]> {
    return this.planDesk.savePlan(owner, plan);
  }

  async plan(id: string): ReturnType<PlansPort["plan"]> {
    return this.planDesk.plan(id);
  }

  async planProgress(id: string, known: readonly string[]): ReturnType<PlansPort["planProgress"]> {
    return this.planDesk.planProgress(id, known);
  }

  async releasedStep(id: string, step: string): ReturnType<PlansPort["releasedStep"]> {
    return this.planDesk.releasedStep(id, step);
  }

  async plans(query: PlansQuery): ReturnType<PlansPort["plans"]> {
    return this.planDesk.plans(query);
  }

  async approvePlan(
    id: string,
    approval: PlanApproval,
    values: Readonly<Record<string, unknown>>,
  ): ReturnType<PlansPort["approvePlan"]> {
    return this.planDesk.approvePlan(id, approval, values);
  }

  async beginPlan(request: BeginPlan): ReturnType<PlansPort["beginPlan"]> {
    return this.planDesk.beginPlan(request);
  }

  async endStep(request: EndStep): ReturnType<PlansPort["endStep"]> {
    return this.planDesk.endStep(request);
  }

  async endPlan(id: string, turn: string): ReturnType<PlansPort["endPlan"]> {
    return this.planDesk.endPlan(id, turn);
  }

  async cancelPlan(id: string): ReturnType<PlansPort["cancelPlan"]> {
    return this.planDesk.cancelPlan(id);
  }
}
