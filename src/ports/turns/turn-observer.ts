/**
 * The port to what watches a turn: the log, metrics, traces. It is called at each event, reads the clock itself, is never awaited
 * and never throws. It must not change what it gets.
 */

import type { ToolDefinition } from "../../policy/facts.ts";
import type { WithheldTool } from "../../policy/offer.ts";
import type { RunEntry, RunOutcome } from "../../tools/run.ts";
import type { Turn } from "../../turn/turn.ts";
import type { StepOutcome, UpstreamHead } from "../model-port.ts";
import type { Ending } from "./ending.ts";

/** A managed call that is in the ledger. */
interface WatchedRun {
  /** The decision's id. */
  readonly id: string;
  readonly tool: string;
  readonly entry: RunEntry;
  /** Another try of the request runs it, or has run it: this turn only waits for its outcome. */
  readonly awaited?: true;
}

/** What one call of the model is offered. */
export interface OfferedStep {
  /** As sent upstream, the handshake tool last. */
  readonly tools: readonly ToolDefinition[];
  readonly withheld: readonly WithheldTool[];
}

/** Called before each call of a model with the turn's id. */
export type OfferObserver = (turn: string, step: OfferedStep) => void;

/**
 * What became of a first step that began before the user's object had answered. `kept`: the object's facts gave the very same.
 * `redone`: they gave another, and the step was made anew. `given_up`: the turn took another course, without that step.
 */
export type EarlyOutcome = "kept" | "redone" | "given_up";

export interface TurnObserver {
  /** UserGuard has answered. */
  opened(turn: Turn): void;
  /**
   * The model is about to be called.
   * @returns headers to send upstream with it.
   */
  stepBegan(step: OfferedStep): Readonly<Record<string, string>> | undefined;
  /** Reported only for a first step that began early; `stepEnded` follows at once where it was in vain. */
  earlyEnded(outcome: EarlyOutcome): void;
  /** The upstream has answered with success. */
  stepHead(head: UpstreamHead): void;
  stepEnded(outcome: StepOutcome): void;
  /** The step's calls are decided. */
  stepDecided(): void;
  /** A managed call is about to be run, or waited for; those of one step are at once. */
  runBegan(run: WatchedRun): void;
  /** @param outcome as the ledger has it; undefined where it has none, or could not be reached. */
  runEnded(id: string, outcome: Pick<RunOutcome, "status" | "failure" | "httpStatus" | "attempts"> | undefined): void;
  /**
   * The reply is held open until a person has decided.
   * @returns to be called when it ends: decided, out of time, or the client is gone.
   */
  holdBegan(): () => void;
  /** @param firstByteAt when the body of a streamed reply began. */
  replied(firstByteAt: number | undefined): void;
  /** Called last, and once. */
  ended(ending: Ending): void;
}
