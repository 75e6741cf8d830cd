/** Reads frequencies: `1x/d`, `twice a day`, `zweimal täglich`, `weekly`. Pure. */
import { lazyRegExp, once } from "../../../lib/once.ts";

/** English and German words for how many times; the first is one. */
const COUNTS: readonly (readonly string[])[] = [
  ["once", "einmal"],
  ["twice", "two times", "zweimal"],
  ["three times", "thrice", "dreimal"],
  ["four times", "viermal"],
  ["five times", "fünfmal"],
  ["six times", "sechsmal"],
];
/** Each line is one; a count may precede it. */
const PERIODS: readonly (readonly string[])[] = [
  ["an hour", "per hour", "every hour", "hourly", "stündlich", "pro stunde", "/h"],
  ["a day", "per day", "every day", "daily", "täglich", "tgl", "am tag", "pro tag", "al día", "par jour", "/day", "/d"],
  ["a week", "per week", "every week", "weekly", "wöchentlich", "pro woche", "/week", "/w"],
  ["a month", "per month", "every month", "monthly", "monatlich", "pro monat", "/month"],
];

/** In a value they are numbers. */
export const NUMBER_WORDS =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|half|double|once|twice|thrice|" +
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend|halbe?|doppelt";

const pattern = once(() => {
  const counts = COUNTS.map((words, at) => `(?<c${at + 1}>${words.join("|")}|${at + 1}\\s?(?:x|×|mal|times))`).join(
    "|",
  );
  const periods = PERIODS.map((words, at) => `(?<p${at}>${words.join("|")})`).join("|");
  return lazyRegExp(`(?<![\\p{L}\\d.,])(?:(?:${counts})\\s?)?(?:${periods})(?![\\p{L}\\d])\\.?`, "iu")();
});

interface Frequency {
  /** As written in the value. */
  readonly written: string;
  /** Other spellings of the same. @param amount done with this frequency. */
  spellings(amount: string): readonly string[];
}

/** The frequency in a value; undefined if there is none. */
export function frequencyIn(value: string): Frequency | undefined {
  const { 0: written, groups = {} } = pattern().exec(value) ?? { 0: "" };
  if (written === "") return undefined;
  const periods = PERIODS.find((_, at) => groups[`p${at}`] !== undefined) ?? [];
  const counted = COUNTS.findIndex((_, at) => groups[`c${at + 1}`] !== undefined) + 1;
  const times = Math.max(counted, 1);
  const words = [...(COUNTS[times - 1] ?? []), `${times}x`, `${times} x`, `${times} times`, `${times} mal`];
  const spellings = (amount: string): readonly string[] => [
    ...words.flatMap((word) => periods.map((period) => (period.startsWith("/") ? word + period : `${word} ${period}`))),
    // A bare "daily" may be the rest of "2x daily": it counts beside the amount only.
    ...(times === 1 ? periods.map((period) => (period.startsWith("/") ? amount + period : `${amount} ${period}`)) : []),
  ];
  return { written, spellings };
}
