/** How long something lasts, as a person says it. Pure. */
import { fillWords } from "./fill-words.ts";
import type { Words } from "./words/words.ts";

/** Rounded down but for a sixtieth of the unit: what was asked for a day a moment ago stands for a day. At least a second. */
export function lastingText(ms: number, { frame }: Words): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const tell = (text: string, size: number) => fillWords(text, { count: String(Math.floor(seconds / size + 1 / 60)) });
  if (seconds < 120) return tell(frame.seconds, 1);
  if (seconds < 7_200) return tell(frame.minutes, 60);
  return seconds < 3 * 86_400 ? tell(frame.hours, 3_600) : tell(frame.days, 86_400);
}
