/** The offer of a step, and the types of a speculative first step. */

import type { ToolDefinition } from "../../policy/facts.ts";
import type { StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import type { Reply } from "../../ports/reply-port.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { EarlyOutcome } from "../../ports/turns/turn-observer.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import type { CurrentOffer } from "../call/complete-call.ts";
import type { Turn } from "../turn.ts";
import type { TurnDeps } from "../turn-deps.ts";

export interface StepOffer extends CurrentOffer {
  /** The tools on the wire, the handshake tool last. */
  readonly tools: readonly ToolDefinition[];
}

export const isOffer = (value: StepOffer | Ending): value is StepOffer => "offer" in value;

/** The offer in the same turn, computed from the facts that were expected of its open. */
export interface ExpectedOffer {
  readonly turn: Turn;
  readonly offer: StepOffer;
}

/** What all steps of a turn need. */
export interface StepContext {
  readonly deps: TurnDeps;
  readonly reply: Reply;
  /** Adopted by the first step that calls the model. */
  readonly speculation: SpeculativeStep | undefined;
}

/** A first step of the model that was begun before the turn was open. */
export interface SpeculativeStep {
  /** Headers for the upstream, in addition to those of the request. */
  readonly extra: StepRequest["headers"] | undefined;
  /**
   * Takes over the call under way, which goes on as `request` says. Undefined if it was aborted before, or if `request` is another call:
   * then it is discarded, and the step must be made again.
   */
  adopt(request: StepRequest, words: ReplySink, onHead: (head: UpstreamHead) => void): Promise<StepOutcome> | undefined;
  /** Aborts the call, unless it was adopted. */
  abort(): void;
  readonly outcome: EarlyOutcome | undefined;
  /** The offer from the facts that the isolate expected. */
  readonly expected: ExpectedOffer;
}
