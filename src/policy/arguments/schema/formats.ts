/** Checks formats, each in linear time; unknown formats demand nothing. Pure. */
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { compilePattern } from "../linear-pattern.ts";

/** Longer than any honest value of these. */
export const MAX_FORMAT_LENGTH = 1_000;

type Accepts = (text: string, work: WorkBudget) => boolean;

const matching =
  (pattern: RegExp): Accepts =>
  (text) =>
    pattern.test(text);

/** RFC 3339: a day that the month has. */
function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** RFC 3339; an offset may be only an hour. A leap second is the last of a day in UTC. */
function isTime(text: string): boolean {
  const parts = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i.exec(
    text,
  );
  if (!parts) return false;
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = parts;
  if (second !== "60") return true;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  return (Number(hour) * 60 + Number(minute) - offset + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  const [date = "", time = "", ...others] = text.split(/t/i, 3);
  return others.length === 0 && isDate(date) && isTime(time);
}

const MAILBOX = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[^"\\\r\n]|\\.)+")$/i;
const ADDRESS_LITERAL = /^\[(?:IPv6:[0-9a-f:.]{2,45}|\d{1,3}(?:\.\d{1,3}){3})\]$/i;

/** RFC 5321. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name.length > 64 || host.length > 253 || !MAILBOX.test(name)) return false;
  if (ADDRESS_LITERAL.test(host)) return true;
  return host.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}

function isUrl(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && URL.canParse(text);
}

export const formats: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ["date", isDate],
  ["time", isTime],
  ["date-time", isDateTime],
  ["duration", matching(/^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/)],
  ["email", isEmail],
  ["url", isUrl],
  ["uuid", matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)],
  ["json-pointer", matching(/^(?:\/(?:[^~/]|~[01])*)*$/)],
  ["relative-json-pointer", matching(/^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/)],
  ["regex", (text, work) => compilePattern(text, work).ok],
]);
