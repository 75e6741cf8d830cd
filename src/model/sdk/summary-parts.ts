/**
 * Summaries of a Responses upstream's thoughts, part by part, for a client of the same API, which shows only summaries. Mutable, one per
 * answer.
 */
import type { JsonObject } from "../../lib/json/json-value.ts";

export interface SummaryParts {
  /** The next part begins. @param say gets the separator: text that was held back goes out with its own part. */
  next(say: (gap: string) => void): void;
  /** The delta of a chat for text of the part. */
  delta(text: string): JsonObject;
  /** The parts of an answer that is sent whole. */
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
