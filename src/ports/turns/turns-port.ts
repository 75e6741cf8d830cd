/**
 * The port to the turns of one user. UserGuard stores what must be counted or remembered about that user.
 *
 * Each method is one transaction: it happens whole or not at all, and no two overlap. A turn calls `open` once before
 * the model, `decide` once for each step that has calls, `saveHidden` before a release whose hidden exchanges the
 * client's next request needs, and `close` once the reply has ended. The client does not wait for `close`; the isolate does, and
 * keeps its result so that the model's call of the next turn can begin beside the open (`turn/speculate`).
 *
 * An open that only reads is answered before it is written, and so is a close that the next request does not depend on. The
 * writes follow within milliseconds, in order, and before any other answer. If the write of an open is lost, the turn is unknown:
 * it decides nothing, and its close leaves a line in the log instead of a record. If the write of a close is lost, the turn is
 * recorded later, as one that was never closed.
 */

import type { DecidedCall, DecideRequest } from "./decide-request.ts";
import type { HiddenExchange } from "./hidden-exchange.ts";
import type { OpenRequest, OpenResult } from "./open-turn-request.ts";
import type { TurnAccount } from "./turn-account.ts";

export interface SaveHiddenRequest {
  readonly turn: string;
  readonly session: string;
  /** Stored for the length of the task. */
  readonly hidden: readonly HiddenExchange[];
  /** The model was reminded in this turn: no later turn of the task reminds it again. */
  readonly reminded: boolean;
}

export interface CloseRequest {
  readonly turn: string;
  readonly session: string;
  readonly record: TurnAccount;
  /** The first reply's text, if a fresh session must be found by it. */
  readonly replyText: string | undefined;
  /** Marks by which a later request shows that it holds the reply (`replyMarks`). Absent: it may not have reached the client. */
  readonly reply?: readonly string[] | undefined;
  /** Exchanges that outlast the task, anchored to the reply. */
  readonly retained?: readonly HiddenExchange[];
  /** Calls were released, or the turn failed. */
  readonly taskGoesOn: boolean;
  /** The reply says that what was heard closes what the user wants: the next message does not go on with it. */
  readonly isMisheard?: true;
  /**
   * None of the turn's calls reached the client: their reserved uses are returned, also those of a decision whose answer was lost.
   * Not those of calls that a retry got meanwhile or that have a result. A turn that released an approved call returns nothing:
   * the same request gets the same calls.
   */
  readonly giveBack: boolean;
}

/** What restricts a session, as of a transaction. */
export interface SessionSnapshot {
  readonly mode: string | null;
  readonly intents: readonly string[];
  /** Providers that operators linked for the user. */
  readonly connections: readonly string[];
  /** As in `OpenResult`, for the results that come back next. */
  readonly resultTag: string;
}

export interface TurnsPort {
  open(request: OpenRequest): Promise<OpenResult>;
  /** @returns a decision for each call, in order. Rejects for a turn or session that is not open: nothing was decided. */
  decide(request: DecideRequest): Promise<readonly DecidedCall[]>;
  /** Stores hidden exchanges of a turn that is open; what is too large is left out. */
  saveHidden(request: SaveHiddenRequest): Promise<void>;
  /** @returns what restricts the session now, if calls of the turn will come back. */
  close(request: CloseRequest): Promise<SessionSnapshot | undefined>;
}
