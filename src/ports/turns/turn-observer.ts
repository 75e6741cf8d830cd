/**
 * The port to what watches a turn: the log, metrics, traces. It is called at each event, reads the clock itself, is never awaited and
 * never throws. It must not change its arguments.
 */

import type { Channel } from "../../approvals/approval.ts";
import type { Effect } from "../../policy/decision.ts";
import type { ToolDefinition } from "../../policy/facts.ts";
import type { WithheldTool } from "../../policy/offer.ts";
import type { ReasonCode } from "../../policy/reasons.ts";
import type { CallMaker } from "../../session/principal.ts";
import type { Variant } from "../../session/variant.ts";
import type { RunEntry, RunOutcome } from "../../tools/run.ts";
import type { StepOutcome, UpstreamHead } from "../model-port.ts";
import type { Ending } from "./ending.ts";
import type { SystemFirstNote, TurnAccount } from "./turn-account.ts";

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
 * The outcome of a first step that began before the user's object had answered. `kept`: the object's facts gave the same step.
 * `redone`: they gave another, and the step was made anew. `given_up`: the turn took another course, without that step.
 */
export type EarlyOutcome = "kept" | "redone" | "given_up";

/** Names, numbers and codes of a turn: no argument, no message. */
export interface TurnSummary
  extends Pick<TurnAccount, "mode" | "stateOpened" | "stateClosed" | "intents" | "tokensSaved" | "plan"> {
  readonly session: string;
  /** Undefined if the turn had no detection. */
  readonly detected: readonly string[] | undefined;
  /** Layers that could not be asked. */
  readonly detectionMissed: readonly string[];
  readonly variant: Variant | undefined;
  readonly systemFirst: SystemFirstNote["outcome"] | undefined;
  /** How a person is asked, if one is. */
  readonly channel: Channel;
  /** Numbers of tools. `withheld`: those that no step offered. */
  readonly offered: number;
  readonly withheld: number;
  readonly decisions: readonly {
    /** Undefined if the model made the name up: it may hold anything, also a message. */
    readonly tool: string | undefined;
    readonly effect: Effect;
    readonly reasons: readonly ReasonCode[];
    readonly approval: string | undefined;
    readonly madeBy: CallMaker | undefined;
  }[];
}

export interface TurnObserver {
  /**
   * UserGuard has answered.
   * @param summarize called once, when the turn has ended.
   */
  opened(summarize: () => TurnSummary): void;
  /**
   * The model is about to be called.
   * @returns headers to send upstream with it.
   */
  stepBegan(step: OfferedStep): Readonly<Record<string, string>> | undefined;
  /** Reported only for a first step that began early; `stepEnded` follows at once if it was discarded. */
  earlyEnded(outcome: EarlyOutcome): void;
  /** The upstream has answered with success. */
  stepHead(head: UpstreamHead): void;
  stepEnded(outcome: StepOutcome): void;
  /** The step's calls are decided. */
  stepDecided(): void;
  /** A managed call is about to run, or to be waited for; the calls of one step run in parallel. */
  runBegan(run: WatchedRun): void;
  /** @param outcome as the ledger has it; undefined if it has none, or could not be reached. */
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
