/**
 * Dates as people write them: `2026-03-03`, `3 March 2026`, `March 3, 2026`, `03.03.2026`, `3. März`, `3 de marzo`, `3月3日`. Pure.
 * Where day and month could be exchanged (`03/04/2026`) there is no form: such a date matches only as it is written.
 */
import { once } from "../../lib/once.ts";

const MONTHS = [
  "january jan januar enero ene janvier",
  "february feb februar febrero fevrier février",
  "march mar marz maerz mrz märz marzo mars",
  "april apr abril abr avril",
  "may mai mayo",
  "june jun juni junio juin",
  "july jul juli julio juillet",
  "august aug agosto ago aout août",
  "september sep sept septiembre septembre",
  "october oct oktober okt octubre octobre",
  "november nov noviembre novembre",
  "december dec dezember dez diciembre dic decembre décembre",
];

const monthNumbers = once(
  () => new Map(MONTHS.flatMap((names, at) => names.split(" ").map((name) => [name, at + 1] as const))),
);

const patterns = once(() => {
  const month = [...monthNumbers().keys()].toSorted((a, b) => b.length - a.length).join("|");
  return {
    iso: /(?<![\d-])(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})(?![\d-])/gu,
    dotted: /(?<![\d.])(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?:\s?(?<y>\d{4}))?(?![\d.])/gu,
    slashed: /(?<![\d/])(?<a>\d{1,2})[/-](?<b>\d{1,2})[/-](?<y>\d{4})(?![\d/-])/gu,
    asian: /(?:(?<y>\d{4})\s?[年년]\s?)?(?<!\d)(?<m>\d{1,2})\s?[月월]\s?(?<d>\d{1,2})\s?[日号號일]/gu,
    dayFirst: new RegExp(
      String.raw`(?<![\p{L}\d])(?<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s(?:of\s|de\s)?(?<name>${month})(?![\p{L}])\.?(?:,?\s(?:de\s)?(?<y>\d{4}))?(?!\d)`,
      "gu",
    ),
    monthFirst: new RegExp(
      String.raw`(?<![\p{L}\d])(?<name>${month})(?![\p{L}])\.?\s(?<d>\d{1,2})(?:st|nd|rd|th)?(?:,?\s(?<y>\d{4}))?(?![\d:])`,
      "gu",
    ),
  };
});

/** Year (0 where there is none), month and day as `2026-3-3`. @param text folded. */
export function datesIn(text: string): ReadonlySet<string> {
  const dates = new Set<string>();
  for (const pattern of Object.values(patterns()))
    for (const { groups } of text.matchAll(pattern)) {
      const form = formOf(groups ?? {});
      if (form !== undefined) dates.add(form);
    }
  return dates;
}

/** The date that a whole value is; undefined for others. */
export function dateForm(value: string): string | undefined {
  for (const pattern of Object.values(patterns()))
    for (const found of value.matchAll(pattern))
      if (found[0].length === value.length) return formOf(found.groups ?? {});
  return undefined;
}

/**
 * A date without a year is one of these years: the user who writes `3 March` means the last or the next one.
 * @param year the present one; absent: every year is near.
 */
export function isSameDate(value: string, written: ReadonlySet<string>, year?: number): boolean {
  if (written.has(value)) return true;
  const isNear = year === undefined || Math.abs(Number.parseInt(value, 10) - year) <= 1 || value.startsWith("0-");
  return isNear && written.has(value.replace(/^\d+/, "0"));
}

function formOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const year = Number(groups.y ?? 0);
  if (groups.a !== undefined) {
    const [a, b] = [Number(groups.a), Number(groups.b)];
    if (a > 12 && b <= 12) return valid(year, b, a);
    if (b > 12 && a <= 12) return valid(year, a, b);
    return a === b ? valid(year, a, b) : undefined;
  }
  const month = groups.name === undefined ? Number(groups.m) : (monthNumbers().get(groups.name) ?? 0);
  return valid(year, month, Number(groups.d));
}

const valid = (year: number, month: number, day: number): string | undefined =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 ? `${year}-${month}-${day}` : undefined;
