/** The port to the surface that a turn replies on: one adapter for each wire format. */

import type { JsonObject } from "../lib/json/json-value.ts";
import type { State } from "../session/state.ts";
import type { RunFailure, RunStatus } from "../tools/run.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { ReplySink } from "../wire/reply-sink.ts";
import type { UpstreamHead } from "./model-port.ts";
import type { Ending, ToolgateNote } from "./turns/ending.ts";

export interface OpenedNote {
  readonly turn: string;
  readonly session: string;
  readonly state: State;
  readonly intents: readonly string[];
}

export interface ReportedRun {
  /** The decision's id; the model's own call ids may repeat. */
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Redacted. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: RunStatus;
  readonly failure: RunFailure | null;
  readonly ms: number | null;
}

/** A reply without text for a reader: a plan's, a single tool call's, an undo's. It needs no heartbeat to stay open. */
export const SILENT_REPLY: Pick<Reply, "hold" | "say"> = { hold() {}, say() {} };

export interface Reply {
  readonly envelope: Envelope;
  /** The sink for the model's text. */
  readonly words: ReplySink;
  /** When the body began to be sent, in milliseconds since the epoch; undefined before, and for a body sent whole. */
  readonly firstByteAt?: number | undefined;
  /** How the turn opened. Called before anything is sent. */
  opened(note: OpenedNote): void;
  /** The upstream has answered: the client may have its status and headers. Called once a step, used once. */
  head(head: UpstreamHead): void;
  /** The turn waits: the client may have its status and headers, and gets a heartbeat. */
  hold(waitsFor: "person" | "tools"): void;
  /** Managed calls that the client may know of have ended. Absent: the reply's note lists them, or nothing does. */
  ran?(runs: readonly ReportedRun[]): void;
  /** Appends the gateway's own text: at once on a stream; before the answer in a body that is sent whole. Not in JSON mode. */
  say(words: string): void;
  /**
   * A step is over: text that was held is sent (`keep`) or, because the step had hidden calls, dropped.
   * @param textSent whether it had any.
   */
  stepEnded(keep: boolean, textSent: boolean): void;
  /**
   * Ends the reply.
   * @param usage the sum over the turn's steps, if there were several, or if the gateway itself ends the turn.
   * @returns whether it could still be written to the client.
   */
  finish(ending: Ending, note: ToolgateNote, usage: JsonObject | undefined): Promise<boolean>;
}
