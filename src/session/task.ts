/**
 * A session's task: which intents it holds, and how a request changes them. Pure.
 *
 *  - A new user message with a confident detection of other intents replaces them.
 *  - A message that continues the task, or wants the same, keeps them; an addition ("also …") adds to them.
 *  - Any other new user message clears them. A continuation that only brings tool results changes nothing.
 *  - The handshake adds intents beside those that the user's words hold. A reset clears all.
 *
 * Soft uses and successes belong to an epoch. It begins anew when the user's own words replace or clear the intents, and on a
 * reset. It does not when the handshake selects: a model could earn itself new soft uses by going to and fro.
 */
import type { Variant } from "./variant.ts";

/** A change of a task's intents. The turn names it; UserGuard, which stores the held intents, applies it. */
export type IntentChange =
  /** These are what the user wants now. */
  | { readonly kind: "replace"; readonly intents: readonly string[] }
  /** The user goes on with the task and wants these too: the held ones stay. */
  | { readonly kind: "add"; readonly intents: readonly string[] }
  /** The held intents stay; with `only`, those that are among these, and if none is, all are cleared. */
  | { readonly kind: "keep"; readonly only?: readonly string[] }
  /**
   * Only the held intents that are among `unless` stay. If there are none, and with `stillSelectable`, what the user's words
   * requested before still counts: the message may answer a question.
   */
  | { readonly kind: "clear"; readonly stillSelectable?: boolean; readonly unless?: readonly string[] };

/** The part of a detection that moves intents. */
interface MessageDetection {
  /** `layer` is `fallback` if nothing was found. */
  readonly intents: readonly { readonly name: string; readonly confidence: number; readonly layer: string }[];
  readonly followUp: boolean;
  /** It may go on with the task: it does if it also resembles it. */
  readonly mayFollowUp: boolean;
  /** It surely goes on with the task, even if it requests more. */
  readonly keepsTask: boolean;
  /** The assistant's message before it asks a question. */
  readonly afterQuestion: boolean;
  /** The confidence from which an intent is selected. */
  readonly selectAt: number;
}

export interface IntentChangeInputs {
  readonly newMessage: boolean;
  /** Undefined if nothing was detected: a continuation, or a command to the gateway. */
  readonly detection: MessageDetection | undefined;
  /** The policy's `handshake.select`. */
  readonly select: "detected" | "model" | "off";
  /** Whether the policy has such an intent: a detector's model may name any. */
  readonly knows: (intent: string) => boolean;
}

/** The confidence from which a message may mean an intent. */
const SOUNDS_LIKE = 0.2;

/**
 * All confident intents of a message are held together. The fallback is never held: it says that nothing was found. If only
 * the handshake selects, a message never adds an intent: it can only repeat a held one.
 */
export function intentChangeOf({ newMessage, detection, select, knows }: IntentChangeInputs): IntentChange {
  if (!newMessage) return { kind: "keep" };
  if (!detection) return { kind: "clear" };
  const namesFrom = (least: number): readonly string[] => {
    const found = detection.intents.filter(
      ({ name, confidence, layer }) => layer !== "fallback" && confidence >= least && knows(name),
    );
    return [...new Set(found.map(({ name }) => name))];
  };
  const intents = namesFrom(detection.selectAt);
  if (intents.length === 0) {
    if (detection.followUp) return { kind: "keep" };
    const unless = detection.mayFollowUp ? namesFrom(SOUNDS_LIKE) : [];
    return {
      kind: "clear",
      ...(detection.afterQuestion ? { stillSelectable: true } : {}),
      ...(unless.length > 0 ? { unless } : {}),
    };
  }
  if (select === "model") return { kind: "keep", only: intents };
  return { kind: detection.keepsTask ? "add" : "replace", intents };
}

export interface TaskState {
  /** The task that the rest belongs to: an older version of the code may have begun another one since. */
  readonly task: number;
  readonly epoch: number;
  /** Detected in the user's words, with any confidence, in the order of the detection. */
  readonly detected: readonly string[];
  /** Families of which a call succeeded in the epoch. */
  readonly succeeded: readonly string[];
  /** The model was reminded, in this task, of what the intent requires. */
  readonly reminded: boolean;
  /** Text of a tool that the policy does not trust is, or was, in the conversation. */
  readonly untrusted: boolean;
  /** Held intents that only the model selected, as `addSelected` marks them. Absent: none. */
  readonly undetected?: readonly string[] | undefined;
  /** Digests of the results whose values the user lets this task use. They end with the task. Absent: none. */
  readonly endorsed?: readonly string[] | undefined;
  /** Set if the held intent has a call that the system could make. Removed when the intents change. */
  readonly variant?: Variant | undefined;
  /** The task ended without what its intent requires. */
  readonly failed?: boolean | undefined;
}

export const NO_TASK: TaskState = {
  task: 0,
  epoch: 0,
  detected: [],
  succeeded: [],
  reminded: false,
  untrusted: false,
};

/** The state of the session's current task; empty for a task that began after the state was stored. */
export const taskStateFor = (taskState: TaskState, task: number): TaskState =>
  taskState.task === task
    ? taskState
    : { ...NO_TASK, task, epoch: taskState.epoch + 1, untrusted: taskState.untrusted };

