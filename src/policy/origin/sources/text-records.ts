/**
 * Reads records in a result that is not JSON: YAML as programs write it, and Python's literals. Pure.
 *
 * Many tools print such texts. Trust by field needs their fields, and a part of a longer text must never be taken for a field. So
 * this reads a small part of YAML, exactly: a text that is anything else has no fields. Texts with line breaks or a colon are quoted
 * there, thus the author of a field's text cannot add a field. A tool that prints without quotes has no such guard: the author of
 * its texts can make up a record, so trust no field of it that matters.
 */

type TextRecord = string | readonly TextRecord[] | { readonly [key: string]: TextRecord };

/** Longer texts are documents. */
const MAX_TEXT = 400_000;
const MAX_DEPTH = 24;

/** @returns undefined for a text that is not wholly a list or an object. Scalars stay as they are written. */
export function readTextRecords(text: string): TextRecord | undefined {
  if (text.length > MAX_TEXT || !/^\s*(?:[-[{]|[\p{L}_][\p{L}\p{N}_ .-]{0,60}:(?:\s|$))/u.test(text)) return undefined;
  try {
    const reader: Reader = { text: text.trimEnd(), at: 0 };
    skipBlankLines(reader);
    const root = block(reader, columnAt(reader), 0);
    skipBlankLines(reader);
    return reader.at < reader.text.length || typeof root === "string" ? undefined : root;
  } catch (error) {
    if (error instanceof NoRecords) return undefined;
    throw error;
  }
}

/** Whether two results have the same members and items, whatever their texts. */
export function hasSameFields(one: TextRecord | undefined, other: TextRecord | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object") return typeof one === typeof other;
  const members = Object.entries(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    members.length === Object.keys(other).length &&
    members.every(([name, value]) => Object.hasOwn(other, name) && hasSameFields(value, Object(other)[name]))
  );
}

class NoRecords extends Error {}

interface Reader {
  readonly text: string;
  at: number;
}

/** Before each block, `at` is at its first character. */
function block(reader: Reader, column: number, depth: number): TextRecord {
  if (depth > MAX_DEPTH) throw new NoRecords();
  if (isItem(reader)) return sequence(reader, column, depth);
  if (keyAt(reader) !== undefined) return mapping(reader, column, depth);
  return scalar(reader, column - 1, depth);
}

const isItem = ({ text, at }: Reader): boolean => text[at] === "-" && /^(?:\s|$)/.test(text.slice(at + 1, at + 2));

function sequence(reader: Reader, column: number, depth: number): TextRecord {
  const items: TextRecord[] = [];
  while (reader.at < reader.text.length && columnAt(reader) === column && isItem(reader)) {
    reader.at += 1;
    items.push(nested(reader, column, depth));
    skipBlankLines(reader);
  }
  return items;
}

/** After a dash or a colon: the rest of the line, or the deeper lines that follow. */
function nested(reader: Reader, column: number, depth: number, isMember = false): TextRecord {
  skipSpaces(reader);
  if (!atLineEnd(reader)) return isMember ? scalar(reader, column, depth) : block(reader, columnAt(reader), depth + 1);
  skipBlankLines(reader);
  if (reader.at >= reader.text.length) return "";
  const inner = columnAt(reader);
  // The items of a member's list may be indented as little as the member.
  if (inner > column || (isMember && inner === column && isItem(reader))) return block(reader, inner, depth + 1);
  return "";
}

interface Key {
  readonly name: string;
  /** The end of the value after the colon. */
  readonly end: number;
}

const plainKey =
  /(?:[\p{L}_$@][^\s:#'"{}[\],&*!|>%`]*(?: [^\s:#'"{}[\],&*!|>%`]+){0,5}|'[^'\n]{0,200}'|"[^"\\\n]{0,200}"|\d+):(?= |\n|$)/uy;

function keyAt({ text, at }: Reader): Key | undefined {
  plainKey.lastIndex = at;
  const [found] = plainKey.exec(text) ?? [];
  if (found === undefined) return undefined;
  const name = found.slice(0, -1).replace(/^(["'])(.*)\1$/su, "$2");
  return { name, end: at + found.length };
}

function mapping(reader: Reader, column: number, depth: number): TextRecord {
  const members = new Map<string, TextRecord>();
  while (reader.at < reader.text.length && columnAt(reader) === column) {
    const key = keyAt(reader);
    if (key === undefined || members.has(key.name)) throw new NoRecords();
    reader.at = key.end;
    members.set(key.name, nested(reader, column, depth, true));
    skipBlankLines(reader);
  }
  return Object.fromEntries(members);
}

/** @param column of the block that holds it: a text of several lines is indented further. */
function scalar(reader: Reader, column: number, depth: number): TextRecord {
  const first = reader.text[reader.at] ?? "";
  if (first === "'" || first === '"' || first === "[" || first === "{") {
    const value = flow(reader, depth);
    skipSpaces(reader);
    if (!atLineEnd(reader)) throw new NoRecords();
    return value;
  }
  if (first === "|" || first === ">") return literal(reader, column);
  if (/[&*!%@`#?]/.test(first)) throw new NoRecords();
  const lines = [plainLine(reader)];
  for (;;) {
    const before = reader.at;
    skipBlankLines(reader);
    if (reader.at >= reader.text.length || columnAt(reader) <= column || isItem(reader)) {
      reader.at = before;
      return lines.join(" ");
    }
    lines.push(plainLine(reader));
  }
}

/** A colon or a hash in it would have been quoted. */
function plainLine(reader: Reader): string {
  const line = restOfLine(reader).trim();
  if (/:(?:\s|$)|\s#/.test(line)) throw new NoRecords();
  return line;
}

function literal(reader: Reader, column: number): string {
  if (!/^[|>][+-]?\s*$/.test(restOfLine(reader))) throw new NoRecords();
  const lines: string[] = [];
  for (;;) {
    const before = reader.at;
    skipBlankLines(reader);
    if (reader.at >= reader.text.length || columnAt(reader) <= column) {
      reader.at = before;
      return lines.join("\n");
    }
    lines.push(restOfLine(reader));
  }
}

function flow(reader: Reader, depth: number): TextRecord {
  if (depth > MAX_DEPTH) throw new NoRecords();
  const first = reader.text[reader.at] ?? "";
  if (first === "'" || first === '"') return quoted(reader, first);
  if (first !== "[" && first !== "{") return flowPlain(reader);
  const close = first === "[" ? "]" : "}";
  const items: TextRecord[] = [];
  const members = new Map<string, TextRecord>();
  reader.at += 1;
  for (;;) {
    skipWhite(reader);
    if (reader.text[reader.at] === close) break;
    const item = flow(reader, depth + 1);
    skipWhite(reader);
    if (close === "]") items.push(item);
    else {
      if (typeof item !== "string" || members.has(item) || reader.text[reader.at] !== ":") throw new NoRecords();
      reader.at += 1;
      skipWhite(reader);
      members.set(item, flow(reader, depth + 1));
      skipWhite(reader);
    }
    if (reader.text[reader.at] === ",") reader.at += 1;
    else if (reader.text[reader.at] !== close) throw new NoRecords();
  }
  reader.at += 1;
  return close === "]" ? items : Object.fromEntries(members);
}

const barePlain = /[^\s,:'"{}[\]]+(?:[ :][^\s,:'"{}[\]]+)*/uy;

function flowPlain(reader: Reader): string {
  barePlain.lastIndex = reader.at;
  const [found] = barePlain.exec(reader.text) ?? [];
  if (found === undefined) throw new NoRecords();
  reader.at += found.length;
  return found;
}

const singleQuoted = /'[^'\\]*(?:''[^'\\]*)*'/uy;
const doubleQuoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/uy;

/** YAML doubles an apostrophe and Python escapes it: a backslash between apostrophes could be read in two ways. */
function quoted(reader: Reader, quote: string): string {
  const pattern = quote === "'" ? singleQuoted : doubleQuoted;
  pattern.lastIndex = reader.at;
  const [found] = pattern.exec(reader.text) ?? [];
  if (found === undefined) throw new NoRecords();
  reader.at += found.length;
  const inner = found.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : inner;
}

function columnAt({ text, at }: Reader): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

const atLineEnd = ({ text, at }: Reader): boolean => at >= text.length || text[at] === "\n";

function skipSpaces(reader: Reader): void {
  while (reader.text[reader.at] === " ") reader.at += 1;
}

function skipWhite(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}

/** To the first character that is no blank. */
function skipBlankLines(reader: Reader): void {
  while (reader.text[reader.at] === " " || reader.text[reader.at] === "\n") reader.at += 1;
}

function restOfLine(reader: Reader): string {
  const end = reader.text.indexOf("\n", reader.at);
  const line = reader.text.slice(reader.at, end === -1 ? undefined : end);
  reader.at += line.length;
  return line;
}
