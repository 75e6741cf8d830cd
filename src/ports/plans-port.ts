/**
 * The port to a user's plans, kept in UserGuard: what was planned, the outcome of each step, and who may run it now.
 *
 * A step moves in the transactions that decide and end its call (`CallToDecide.plan`, `finishRun`, an `open` that settles it), so
 * that a plan never says less than what was done. One turn runs a plan at a time; it holds the plan until it releases it, or until
 * its lease is over.
 */

import type { AnsweredVia } from "../approvals/approval.ts";
import type { JsonObject } from "../lib/json/json-value.ts";
import type { Placeholder, PlanFault, PlanStep } from "../plan/plan.ts";
import type { CompiledPolicy } from "../policy/compile.ts";
import type { Owner } from "../session/principal.ts";
import type { ReleasedCall } from "../wire/call-parts.ts";

export type StepStatus =
  | "ready"
  /** Allowed and entered in the ledger; no outcome yet. */
  | "running"
  /** Waits for a person. */
  | "waiting"
  /** Handed to the client, which has not brought a result. */
  | "released"
  | "succeeded"
  | "failed"
  /** It may have been done. */
  | "unknown";

/** `empty`: nothing could be planned. `ready`: it has not begun. `paused`: it needs something from outside before it can continue. */
export type PlanStatus = "empty" | "ready" | "running" | "paused" | "failed" | "finished" | "cancelled";

export interface StoredStep extends PlanStep {
  readonly status: StepStatus;
  /** The decision on its last call. */
  readonly decision: string | null;
  readonly approval: string | null;
  /**
   * Its last call's arguments as they were recorded: with what was inserted, filled in or edited, without what the policy redacts.
   * Null before a call, in lists, and if the policy records none.
   */
  readonly recorded: unknown;
  /**
   * Its tool's result, as text (JSON, if the tool answers so), for references. Null before there is one, in lists, if it is longer
   * than `MAX_STEP_RESULT`, or if the plan's results would together be longer than `MAX_PLAN_RESULTS`.
   */
  readonly result: string | null;
  /** The policy trusted the tool when it ran, so its result can be believed. */
  readonly trusted: boolean;
  readonly fault: PlanFault | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** How often it was begun. */
  readonly tries: number;
}

/** UTF-16 units of a step's result that are kept, and of all results of a plan. */
export const MAX_STEP_RESULT = 256 * 1024;
export const MAX_PLAN_RESULTS = 4 * 1024 * 1024;

/** UTF-8 bytes of a `NewPlan` as JSON, of what the user fills in, and of an approval. Anything larger rejects. */
export const MAX_PLAN_BYTES = 1_500_000;
export const MAX_VALUES_BYTES = 250_000;
export const MAX_APPROVAL_BYTES = 150_000;

export interface NewPlan {
  readonly id: string;
  /** The session that its calls are made in: its own. */
  readonly session: string;
  readonly mode: string | undefined;
  /** The user's request, in the user's words. */
  readonly input: string;
  /** As the client named it. */
  readonly model: string;
  /** Tools that the client brought and runs itself, in its own wire form. */
  readonly tools: readonly JsonObject[];
  readonly steps: readonly PlanStep[];
  readonly placeholders: readonly Placeholder[];
  /** Why it is empty. */
  readonly fault: PlanFault | null;
  /** Calls of the planning model, and what they used. */
  readonly modelCalls: number;
  readonly usage: JsonObject | null;
  /** Digest of the policy document that it was made under. */
  readonly policy: string;
  readonly role: string;
  /** Milliseconds that it is kept after its last change. */
  readonly keepMs: number;
}

const OVER: ReadonlySet<PlanStatus> = new Set(["running", "finished", "cancelled", "empty"]);

/** Whether a person may still approve it as a whole: only then they see what they would approve. */
export const awaitsApproval = ({ approved, status }: StoredPlan, { plans }: CompiledPolicy): boolean =>
  plans.approveWhole && approved === null && !OVER.has(status);

/** Digest of the call that will be decided, or of its template if its references are not bound yet. */
export type ApprovedStep = { readonly call: string } | { readonly template: string };

/** A person's approval of the plan as a whole, as it was then. */
export interface PlanApproval {
  /** Digest of the plan as the person saw it (`planDigest`). */
  readonly digest: string;
  /** Digest of the policy document in force then. Under another policy the approval does not count. */
  readonly policy: string;
  /** By step id. */
  readonly steps: Readonly<Record<string, ApprovedStep>>;
  readonly via: AnsweredVia;
  readonly by: string;
  readonly at: number;
}

