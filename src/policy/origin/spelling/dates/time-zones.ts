/** Reads the zone of a time: `CEST`, `UTC+2`, `+02:00`, `Z`. Pure. */
import { lazyRegExp } from "../../../../lib/once.ts";

/** Minutes east of Greenwich. Names of two zones are left out: `IST`, `AST`. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  west: 60,
  cet: 60,
  mez: 60,
  cest: 120,
  mesz: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  мск: 180,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  est: -300,
  edt: -240,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};
const zone = lazyRegExp(
  String.raw`^[\s,(]{0,2}(?<name>${Object.keys(ZONES).join("|")})(?:(?<![a-z]{4})\s?(?<sign>[+−-])(?<h>\d{1,2})(?::?(?<m>\d{2}))?)?(?![\p{L}\d:+−-])`,
  "u",
);
const bare = /^(?<sign>[+−-])(?<h>\d{2}):?(?<m>\d{2})(?!\d)/u;

type Groups = Readonly<Record<string, string | undefined>>;

function minutesOf({ name = "z", sign, h, m }: Groups): number | undefined {
  const base = ZONES[name];
  if (sign === undefined || base === undefined) return base;
  // Offsets count only from Greenwich: `EST-5` is EST.
  if (base !== 0 || name === "wet") return undefined;
  const minutes = Number(h) * 60 + Number(m ?? 0);
  return minutes > 14 * 60 ? undefined : sign === "+" ? minutes : -minutes;
}

/** The zone after a time in a text. @param isIso the time follows its date and a `T`: then an offset needs no name. */
export function zoneAfter(text: string, isIso: boolean): number | undefined {
  const found = zone().exec(text) ?? (isIso ? bare.exec(text) : null);
  return found ? minutesOf(found.groups ?? {}) : undefined;
}

/** A date and a time of a zone, as they are in Greenwich. @param date `2026-5-14`; year 0 if there is none. @param time `9:00`. */
export function inGreenwich(date: string, time: string, zone: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  // Without a year, one that has a 29 February.
  const moment = new Date(Date.UTC(year === 0 ? 2000 : year, month - 1, day, hour, minute - zone, second));
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = `${moment.getUTCHours()}:${two(moment.getUTCMinutes())}`;
  const seconds = moment.getUTCSeconds() === 0 ? "" : `:${two(moment.getUTCSeconds())}`;
  const days = `${year === 0 ? 0 : moment.getUTCFullYear()}-${moment.getUTCMonth() + 1}-${moment.getUTCDate()}`;
  return `${days} ${clock}${seconds}z`;
}
