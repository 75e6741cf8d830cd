/** Times in the words of the page's language. */
import { durationText, roughDuration } from "./durations.ts";
import { language, texts } from "./texts.ts";

export const duration = (ms: number): string => durationText(ms, texts.times.units);

/** How long ago something happened. */
export function ago(ms: number): string {
  const time = roughDuration(ms, texts.times.units);
  return time === undefined ? texts.times.justNow : texts.times.ago(time);
}

const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });

export function when(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : days.format(date);
}
