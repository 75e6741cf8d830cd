/**
 * Derives the state of a session, which is never stored, and the view of a session for its owner. Pure.
 * Source: reference/proactive-tool-filtering.md (REQUEST, REASONING, ACTION).
 */
export type State = "request" | "reasoning" | "action";

interface StateInputs {
  /** The policy's `handshake.select`. */
  readonly select: "detected" | "model" | "off";
  /** The intents that the task holds. */
  readonly intents: readonly string[];
  /** Whether the model is being called in this turn, or was. */
  readonly modelCalled: boolean;
}

export function deriveState({ select, intents, modelCalled }: StateInputs): State {
  if (select === "off" || intents.length > 0) return "action";
  return modelCalled ? "reasoning" : "request";
}

/** A session, as its owner may see it. */
export interface SessionInfo {
  readonly id: string;
  readonly mode: string | undefined;
  readonly intents: readonly string[];
  readonly detected: readonly string[];
  readonly createdAt: number;
  readonly seenAt: number;
  /** Released calls without a result. */
  readonly pending: number;
}
