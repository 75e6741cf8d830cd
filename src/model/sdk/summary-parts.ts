/**
 * The summaries of a Responses upstream's thoughts, part by part, for a client of the same API: it shows summaries, and they are no other
 * thoughts. Mutable, one an answer.
 */
import type { JsonObject } from "../../lib/json/json-value.ts";

export interface SummaryParts {
  /** The next part begins. @param say takes what sets it apart: words that were held back go out with the part that they are of. */
  next(say: (gap: string) => void): void;
  /** The delta of a chat for words of the part. */
  delta(text: string): JsonObject;
  /** Of an answer that is sent whole. */
  readonly texts: readonly string[];
}

const GAP = "\n\n";

export function summaryParts(): SummaryParts {
  const texts: string[] = [];
  let isClosing = false;
  return {
    texts,
    next(say) {
      if (texts.length > 0) {
        isClosing = true;
        say(GAP);
        isClosing = false;
      }
      texts.push("");
    },
    delta(kept) {
      const text = isClosing && kept.endsWith(GAP) ? kept.slice(0, -GAP.length) : kept;
      const at = Math.max(texts.length - 1, 0);
      texts[at] = (texts[at] ?? "") + text;
      return { reasoning_summary: text, summary_index: at };
    },
  };
}
