/** The parts of a day that a time of twelve hours needs: `5 pm`, `8 Uhr abends`, `las 3 de la tarde`, `下午5点`. Pure. */

const PARTS = {
  morning: String.raw`am|a\.\s?m\.?|in the morning|morgens|früh|vormittags|am morgen|am vormittag|de la mañana|du matin|di mattina|del mattino|da manhã|утра|午前|上午|早上|早晨|凌晨|清晨|朝|今朝|明早|오전`,
  noon: "mittags|中午|昼",
  later: String.raw`pm|p\.\s?m\.?|in the afternoon|nachmittags|am nachmittag|de la tarde|de l['’]après-midi|del pomeriggio|da tarde|дня|午後|下午|오후`,
  evening: "in the evening|abends|am abend|de la noche|du soir|di sera|da noite|вечера|晚上|傍晚|今晚|夜|夕方",
  night: "at night|nachts",
} as const;

type DayPart = keyof typeof PARTS;

/** Alternatives of a pattern. */
export const DAY_PARTS = Object.values(PARTS).join("|");

const known: readonly (readonly [DayPart, RegExp])[] = Object.entries(PARTS).map(([part, words]) => [
  part as DayPart,
  new RegExp(`^(?:${words})$`, "u"),
]);

/** Undefined if this part of the day has no such hour. @param part folded, absent if the writer names none. */
export function hourOfDay(hour: number, part: string | undefined): number | undefined {
  if (part === undefined) return hour <= 23 ? hour : undefined;
  if (hour > 12) return hour <= 23 && !/^[ap]\.?\s?m/.test(part) ? hour : undefined;
  switch (known.find(([, words]) => words.test(part))?.[0]) {
    case "morning":
      return hour === 12 ? 0 : hour;
    case "noon":
      return hour > 3 ? hour : hour + 12;
    case "later":
      return hour === 12 ? 12 : hour + 12;
    case "evening":
      return hour === 12 ? 0 : hour + 12;
    case "night":
      return hour === 12 ? 0 : hour > 5 ? hour + 12 : hour;
    case undefined:
      return undefined;
  }
}
