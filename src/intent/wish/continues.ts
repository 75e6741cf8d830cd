/**
 * Whether a message goes on with the task: a go-ahead, an amendment, a correction, an ellipsis or an answer. Reads it and what the
 * assistant last said with a small model, trained on `src/cli/wishes/sentences`. Pure.
 */
import { once } from "../../lib/once.ts";
import { continuesFeatures } from "./continues-features.ts";
import { continuesModel } from "./continues-model.ts";
import { linearModel } from "./linear-model.ts";
import { wishOf } from "./wish.ts";

const model = once(() => linearModel(continuesModel));

/**
 * @param assistant what the assistant last said to the user; absent: not known.
 * @returns the probability that `text` continues the task. Never throws.
 */
export function continuesOf({
  assistant,
  text,
}: {
  readonly assistant?: string | undefined;
  readonly text: string;
}): number {
  const [goAhead = 0, amendment = 0, correction = 0, ellipsis = 0, answer = 0] = model()(
    continuesFeatures(assistant, text, wishOf(text)),
  );
  return goAhead + amendment + correction + ellipsis + answer;
}
