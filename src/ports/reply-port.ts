/** The port to the surface that a turn replies on: one adapter a wire format. */

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

/** A reply that nobody reads words in: a plan's, a single tool call's, an undo's. It stays open by itself. */
export const SILENT_REPLY: Pick<Reply, "hold" | "say"> = { hold() {}, say() {} };

export interface Reply {
  readonly envelope: Envelope;
  /** Where the model's words go. */
  readonly words: ReplySink;
  /** When the body began to be sent, in milliseconds since the epoch; undefined before, and for a body sent whole. */
  readonly firstByteAt?: number | undefined;
  /** How the turn opened. Told before anything is sent. */
  opened(note: OpenedNote): void;
  /** The upstream has answered: the client may have its status and headers. Told once a step, used once. */
  head(head: UpstreamHead): void;
  /** The turn waits: the client may have its status and headers, and hears now and then that it goes on. */
  hold(waitsFor: "person" | "tools"): void;
  /** Managed calls that the client may know of have ended. Absent: the reply's note tells of them, or nothing does. */
  ran?(runs: readonly ReportedRun[]): void;
  /**
   * Appends the gateway's own words: at once on a stream; a body that is sent whole has them before the answer. Not in
   * JSON mode.
   */
  say(words: string): void;
  /**
   * A step is over: words that were held are sent (`keep`) or, because the step had hidden calls, dropped.
   * @param textSent whether it had any.
   */
  stepEnded(keep: boolean, textSent: boolean): void;
  /**
   * Ends the reply.
   * @param usage the sum over the turn's steps, where there were several, or where the gateway itself ends the turn.
   * @returns whether it could still be written to the client.
   */
  finish(ending: Ending, note: ToolgateNote, usage: JsonObject | undefined): Promise<boolean>;
}
