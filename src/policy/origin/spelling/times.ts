/** Times of day as people write them: `17:00`, `5 pm`, `17 Uhr`, `17h30`, `5 de la tarde`, `午後5時`, `下午5点半`. Pure. */
import { latePattern } from "../../../lib/once.ts";

/** A time in a text. */
export interface WrittenTime {
  /** `17:00`, or `17:00:30`. */
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

const HALF = "am|pm|a\\.\\s?m\\.?|p\\.\\s?m\\.?|de la mañana|de la tarde|de la noche|du matin|du soir";
const patterns = [
  latePattern(
    String.raw`(?<![\d:.])(?<h>\d{1,2}):(?<m>\d{2})(?::(?<s>\d{2})(?:\.\d{1,6})?)?(?:\s?(?<half>${HALF})(?!\p{L}))?(?![\d:])`,
    "gu",
  ),
  latePattern(String.raw`(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?(?<half>${HALF})(?!\p{L})`, "gu"),
  latePattern(
    String.raw`(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?(?:uhr|uur|heures?|h|ч)(?:\s?(?<after>[0-5]\d))?(?![\p{L}\d])`,
    "gu",
  ),
  latePattern(
    String.raw`(?:(?<part>午前|午後|上午|下午|晚上|傍晚|早上|凌晨|오전|오후)\s?)?(?<!\d)(?<h>\d{1,2})\s?(?:時(?!間)|点|點|시(?!간))(?:\s?(?:(?<m>\d{1,2})\s?[分분]|(?<thirty>半|반)))?`,
    "gu",
  ),
  latePattern(
    String.raw`(?<!\p{L})(?<![\d:.,])(?:at|um|om|alle|às|as|kl\.?|ore|o godz\.?|в)\s(?<h>\d{1,2})[.](?<m>[0-5]\d)(?![\p{L}\d]|[.:,]\d)`,
    "gu",
  ),
  latePattern(String.raw`(?<![\d:.,])(?<h>\d{1,2})(?:[:.](?<m>\d{2}))?\s(?<half>утра|дня|вечера)(?!\p{L})`, "gu"),
  latePattern(
    String.raw`(?<!\p{L}|after|fore)(?<noon>at noon|to noon|noon|mezzogiorno|mediodía|meio-dia|полдень|12 uhr mittags)(?!\p{L})`,
    "gu",
  ),
] as const;

/** @param text folded. @returns times in the order of the text. */
export function timesIn(text: string): readonly WrittenTime[] {
  const times: WrittenTime[] = [];
  for (const pattern of patterns)
    for (const { 0: written, index, groups } of text.matchAll(pattern())) {
      const form = formOf(groups ?? {});
      if (form !== undefined) times.push({ form, start: index, end: index + written.length });
    }
  return times.toSorted((a, b) => a.start - b.start);
}

/** @param clock digits with colons. Undefined where it is no time of day. */
export function timeForm(clock: string): string | undefined {
  const [h, m, s] = clock.split(":");
  return formOf({ h, m, s: s?.replace(/\.\d+$/, "") });
}

function formOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  if (groups.noon !== undefined) return "12:00";
  const { half, part } = groups;
  const minute = groups.thirty === undefined ? Number(groups.m ?? groups.after ?? 0) : 30;
  const second = Number(groups.s ?? 0);
  const isMorning =
    half === undefined ? /[午오][前전]|上午|早上|凌晨/u.test(part ?? "") : /^a|mañana|matin|утра/u.test(half);
  const isLater = (half !== undefined || part !== undefined) && !isMorning;
  const said = Number(groups.h);
  if (said > (half === undefined ? 23 : 12) || minute > 59 || second > 59) return undefined;
  const hour = isLater && said < 12 ? said + 12 : isMorning && said === 12 ? 0 : said;
  const clock = `${hour}:${String(minute).padStart(2, "0")}`;
  return second === 0 ? clock : `${clock}:${String(second).padStart(2, "0")}`;
}
