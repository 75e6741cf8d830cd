/**
 * Whether a message wants no change now, though it may name one: "write Tom a mail, but let me see it first", "not yet, maybe tomorrow", "just
 * a few ideas for now", "is 20 too much to refund?", "I'd close it, or wait, let me ask Kim", "thanks, good night". Pure.
 */
import { ownSentences } from "./own-sentences.ts";
import { HOLDS_BACK_BELOW } from "./thresholds.ts";
import { changeShare } from "./wish.ts";

/** UTF-16 units. The model of changes has learnt from messages of this length, and reads no further. */
const LONGEST = 240;

export function holdsBack(message: string): boolean {
  const text = ownSentences(message).join(" ");
  return text !== "" && text.length <= LONGEST && changeShare(text) < HOLDS_BACK_BELOW;
}
