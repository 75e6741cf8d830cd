/**
 * The parts of a message that asks for several things: "1. … 2. …", bullets, lines, "…; …", "… and then …", "… also …".
 * For layers that read a sentence as a whole. Pure.
 */

import { excerpt } from "./excerpt.ts";

/** In UTF-16 units: what a sentence model reads of a part, and of a message that has none. */
export const maxPart = 500;
const maxWhole = 1_000;
const maxParts = 16;

const bullet = /(?:^|\n)[ \t]*(?:[-*•‣–]|\(?\d{1,2}[.)、]|\(?[a-h][.)])[ \t]+/gi;
const inline = /(?:^|[\s:,;。、])\(?(\d{1,2})[.)、](?=\s*\p{L})/gu;
const joints =
  /\s*;\s*|[,.!?]?\s+(?:and then|and also|after that|afterwards|also|then|und dann|außerdem|et puis|ensuite|y luego|también)\b,?\s+|(?:然后|另外|还有|それから|あと、|그리고 )/gi;

/** @returns in the message's own words; one part, the message cut to size, where it enumerates nothing. */
export function partsOf(message: string): readonly string[] {
  const read = excerpt(message).map(({ start, end }) => message.slice(start, end));
  const parts = split(read.join("\n"))
    .map((part) => part.trim().slice(0, maxPart))
    .filter((part) => /\p{L}/u.test(part));
  return parts.length > 1 ? parts.slice(0, maxParts) : [message.slice(0, maxWhole)];
}

function split(message: string): string[] {
  const bullets = [...message.matchAll(bullet)];
  if (bullets.length > 1) return between(message, bullets);
  const numbers = [...message.matchAll(inline)].filter((match, index) => Number(match[1]) === index + 1);
  if (numbers.length > 1) return between(message, numbers);
  const lines = message.split(/\n+/).filter((line) => line.trim() !== "");
  // Prose that is wrapped, or pasted, is no list.
  if (lines.length > 1 && lines.length <= maxParts && lines.every((line) => line.length <= 200)) {
    return lines.flatMap((line) => line.split(joints));
  }
  return message.length > maxWhole ? [] : message.split(joints);
}

function between(message: string, marks: readonly RegExpExecArray[]): string[] {
  const first = marks[0]?.index ?? 0;
  return [
    message.slice(0, first),
    ...marks.map((mark, index) => message.slice(mark.index + mark[0].length, marks[index + 1]?.index)),
  ];
}
