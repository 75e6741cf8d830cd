/** What a turn tells of itself for its record, when it closes. */
import type { Arm } from "../session/arm.ts";
import type { State } from "../session/state.ts";
import type { RecordedDetection } from "./recorded-detection.ts";
import type { SystemFirstNote } from "./system-first-note.ts";

export interface TurnAccount {
  readonly endedAt: number;
  readonly role: string;
  readonly mode: string;
  readonly policy: string;
  readonly stateOpened: State;
  readonly stateClosed: State;
  readonly intents: readonly string[];
  /** Null where nothing was detected: on a continuation, or for a command. */
  readonly detection: RecordedDetection | null;
  readonly stopReason: string;
  readonly finishReason: string | null;
  readonly steps: number;
  readonly offered: readonly string[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  /** How many names were left out of the two lists. */
  readonly offeredMore?: number;
  readonly withheldMore?: number;
  readonly tokensSaved: number;
  readonly usage: unknown;
  readonly error: string | null;
  readonly arm?: Arm | undefined;
  readonly intentOpened?: string;
  readonly again?: true;
  readonly answers?: true;
  readonly systemFirst?: SystemFirstNote | undefined;
  /** The plan that the turn ran. */
  readonly plan?: string | undefined;
}