export interface SessionIntents {
  readonly intents: readonly string[];
  readonly taskState: TaskState;
}

/** The part of the answer to a turn's open that is about the task. */
export function heldFacts({ intents, taskState }: SessionIntents) {
  const { detected, undetected, endorsed, succeeded, reminded, untrusted } = taskState;
  return { intents, detected, undetected, endorsed, succeeded, reminded, untrusted };
}

/**
 * A new user message begins task `task`.
 *
 * If all named intents are held already, nothing new is asked for: the held intents are narrowed to those, and the epoch goes on.
 * If one is not held, the set is another one, and the epoch ends.
 * @param detected names in the message, whatever their confidence.
 */
export function applyIntentChange(
  held: SessionIntents,
  change: IntentChange,
  detected: readonly string[],
  task: number,
): SessionIntents {
  const intentChange = held.taskState.failed ? afterFailure(change) : change;
  const goOn = (intents: readonly string[], names: readonly string[]): SessionIntents => ({
    intents,
    taskState: {
      ...held.taskState,
      task,
      detected: names,
      reminded: false,
      failed: undefined,
      endorsed: undefined,
      undetected: held.taskState.undetected?.filter((name) => intents.includes(name) && !names.includes(name)),
    },
  });
  const anew = (intents: readonly string[]): SessionIntents => ({
    intents,
    taskState: { ...goOn([], detected).taskState, epoch: held.taskState.epoch + 1, succeeded: [], variant: undefined },
  });
  const isHeld = (name: string) => held.intents.includes(name);
  switch (intentChange.kind) {
    case "clear": {
      const stays = held.intents.filter((name) => intentChange.unless?.includes(name));
      if (stays.length > 0) return goOn(stays, detected);
      const cleared = anew([]);
      if (!intentChange.stillSelectable) return cleared;
      // Without intents that only the model selected: untrusted text may have been the reason.
      const wished = [...new Set([...held.taskState.detected, ...detected])];
      return { ...cleared, taskState: { ...cleared.taskState, detected: wished } };
    }
    case "replace":
      return intentChange.intents.length > 0 && intentChange.intents.every(isHeld)
        ? goOn(intentChange.intents, detected)
        : anew(intentChange.intents);
    case "add": {
      const added = intentChange.intents.filter((name) => !isHeld(name));
      const detectedInTask = [...new Set([...held.taskState.detected, ...detected])];
      // Intents that only the model selected end here: its own words may be why the message seems to go on with them.
      const wished = held.intents.filter(
        (name) => held.taskState.detected.includes(name) || intentChange.intents.includes(name),
      );
      if (added.length === 0) return goOn(wished, detectedInTask);
      const { intents, taskState } = anew([...wished, ...added]);
      return { intents, taskState: { ...taskState, detected: detectedInTask } };
    }
    case "keep": {
      const { only } = intentChange;
      // A follow-up goes on with the same wish, so what was detected in it still counts.
      if (!only) return goOn(held.intents, [...new Set([...held.taskState.detected, ...detected])]);
      const kept = held.intents.filter((name) => only.includes(name));
      return kept.length > 0 ? goOn(kept, detected) : anew([]);
    }
  }
}

/**
 * The handshake adds to the held intents. A selection that is not the user's wish is marked. Intents that were held before are not marked again.
 * @param untrusted untrusted text is in the conversation, and may have led the model to what the user's words do not ask for.
 * @param unasked the user's message plainly asks for nothing to be done: then an intent that its words half express is no wish either.
 */
export function addSelected(
  { intents, taskState }: SelectionBasis,
  names: readonly string[],
  { untrusted, unasked = false }: { readonly untrusted: boolean; readonly unasked?: boolean },
): { readonly intents: readonly string[]; readonly undetected: readonly string[] } {
  const added = [...new Set(names)].filter((name) => !intents.includes(name));
  const { detected, undetected = [] } = taskState;
  const marked = unasked ? added : untrusted ? added.filter((name) => !detected.includes(name)) : [];
  return { intents: [...intents, ...added], undetected: [...undetected, ...marked] };
}

/**
 * The user answers a question, and asks for more as well: the held intents stay, whoever selected them, because the waiting call is vetted
 * under them.
 * @param names intents of the message. @param detected names in it, whatever their confidence.
 */
export function addWishes(held: SessionIntents, names: readonly string[], detected: readonly string[]): SessionIntents {
  const { taskState } = held;
  return {
    intents: [...new Set([...held.intents, ...names])],
    taskState: {
      ...taskState,
      detected: [...new Set([...taskState.detected, ...detected])],
      undetected: taskState.undetected?.filter((name) => !detected.includes(name)),
    },
  };
}

interface SelectionBasis {
  readonly intents: readonly string[];
  readonly taskState: Pick<TaskState, "detected" | "undetected">;
}

/**
 * A failed task is over: kept, it would fail the next message as well, before the model is called. Its intents can be selected again,
 * by the user's words or by the handshake.
 */
function afterFailure(change: IntentChange): IntentChange {
  if (change.kind === "add") return { ...change, kind: "replace" };
  return change.kind === "replace"
    ? change
    : { kind: "clear", stillSelectable: change.kind === "keep" || change.stillSelectable === true };
}
