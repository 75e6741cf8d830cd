/**
 * The port to what watches a turn: the log, metrics, traces. It is told of each step as it passes, takes the time itself,
 * is never awaited and never throws; what it is told it must not change.
 */
import type { StepOutcome, UpstreamHead } from "../model/model-port.ts";
import type { Ending } from "./ending.ts";
import type { Turn } from "./turn.ts";

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
  /** The reply is held open until a person has decided. */
  holdBegan(): void;
  /** Decided, out of time, or the client is gone. */
  holdEnded(): void;
  /** @param firstByteAt when the body of a streamed reply began. */
  replied(firstByteAt: number | undefined): void;
  /** Told last, and once. */
  ended(ending: Ending): void;
}
