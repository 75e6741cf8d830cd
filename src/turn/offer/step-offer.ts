/** What a step of the model is offered, and the first step where the model was called before the turn was open. */

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
  /** What goes on the wire, the handshake tool last. */
  readonly tools: readonly ToolDefinition[];
}

export const isOffer = (value: StepOffer | Ending): value is StepOffer => "offer" in value;

/** What was offered in the same turn, as it was expected to open. */
export interface ExpectedOffer {
  readonly turn: Turn;
  readonly offer: StepOffer;
}

/** What all steps of a turn work with. */
export interface StepContext {
  readonly deps: TurnDeps;
  readonly reply: Reply;
  /** Adopted by the first step that calls the model. */
  readonly speculation: SpeculativeStep | undefined;
}

/** A first step of the model that was begun before the turn was open. */
export interface SpeculativeStep {
  /** Headers of the call for the upstream, beside those of the request. */
  readonly extra: StepRequest["headers"] | undefined;
  /**
   * Takes over the call under way, which goes on as `request` says. Undefined where it was aborted before, or `request` is another
   * call: then it is discarded, and the step must be made again.
   */
  adopt(request: StepRequest, words: ReplySink, onHead: (head: UpstreamHead) => void): Promise<StepOutcome> | undefined;
  /** Aborts the call, unless it was adopted. */
  abort(): void;
  readonly outcome: EarlyOutcome | undefined;
  /** What was offered from the facts that the isolate expected. */
  readonly expected: ExpectedOffer;
}
