/** Calls of this turn that the client does not get, as the model is told of them. */
import type { JsonObject } from "../../wire/read-chunk.ts";
import { isTold } from "../offer/told-withheld.ts";
import type { VettedCall } from "../step/vet-step.ts";
import type { Turn } from "../turn.ts";
import { exchangeOf } from "./hidden-exchange.ts";

/** What stands beside them in the model's own message, and what it may do next. */
interface Beside {
  readonly words?: string;
  readonly reasoning?: string;
  /** No tools follow; absent: as the turn says. */
  readonly noTools?: boolean;
}

export function tellHidden(
  turn: Turn,
  calls: readonly VettedCall[],
  { words = "", reasoning = "", noTools = turn.log.wordsOnly }: Beside = {},
): JsonObject[] {
  const mayName = (vetted: VettedCall) => isTold(turn, { ...vetted, tool: vetted.call.name });
  return exchangeOf(words, reasoning, calls, { noTools, mayName });
}
