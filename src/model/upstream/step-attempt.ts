/** One attempt of a step at one upstream, whatever its protocol. */
import type { StepOutcome, StepRequest, UpstreamHead } from "../../ports/model-port.ts";
import type { ReplySink } from "../../wire/reply-sink.ts";
import type { Attempt, AttemptTarget } from "./upstreams.ts";

export interface StepUnderWay {
  readonly request: StepRequest;
  readonly words: ReplySink;
  /** Only the first call counts: the client gets one answer. */
  readonly tellHead: (head: UpstreamHead) => void;
}

/** The work's result or its failure, not before the step is confirmed. */
export async function onceConfirmed<T>(work: Promise<T>, { confirmed }: StepRequest): Promise<T> {
  if (!confirmed) return work;
  try {
    return await work;
  } finally {
    await confirmed;
  }
}

export type StepAttempt = Attempt<StepOutcome, StepOutcome>;

/** Never throws. If the attempt fails, nothing of its answer has gone to the client. */
export type AttemptStep = (step: StepUnderWay, target: AttemptTarget) => Promise<StepAttempt>;
