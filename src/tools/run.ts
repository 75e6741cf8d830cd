/** One run of a managed call: its entry in the ledger, and its outcome. */

/** `started`: no outcome yet. `not_started`: nothing was sent to the tool, so its use is not counted. */
export type RunStatus = "started" | "succeeded" | "failed" | "unknown" | "not_started";

export type RunKind = "http" | "mcp" | "builtin";

/** Why a run failed, or did not start. Stable: clients and audit queries rely on them. */
export type RunFailure =
  /** Not started. */
  | "host_forbidden"
  | "address_forbidden"
  | "secret_unbound"
  | "connection_missing"
  | "definition_changed"
  | "arguments_unfit"
  | "unavailable"
  /** Failed, or unknown if it may have been done nevertheless. */
  | "redirect_forbidden"
  | "timeout"
  | "cancelled"
  | "too_large"
  | "unreadable"
  | "tool_failed";

/** UTF-16 units of a result that are kept for an undo. */
export const MAX_STORED_UNITS = 16 * 1024;

/** What is known of a run when it is entered. */
export interface RunEntry {
  readonly kind: RunKind;
  /** The target: a host, an MCP server's name, or `toolgate`. */
  readonly target: string;
  /** Milliseconds since the epoch after which it has no outcome any more. */
  readonly deadline: number;
  readonly trusted: boolean;
}

/** How a run ended. */
export interface RunOutcome {
  readonly status: Exclude<RunStatus, "started">;
  readonly failure: RunFailure | null;
  /** For a person and the record; holds no argument and no secret. Null if it succeeded. */
  readonly detail: string | null;
  /** The text that the model is given: bounded, and marked if it is untrusted or was cut. */
  readonly text: string;
  /** What came back, for an undo (within `MAX_STORED_UNITS` units) or a plan's later steps; undefined if it is longer than is kept. */
  readonly result: string | undefined;
  /** Milliseconds. */
  readonly ms: number;
  /** UTF-8 bytes of what came back. */
  readonly bytes: number;
  readonly cut: boolean;
  /** Sets of injection patterns that what came back matches. */
  readonly suspicious: readonly string[];
  /** The status of an HTTP answer. */
  readonly httpStatus: number | null;
  /** How often it was tried. */
  readonly attempts: number;
}

/** The text for the model of a run whose outcome nobody knows: the tool may have acted. */
export const UNKNOWN_RUN = "[it is not known whether this was done; do not do it again without asking the user]";

/** A run that brought nothing back. @param text for the model. */
export const endedRun = (outcome: Pick<RunOutcome, "status" | "failure" | "detail" | "text">, ms = 0): RunOutcome => ({
  ...{ result: undefined, bytes: 0, cut: false, suspicious: [], httpStatus: null, attempts: 0 },
  ...outcome,
  ms,
});

export interface ExecutionResult {
  readonly status: RunOutcome["status"];
  readonly failure: RunFailure | null;
  /** As in `RunOutcome`: no argument, no secret, nothing that came back. */
  readonly detail: string | null;
  /** What came back, as text for the model; empty if nothing did. */
  readonly content: string;
  /** UTF-8 bytes of what came back. */
  readonly bytes: number;
  readonly httpStatus: number | null;
  readonly attempts: number;
}

type ResultDetails = Pick<ExecutionResult, "content" | "bytes" | "httpStatus" | "attempts">;

const NOTHING: ResultDetails = { content: "", bytes: 0, httpStatus: null, attempts: 0 };

export const succeeded = (content: string, details: Partial<ResultDetails> = {}): ExecutionResult => ({
  ...NOTHING,
  attempts: 1,
  ...details,
  status: "succeeded",
  failure: null,
  detail: null,
  content,
});

/** Nothing was sent to the tool: its use is not counted. */
export const notStarted = (failure: RunFailure, detail: string): ExecutionResult => ({
  ...NOTHING,
  status: "not_started",
  failure,
  detail,
});

export const failed = (failure: RunFailure, detail: string, details: Partial<ResultDetails> = {}): ExecutionResult => ({
  ...NOTHING,
  attempts: 1,
  ...details,
  status: "failed",
  failure,
  detail,
});

/** It may have been done nevertheless. */
export const unknown = (
  failure: RunFailure,
  detail: string,
  details: Partial<ResultDetails> = {},
): ExecutionResult => ({
  ...failed(failure, detail, details),
  status: "unknown",
});
