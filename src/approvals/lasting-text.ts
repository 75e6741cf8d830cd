/** How long something lasts, as a person says it. Pure. */
import { fillWords } from "./fill-words.ts";
import type { Words } from "./words/words.ts";

/** Rounded down, so that nobody is promised more than there is; at least a second. */
export function lastingText(ms: number, { frame }: Words): string {
  const seconds = Math.max(1, Math.floor(ms / 1_000));
  const tell = (text: string, size: number) => fillWords(text, { count: String(Math.floor(seconds / size)) });
  if (seconds < 120) return tell(frame.seconds, 1);
  if (seconds < 7_200) return tell(frame.minutes, 60);
  return seconds < 3 * 86_400 ? tell(frame.hours, 3_600) : tell(frame.days, 86_400);
}
