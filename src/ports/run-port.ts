/**
 * Managed calls: those that Toolgate runs itself. UserGuard keeps their ledger: a call is entered when it is decided, before
 * anything runs, and its outcome after. What has no outcome when its time is over is `unknown`, and is never run again.
 */
import type { CallMaker } from "../session/call-maker.ts";
import type { RunEntry, RunOutcome, RunStatus } from "../tools/run.ts";

/** A run in the ledger, as a turn is told of it. */
export interface KeptRun {
  /** Of the decision. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Compact JSON, as vetted. */
  readonly arguments: string;
  readonly extra: Record<string, unknown> | undefined;
  /**
   * Calls of one step were made together, in the order of `ordinal`. Steps are those of the turn that goes on from them: told to
   * a later try they are below zero, before its own.
   */
  readonly step: number;
  readonly ordinal: number;
  readonly status: RunStatus;
  readonly entry: RunEntry;
  /** Undefined while it has none; of `unknown` the ledger's own. */
  readonly outcome: RunOutcome | undefined;
  /** Who made the call; absent: the model. */
  readonly madeBy?: CallMaker | undefined;
}

export interface FinishRun {
  readonly turn: string;
  readonly session: string;
  /** Of the decision. */
  readonly id: string;
  readonly outcome: RunOutcome;
}

export interface RunsPort {
  /**
   * Notes the outcome, its record with it, once: a second one changes nothing. `not_started` gives back the use. A result
   * that is not trusted makes the session untrusted; a success counts for the call's families.
   * @returns the run as the ledger has it: `unknown` where its time was over before.
   */
  finish(request: FinishRun): Promise<KeptRun>;
  /** Resolves as soon as all have an outcome, at the latest after `waitMs` (at most 10,000). Unknown ids are left out. */
  wait(ids: readonly string[], waitMs: number): Promise<readonly KeptRun[]>;
}
