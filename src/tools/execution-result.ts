/** What an executor tells of a run, before the runner bounds, scans and marks it for the model. Pure. */
import type { RunFailure, RunOutcome } from "./run.ts";

export interface ExecutionResult {
  readonly status: RunOutcome["status"];
  readonly failure: RunFailure | null;
  /** As in `RunOutcome`: no argument, no secret, nothing that came back. */
  readonly detail: string | null;
  /** What came back, as text for the model; empty where nothing did. */
  readonly content: string;
  /** UTF-8 bytes of what came back. */
  readonly bytes: number;
  readonly httpStatus: number | null;
  readonly attempts: number;
}

type ResultDetails = Pick<ExecutionResult, "content" | "bytes" | "httpStatus" | "attempts">;

const NOTHING: ResultDetails = { content: "", bytes: 0, httpStatus: null, attempts: 0 };

export const succeeded = (content: string, told: Partial<ResultDetails> = {}): ExecutionResult => ({
  ...NOTHING,
  attempts: 1,
  ...told,
  status: "succeeded",
  failure: null,
  detail: null,
  content,
});

/** Nothing left for the tool: its use is given back. */
export const notStarted = (failure: RunFailure, detail: string): ExecutionResult => ({
  ...NOTHING,
  status: "not_started",
  failure,
  detail,
});

export const failed = (failure: RunFailure, detail: string, told: Partial<ResultDetails> = {}): ExecutionResult => ({
  ...NOTHING,
  attempts: 1,
  ...told,
  status: "failed",
  failure,
  detail,
});

/** It may have been done all the same. */
export const unknown = (failure: RunFailure, detail: string, told: Partial<ResultDetails> = {}): ExecutionResult => ({
  ...failed(failure, detail, told),
  status: "unknown",
});