export interface StoredPlan extends Omit<NewPlan, "steps" | "keepMs"> {
  readonly steps: readonly StoredStep[];
  readonly status: PlanStatus;
  /** What the user has filled in, by name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly approved: PlanApproval | null;
  /** The turn that runs it. */
  readonly turn: string | null;
  /** When the turn loses it without further activity, in milliseconds since the epoch. */
  readonly heldUntil: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
}

/** The members of a plan that change while a turn runs it. */
export interface PlanProgress {
  readonly status: PlanStatus;
  readonly steps: readonly (Pick<StoredStep, "id"> & Omit<StoredStep, keyof PlanStep>)[];
}

export interface PlansQuery {
  readonly status?: PlanStatus | undefined;
  readonly limit: number;
  /** The id that the page begins after. */
  readonly after?: string | undefined;
  readonly order: "asc" | "desc";
}

export interface BeginPlan {
  readonly id: string;
  readonly turn: string;
  /** Merged into what was filled in before. A changed value withdraws the approval as a whole. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Steps whose outcome is unknown are run again; otherwise the plan stays failed at them. */
  readonly repeatUnknown: boolean;
}

/**
 * `ended`: finished, cancelled or empty. `unknown_step`: its current step may have been done. `full`: the user has `MAX_PLANS` that
 * have not ended.
 */
export type PlanRefusal = "full" | "unknown" | "running" | "ended" | "unknown_step" | "changed";

export type PlanOutcome =
  | { readonly ok: true; readonly plan: StoredPlan }
  | { readonly ok: false; readonly refusal: PlanRefusal; readonly plan?: StoredPlan | undefined };

/** A step that ends before a call of it was decided. */
export interface EndStep {
  readonly id: string;
  readonly turn: string;
  readonly step: string;
  readonly fault: PlanFault;
}

export interface PlansPort {
  /**
   * Records it. If the user has `MAX_PLANS`, the oldest ended ones are deleted; if none has ended, nothing is stored. The same id
   * again changes nothing.
   */
  save(owner: Owner, plan: NewPlan): Promise<PlanOutcome>;
  find(id: string): Promise<StoredPlan | undefined>;
  /** @param known ids of steps that are left out: a succeeded step does not change for the turn that holds the plan. */
  progress(id: string, known: readonly string[]): Promise<PlanProgress | undefined>;
  /** The call of a step that is released, as it was decided: the client may have lost the reply that held it. */
  releasedStep(id: string, step: string): Promise<ReleasedCall | undefined>;
  /** By id. A page of large plans may hold fewer than `limit`. */
  list(query: PlansQuery): Promise<{ readonly data: readonly StoredPlan[]; readonly hasMore: boolean }>;
  /** `changed`: the digest is not that of the current plan with the values, since a run may have moved it. Recorded. */
  approve(id: string, approval: PlanApproval, values: Readonly<Record<string, unknown>>): Promise<PlanOutcome>;
  /**
   * Takes the plan for the turn. The turn holds it until it releases it, or for twenty seconds after its last activity, plus the time
   * of a run that it began or of an answer that it waits for, but no longer than the outcome of such a run is unknown; after that
   * until another turn takes it. Failed steps are ready again. A step that waited and was answered meanwhile still waits, and is
   * decided with its approval; but if a value of the step has changed, its question is withdrawn, and it is ready. A turn that holds
   * the plan takes it again without a change.
   */
  begin(request: BeginPlan): Promise<PlanOutcome>;
  /**
   * Fails a step that is ready or waits; a step that another turn has moved meanwhile does not change. Rejects if the turn does not
   * hold the plan, or the plan has no such step.
   * @returns the step's status then.
   */
  endStep(request: EndStep): Promise<StepStatus>;
  /**
   * Releases it. Its status follows from its steps, and is recorded if it has ended. If another turn holds it, or none, nothing
   * changes. Rejects if there is no such plan.
   */
  end(id: string, turn: string): Promise<StoredPlan>;
  /**
   * Nothing of it is decided any more; questions to a person are cancelled; running calls run to their end. A second call changes
   * nothing.
   */
  cancel(id: string): Promise<PlanOutcome>;
}

/** Plans per user that are stored. */
export const MAX_PLANS = 500;
