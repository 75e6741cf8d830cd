/**
 * Whether a message goes on with the task: a go-ahead, an amendment, a correction, an ellipsis or an answer. Reads it and the
 * assistant's last message with a small model, trained on `src/cli/wishes/sentences`. Pure.
 */
import { once } from "../../lib/once.ts";
import { isFollowUp } from "../lexical/follow-up.ts";
import { continuesFeatures } from "./continues-features.ts";
import { continuesModel } from "./continues-model.ts";
import { linearModel } from "./linear-model.ts";
import { wishOf } from "./wish.ts";

const model = once(() => linearModel(continuesModel));

interface Continuation {
  /** The message goes on with the task. */
  readonly continues: number;
  /** The part of it that changes or releases what the assistant did or offers: a go-ahead, an amendment or a correction. */
  readonly changes: number;
  /** The part of it that is a go-ahead alone. */
  readonly accepts: number;
}

/**
 * Probabilities. Never throws.
 * @param assistant the assistant's last message to the user; absent: not known.
 */
export function continuationOf({
  assistant,
  text,
}: {
  readonly assistant?: string | undefined;
  readonly text: string;
}): Continuation {
  const [goAhead = 0, amendment = 0, correction = 0, ellipsis = 0, answer = 0] = model()(
    continuesFeatures(assistant, text, wishOf(text)),
  );
  const changes = goAhead + amendment + correction;
  return { continues: changes + ellipsis + answer, changes, accepts: goAhead };
}

/** A message that follows nothing continues nothing, unless it makes no sense alone ("yes"): a frontend may leave out the assistant's message. */
export function continuationFor(text: string, assistant: string | undefined): Continuation {
  if (assistant !== undefined) return continuationOf({ text, assistant });
  return { continues: isFollowUp(text) ? 1 : 0, changes: 0, accepts: 0 };
}
