/**
 * The port to what watches a turn: the log, metrics, traces. It is told of each step as it passes, takes the time itself,
 * is never awaited and never throws; what it is told it must not change.
 */

import type { RunEntry, RunOutcome } from "../tools/run.ts";
import type { Ending } from "../turn/ending.ts";
import type { Turn } from "../turn/turn.ts";
import type { StepOutcome, UpstreamHead } from "./model-port.ts";

/** A managed call that is in the ledger. */
export interface WatchedRun {
  /** Of the decision. */
  readonly id: string;
  readonly tool: string;
  readonly entry: RunEntry;
  /** Another try of the request runs it, or has run it: this turn only waits for its outcome. */
  readonly awaited?: true;
}

export interface TurnObserver {
  /** UserGuard has answered. */
  opened(turn: Turn): void;
  /**
   * The model is about to be called.
   * @returns headers to send upstream with it.
   */
  stepBegan(): Readonly<Record<string, string>> | undefined;
  /** The upstream has answered with success. */
  stepHead(head: UpstreamHead): void;
  stepEnded(outcome: StepOutcome): void;
  /** The step's calls are decided. */
  stepDecided(): void;
  /** A managed call is about to be run, or waited for; those of one step are at once. */
  runBegan(run: WatchedRun): void;
  /** @param outcome as the ledger has it; undefined where it has none, or could not be asked. */
  runEnded(id: string, outcome: Pick<RunOutcome, "status" | "failure" | "httpStatus" | "attempts"> | undefined): void;
  /** The reply is held open until a person has decided. */
  holdBegan(): void;
  /** Decided, out of time, or the client is gone. */
  holdEnded(): void;
  /** @param firstByteAt when the body of a streamed reply began. */
  replied(firstByteAt: number | undefined): void;
  /** Told last, and once. */
  ended(ending: Ending): void;
}
