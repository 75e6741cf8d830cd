/**
 * Whether a message refuses what the assistant asked, offered or is about to do: "no", "I'd like to hang on to it", "the neighbours are
 * asleep". Reads both with a small model, trained on `src/cli/wishes/sentences`. Pure.
 */
import { once } from "../../lib/once.ts";
import { continuesFeatures } from "./continues-features.ts";
import { linearModel } from "./linear-model.ts";
import { refusalModel } from "./refusal-model.ts";
import { wishOf } from "./wish.ts";

const model = once(() => linearModel(refusalModel));

/** A probability. Never throws. @param assistant the assistant's message before; without one there is nothing to refuse. */
export function refusalShare(text: string, assistant: string | undefined): number {
  if (assistant === undefined) return 0;
  return model()(continuesFeatures(assistant, text, wishOf(text)))[0] ?? 0;
}
