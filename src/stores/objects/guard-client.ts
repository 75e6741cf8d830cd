/**
 * UserGuard as a turn reaches it: no call hangs, and one that is safe to repeat is repeated once where the runtime says that
 * the object may just have been moved or restarted. An overloaded object is not asked again: it would only be busier.
 */
import { within } from "../../lib/deadline.ts";
import type { UserGuardPort } from "../../ports/guard-port.ts";

const ANSWER_MS = 15_000;

/** @param stubOf makes a new stub: one whose call failed may be broken for good. */
export function guardClient(stubOf: () => UserGuardPort): UserGuardPort {
  const once = <T>(call: (guard: UserGuardPort) => Promise<T>): Promise<T> => within(ANSWER_MS, call(stubOf()));
  const twice = async <T>(call: (guard: UserGuardPort, again: boolean) => Promise<T>): Promise<T> => {
    try {
      return await once((guard) => call(guard, false));
    } catch (error) {
      if (!mayBeRepeated(error)) throw error;
      return once((guard) => call(guard, true));
    }
  };
  return {
    open: (request) => twice((guard, again) => guard.open(again ? { ...request, again } : request)),
    // Not repeated: the first may have reserved its uses, which the turn's end then gives back.
    decide: (request) => once((guard) => guard.decide(request)),
    keep: (request) => once((guard) => guard.keep(request)),
    close: (request) => twice((guard) => guard.close(request)),
    consent: (principal, tool, session) => twice((guard) => guard.consent(principal, tool, session)),
    withdraw: (tool) => once((guard) => guard.withdraw(tool)),
    session: (id) => twice((guard) => guard.session(id)),
    setMode: (id, mode) => twice((guard) => guard.setMode(id, mode)),
    deleteSession: (id) => once((guard) => guard.deleteSession(id)),
    approvals: (query) => twice((guard) => guard.approvals(query)),
    approval: (id) => twice((guard) => guard.approval(id)),
    // The same answer again is told as taken.
    answer: (id, answer) => twice((guard) => guard.answer(id, answer)),
    awaitApprovals: (ids, waitMs) => twice((guard) => guard.awaitApprovals(ids, waitMs)),
    approvalChanges: (after, waitMs) => twice((guard) => guard.approvalChanges(after, waitMs)),
    grants: () => twice((guard) => guard.grants()),
    withdrawGrant: (id) => once((guard) => guard.withdrawGrant(id)),
    gates: () => twice((guard) => guard.gates()),
    calls: (query) => twice((guard) => guard.calls(query)),
    call: (id) => twice((guard) => guard.call(id)),
    // The second changes nothing, and is told what the first noted.
    finishRun: (request) => twice((guard) => guard.finishRun(request)),
    awaitRuns: (ids, waitMs) => twice((guard) => guard.awaitRuns(ids, waitMs)),
    connections: () => twice((guard) => guard.connections()),
    setConnections: (owner, connections, by) => twice((guard) => guard.setConnections(owner, connections, by)),
    removeConnection: (provider, by) => once((guard) => guard.removeConnection(provider, by)),
    savePlan: (owner, plan) => twice((guard) => guard.savePlan(owner, plan)),
    plan: (id) => twice((guard) => guard.plan(id)),
    planProgress: (id, known) => twice((guard) => guard.planProgress(id, known)),
    releasedStep: (id, step) => twice((guard) => guard.releasedStep(id, step)),
    plans: (query) => twice((guard) => guard.plans(query)),
    approvePlan: (id, approval, values) => twice((guard) => guard.approvePlan(id, approval, values)),
    beginPlan: (request) => twice((guard) => guard.beginPlan(request)),
    endStep: (request) => twice((guard) => guard.endStep(request)),
    endPlan: (id, turn) => twice((guard) => guard.endPlan(id, turn)),
    cancelPlan: (id) => twice((guard) => guard.cancelPlan(id)),
    connectionToken: (provider, host) => twice((guard) => guard.connectionToken(provider, host)),
  };
}

/** What the runtime tells of a failed call to an object. */
function mayBeRepeated(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { retryable, overloaded } = error as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}
