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

/** From this probability on, one in ten messages that only look like a refusal is taken for one: it costs a question. */
const REFUSES_AT = 0.45;

/** Never throws. @param assistant the assistant's message before; without one there is nothing to refuse. */
export function refuses(text: string, assistant: string | undefined): boolean {
  if (assistant === undefined) return false;
  const [refusal = 0] = model()(continuesFeatures(assistant, text, wishOf(text)));
  return refusal >= REFUSES_AT;
}
