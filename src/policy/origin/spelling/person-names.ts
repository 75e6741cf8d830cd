/** Finds other spellings of people's names: of the title, and with the family name first. Pure. */

/** The spellings of each title. The first one replaces the others. */
const TITLES = [
  ["dr", "dr.", "doctor", "doktor"],
  ["dra", "dra.", "doctora"],
  ["prof", "prof.", "professor", "professorin", "profesor", "profesora"],
  ["mr", "mr.", "mister"],
  ["mrs", "mrs."],
  ["ms", "ms."],
  ["sr", "sr.", "señor"],
  ["sra", "sra.", "señora"],
  ["srta", "srta.", "señorita"],
  ["hr", "hr.", "herr", "herrn"],
  ["fr", "fr.", "frau"],
  ["mme", "mme.", "madame"],
] as const;

/** Alternatives of a pattern, without stops. */
export const TITLE_WORDS = `(?:${[...new Set(TITLES.flat().map((word) => word.replace(".", "")))].join("|")})`;

const letters = /^[\p{L}\p{M}.'’-]+(?: [\p{L}\p{M}.'’-]+){1,4}$/u;

/** Other spellings of a whole value that may be a name. @param value folded. */
export function namesLike(value: string): readonly string[] {
  return value.length > 80 || !letters.test(value) ? [] : otherTitles(value);
}

function otherTitles(value: string): readonly string[] {
  const [first = "", ...rest] = value.split(" ");
  const forms = TITLES.find((words) => words.some((word) => word === first)) ?? [];
  const [second = "", ...others] = rest;
  const seconds: readonly string[] = TITLES.find((words) => words.some((word) => word === second)) ?? [second];
  if (forms.length === 0 || (others.length === 0 && seconds.length > 1)) return [];
  return forms.flatMap((form) => seconds.map((one) => [form, one, ...others].join(" ")));
}

/** `Adeyemi, Tunde` of `Tunde Adeyemi`; undefined for what is no name of two or three words. @param value folded. */
export function familyFirst(value: string): string | undefined {
  if (value.length > 60 || !/^[\p{L}\p{M}'’-]{2,}(?: [\p{L}\p{M}'’.-]+)? [\p{L}\p{M}'’-]{2,}$/u.test(value))
    return undefined;
  const words = value.split(" ");
  return `${words.at(-1)}, ${words.slice(0, -1).join(" ")}`;
}

/** In a list, `Kim, Lee` are two people. @param text folded; `start` and `end` of the name in it. */
export const isInList = (text: string, start: number, end: number): boolean =>
  /[,、;&+]\s?$|(?:^|\s)(?:and|und|y|e|et)\s$/u.test(text.slice(Math.max(0, start - 6), start)) ||
  /^\s?(?:[,、;&+]|(?:and|or|und|oder|y|o|e|et|ou)\s)/u.test(text.slice(end, end + 6));
