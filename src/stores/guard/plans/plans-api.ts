/** A user's plans as turns and frontends reach them. */
import type { PlanOutcome, PlansPort } from "../../../ports/plans-port.ts";
import type { GuardContext, Transaction } from "../transaction.ts";
import { approvePlan, beginPlan, cancelPlan, endPlan, endStep, type PlanResult } from "./begin.ts";
import { listPlans, readPlan, readProgress, releasedCall } from "./read-plans.ts";
import { findPlan } from "./rows.ts";
import { savePlan } from "./save.ts";

export function plansApi(context: GuardContext): PlansPort {
  const change = async (body: (transaction: Transaction) => PlanResult): Promise<PlanOutcome> =>
    context.change((transaction) => {
      const result = body(transaction);
      if (result.ok) return { ok: true, plan: readPlan(transaction, result.row) };
      return { ok: false, refusal: result.refusal, plan: result.row && readPlan(transaction, result.row) };
    });
  return {
    save: (owner, plan) => change((transaction) => savePlan(transaction, owner, plan)),
    find: async (id) =>
      context.read((transaction) => {
        const row = findPlan(transaction.sql, id, transaction.now);
        return row && readPlan(transaction, row);
      }),
    progress: async (id, known) =>
      context.read((transaction) => {
        const row = findPlan(transaction.sql, id, transaction.now);
        return row && readProgress(transaction, row, known);
      }),
    releasedStep: async (id, step) => context.read(({ sql }) => releasedCall(sql, id, step)),
    list: async (query) => context.read((transaction) => listPlans(transaction, query)),
    approve: (id, approval, values) => change((transaction) => approvePlan(transaction, id, approval, values)),
    begin: (request) => change((transaction) => beginPlan(transaction, request)),
    endStep: async (request) => context.change((transaction) => endStep(transaction, request)),
    end: async (id, turn) => context.change((transaction) => readPlan(transaction, endPlan(transaction, id, turn))),
    cancel: (id) => change((transaction) => cancelPlan(transaction, id)),
  };
}
