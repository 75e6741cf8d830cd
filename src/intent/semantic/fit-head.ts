/** One training of a head: whitened, trained, and folded back, so that it reads vectors as they are. Pure, deterministic. */
import { emptyHead, type LinearHead, type Sample, trainHead } from "./linear-head.ts";
import { whiteningOf } from "./whitening.ts";

export interface Training {
  readonly intents: number;
  readonly dimensions: number;
  readonly pieces: number;
  readonly epochs: number;
}

const rate = 1;

/** The class after the last intent is *none of these*. How its texts differ from each other says nothing of how those of an intent do. */
export function fitHead(samples: readonly Sample[], { intents, dimensions, pieces, epochs }: Training): LinearHead {
  const classes = intents + 1;
  const head = emptyHead(samples, classes, dimensions, pieces);
  const own = samples.filter(({ label }) => label < intents);
  const whitening = whiteningOf(
    own.map(({ dense }) => dense),
    own.map(({ label }) => label),
    intents,
    dimensions,
  );
  const whitened = samples.map((sample) => ({ ...sample, dense: whitening.apply(sample.dense) }));
  trainHead(head, whitened, epochs, rate);
  for (let c = 0; c < classes; c++) whitening.fold(head.dense.subarray(c * dimensions, (c + 1) * dimensions));
  return head;
}
