/** Times in the words of the page's language. */
import { language } from "./texts.ts";

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** `4 minutes`, in whole units, rounded down: who reads it has at least that. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, size] = units.find(([, one]) => seconds >= one) ?? (["second", 1] as const);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(seconds / size),
  );
}

const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });

export function when(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clock.format(date) : days.format(date);
}
