/** What a turn tells of itself for its record, when it closes. Plain JSON, without an `undefined`: the record is hashed. */

import type { State } from "../../session/state.ts";
import type { Variant } from "../../session/variant.ts";
import type { SystemFirstNote } from "../system-first/system-first-note.ts";
import type { RecordedDetection } from "./recorded-detection.ts";

/** A tool that no step of a turn offered. */
export interface WithheldNote {
  readonly name: string;
  /** The codes of the reasons. */
  readonly reasons: readonly string[];
  /** What the client must mend: present with `schema_invalid`. */
  readonly message?: string;
}

export interface TurnAccount {
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly role: string;
  readonly mode: string;
  /** Digest of the policy document that decided. */
  readonly policy: string;
  readonly stateOpened: State;
  readonly stateClosed: State;
  readonly intents: readonly string[];
  /** What was detected in the user's message; null where nothing was looked for: on a continuation, or for a command. */
  readonly detection: RecordedDetection | null;
  readonly stopReason: string;
  readonly finishReason: string | null;
  /** Calls of the model. */
  readonly steps: number;
  /** Names of the tools that were offered. */
  readonly offered: readonly string[];
  readonly withheld: readonly WithheldNote[];
  /** How many names were left out of `offered` and `withheld`; absent where none was. */
  readonly offeredMore?: number;
  readonly withheldMore?: number;
  readonly tokensSaved: number;
  /** As the upstream gave it. */
  readonly usage: unknown;
  readonly error: string | null;
  /** The variant of its task; absent where the intent has no call that the system could make. Stored records name it so. */
  readonly arm?: Variant;
  /** With `arm`: the intent that the turn began with; the model may have taken another. */
  readonly intentOpened?: string;
  /** With `arm`: an earlier, answered request was the same: the task had begun already. */
  readonly again?: true;
  readonly systemFirst?: SystemFirstNote;
  /** The plan that it ran. */
  readonly plan?: string;
}
