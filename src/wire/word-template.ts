/**
 * A shortcut for the usual stream, whose word events differ in one string only. Pure.
 *
 * Once an event has been read whole and passed as it came, its bytes before and after the text of its `content` are a
 * template. A later event with the same bytes around a string that stays a string is the same event with other words:
 * it needs no parsing. The string must not close early, must not hold an escape that could spell something else, nor a
 * name of calls, nor a separator that some clients take for an end of line; all others are read the long way.
 */

type TextMember = "content" | "reasoning_content" | "reasoning";

export interface WordTemplate {
  readonly member: TextMember;
  /** The index of the choice. */
  readonly choice: number;
  readonly before: string;
  readonly after: string;
}

/** The member that may vary; inside a string its quotes would be escaped, so it is a key. */
const MEMBER = /"(content|reasoning_content|reasoning)":"/g;
const INDEX = /"index":\s*(\d{1,6})/;
/** Plain characters and the short escapes: nothing that ends the string, nothing spelled by its code. */
const HARMLESS = /^(?:[^"\\\p{Cc}\u2028\u2029]|\\["\\/bfnrt])*$/u;
const CALL_NAMES = /tool|function|message/i;
/** A longer text is rare enough to be read the long way. */
const MAX_TEXT = 2048;

/** @param data an event that passed as it came; undefined if it does not hold exactly one text member. */
export function templateOf(data: string): WordTemplate | undefined {
  const members = [...data.matchAll(MEMBER)];
  const member = members[0];
  if (members.length !== 1 || !member) return undefined;
  const start = member.index + member[0].length;
  const end = endOfText(data, start);
  return end === undefined
    ? undefined
    : {
        member: member[1] as TextMember,
        choice: Number(INDEX.exec(data)?.[1] ?? 0),
        before: data.slice(0, start),
        after: data.slice(end),
      };
}

/** The JSON text (without its quotes) in the place of the template's; undefined if `data` is not the same event. */
export function matchTemplate({ before, after }: WordTemplate, data: string): string | undefined {
  const size = data.length - before.length - after.length;
  const end = data.length - after.length;
  if (size < 0 || size > MAX_TEXT) return undefined;
  // Not `startsWith` and `endsWith`: on texts of this length they take five times as long, for each word of a reply.
  if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined;
  const text = data.slice(before.length, end);
  return HARMLESS.test(text) && !CALL_NAMES.test(text) ? text : undefined;
}

function endOfText(data: string, start: number): number | undefined {
  const end = data.indexOf('"', start);
  return end === -1 || data.slice(start, end).includes("\\") ? undefined : end;
}
