/**
 * What a session holds of the user's wish, and how it moves from task to task. Pure.
 *
 * Soft uses and successes belong to an epoch, which begins anew when the user's own words replace or clear what is held,
 * and on a reset. Not when the handshake selects: a model could earn itself new soft uses by going to and fro.
 */

import type { IntentMove } from "./task.ts";
import type { Variant } from "./variant.ts";

export interface Standing {
  /** The task that the rest is of: code that knows nothing of a standing may have moved the session on since. */
  readonly task: number;
  readonly epoch: number;
  /** Detected in the user's words, with whatever confidence, in the order of the detection. */
  readonly detected: readonly string[];
  /** Families of which a call succeeded in the epoch. */
  readonly succeeded: readonly string[];
  /** The model was reminded, in this task, of what the intent requires. */
  readonly reminded: boolean;
  /** Text of a tool that the policy does not trust is, or was, in the conversation. */
  readonly untrusted: boolean;
  /** Where the held intent has a call that the system could make. It goes when the intents move on. */
  readonly variant?: Variant | undefined;
}

export const NO_STANDING: Standing = {
  task: 0,
  epoch: 0,
  detected: [],
  succeeded: [],
  reminded: false,
  untrusted: false,
};

/** What is known of the task that the session is in: of a later one than the standing's, nothing. */
export const standingOf = (standing: Standing, task: number): Standing =>
  standing.task === task
    ? standing
    : { ...NO_STANDING, task, epoch: standing.epoch + 1, untrusted: standing.untrusted };

export interface Held {
  readonly intents: readonly string[];
  readonly standing: Standing;
}

/**
 * A new user message begins task `task`.
 *
 * Intents that are all held already ask for nothing new: what is held is narrowed to those that the message names, and
 * the epoch goes on. One that is not held makes the set another one, and the epoch ends.
 * @param detected names in the message, whatever their confidence.
 */
export function moveHeld(held: Held, move: IntentMove, detected: readonly string[], task: number): Held {
  const goOn = (intents: readonly string[], names: readonly string[]): Held => ({
    intents,
    standing: { ...held.standing, task, detected: names, reminded: false },
  });
  const anew = (intents: readonly string[]): Held => ({
    intents,
    standing: { ...goOn([], detected).standing, epoch: held.standing.epoch + 1, succeeded: [], variant: undefined },
  });
  const isHeld = (name: string) => held.intents.includes(name);
  switch (move.kind) {
    case "clear":
      return anew([]);
    case "replace":
      return move.intents.length > 0 && move.intents.every(isHeld) ? goOn(move.intents, detected) : anew(move.intents);
    case "keep": {
      const { only } = move;
      // A follow-up goes on with the same wish, so what was detected of it still counts.
      if (!only) return goOn(held.intents, [...new Set([...held.standing.detected, ...detected])]);
      const kept = held.intents.filter((name) => only.includes(name));
      return kept.length > 0 ? goOn(kept, detected) : anew([]);
    }
  }
}
