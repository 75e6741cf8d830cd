/** `field=value` and `{json}` as changes of a call's arguments. Pure. */

import { isObject, parseObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { lazyRegExp } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import type { Approval } from "../approval.ts";
import { shownMembers } from "../disclosure/disclosure.ts";
import { fenced, markdownOf, wrapped } from "../disclosure/markdown.ts";
import { wrapperOf } from "../disclosure/members.ts";
import { shownName, shownValue } from "../disclosure/shown-value.ts";
import { coerceChange } from "../edit/coerce-change.ts";
import type { Changes } from "../edit/edit.ts";
import { changedArguments, fieldSchemas, misplacedField } from "../edit/fields.ts";
import { fillWords, type Words } from "../words/words.ts";

/** @param others codes of other calls that wait: a value that names one swallows an answer to it. */
export function readChanges(
  text: string,
  approval: Approval,
  words: Words,
  others: readonly string[],
): Result<Changes, string> {
  const { replies } = words;
  const fields = fieldsOf(approval);
  const call = callOf(approval);
  const changed = (set: Readonly<Record<string, unknown>>) => changedArguments(call, set);
  const unknown = (name: string, message = replies.unknownField) =>
    err(`${fillWords(message, { field: span(name) })}\n\n${fieldList(approval)}`);
  const json = readJson(text);
  if (json !== undefined) {
    if (!json.ok) return err(replies.badJson);
    const wrapper = wrapperOf(call.tool, call.arguments);
    const isKnown = (name: string) => name === wrapper || fields.schemas.has(name);
    const unknownField = fields.closed ? Object.keys(json.value).find((name) => !isKnown(name)) : undefined;
    const stray = unknownField ?? misplacedField(call, json.value);
    return stray === undefined ? ok({ set: changed(json.value), unset: [] }) : unknown(stray);
  }
  const split = splitFields(text, new Set(fields.schemas.keys()));
  const set = new Map<string, unknown>();
  for (const { name, value, stray, quoted } of split) {
    if (name === "__proto__" || !fields.schemas.has(name)) return unknown(name);
    if (stray !== undefined) return unknown(stray, replies.strayField);
    if (!quoted && namesOne(value, others))
      return err(
        fillWords(replies.unread, { yes: `\`${words.frame.options.yes}\``, no: `\`${words.frame.options.no}\`` }),
      );
    const coerced = coerceChange(value, fields.schemas.get(name), words.problems);
    if (!coerced.ok) return err(fillWords(replies.badValue, { field: span(name), problem: markdownOf(coerced.error) }));
    set.set(name, coerced.value);
  }
  return set.size === 0 ? err(replies.nothingChanged) : ok({ set: changed(Object.fromEntries(set)), unset: [] });
}

const namesOne = (value: string, codes: readonly string[]): boolean =>
  codes.some((code) => new RegExp(`(?<![\\p{L}\\p{N}_])${code}(?![\\p{L}\\p{N}_])`, "iu").test(value));

/** Undefined where the text is no JSON object, nor meant as one. */
function readJson(text: string): Result<Readonly<Record<string, unknown>>, null> | undefined {
  const json = /^```[a-z]*\s*(\{[\s\S]*\})\s*```$/.exec(text)?.[1] ?? text;
  if (!json.startsWith("{")) return undefined;
  const parsed = parseStrictJson(json);
  return parsed.ok && isObject(parsed.value) ? ok(parsed.value) : err(null);
}

/** As it is: what is hidden from the person stays in it. */
const callOf = ({ tool, arguments: args, schema }: Approval) => ({ tool, arguments: parseObject(args), schema });

/** The names that may be given, each with its schema; `closed`: no others. */
function fieldsOf(approval: Approval): {
  readonly schemas: ReadonlyMap<string, unknown>;
  readonly closed: boolean;
} {
  const schemas = fieldSchemas(callOf(approval));
  for (const [name, value] of Object.entries(valuesOf(approval))) {
    if (!schemas.has(name)) schemas.set(name, { type: typeOf(value) });
  }
  return { schemas, closed: schemas.size > 0 };
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

/** Whether a text is a known field with a value of one word, so that nobody need guess where it ends. */
export function isOneValue(text: string, approval: Approval): boolean {
  const at = text.indexOf("=");
  return fieldsOf(approval).schemas.has(text.slice(0, at)) && isPlainValue(text.slice(at + 1));
}

/** A word ("edit title later") may be no value, and a number may be written in two ways ("1.000"). */
const isPlainValue = (value: string): boolean =>
  /^[^\s]*[\p{N}@/][^\s]*$/u.test(value) && !/^[-−–]/.test(value) && !/^\d{1,3}(?:[.,]\d{3})+$/.test(value);

/** Each field with its value as it stands. */
export function fieldList(approval: Approval): string {
  const values = valuesOf(approval);
  const lines = [...fieldsOf(approval).schemas.keys()].slice(0, 40).map((name) => {
    return `${shownName(name).text} =${Object.hasOwn(values, name) ? ` ${shownValue(values[name]).text}` : ""}`;
  });
  return fenced(lines.flatMap(wrapped));
}

const valuesOf = (approval: Approval): Readonly<Record<string, unknown>> => shownMembers(approval, "whole");

const span = (text: string): string => codeSpan(shownValue(text, 100).text);

interface Field {
  readonly name: string;
  readonly value: string;
  /** What else would be a field, had a field its name: the name may be misspelt, or the value may hold it. */
  readonly stray: string | undefined;
  /** Between quotation marks, where it holds whatever it holds. */
  readonly quoted: boolean;
}

const fieldName = lazyRegExp(
  String.raw`(?<=^|[\s,，;；])["'“]?([\p{L}_$][\p{L}\p{M}\p{N}_.$-]{0,127})["'”]?[ \t]{0,8}[=＝]`,
  "gu",
);

/** Only a known name begins a field; the first name needs not be known. */
export function splitFields(text: string, known: ReadonlySet<string>): Field[] {
  const starts: { readonly at: number; readonly name: string; readonly value: number; stray?: string }[] = [];
  let quotedUntil = 0;
  for (const match of text.matchAll(fieldName())) {
    const [whole, field = ""] = match;
    if (match.index < quotedUntil) continue;
    const last = starts.at(-1);
    if (last && !known.has(field)) {
      last.stray ??= field;
      continue;
    }
    const value = match.index + whole.length;
    starts.push({ at: match.index, name: field, value });
    quotedUntil = endOfQuoted(text, value);
  }
  return starts.map(({ name: field, value, stray }, index) => {
    const end = starts[index + 1]?.at ?? text.length;
    const written = text.slice(value, end);
    const closed = endOfQuoted(text, value);
    const quoted = closed > value && /^[\s,，;；]*$/.test(text.slice(closed, end));
    return { name: field, value: unquote(written, index < starts.length - 1), stray, quoted };
  });
}

const quotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "「": "」" };

/** Behind the value's closing quotation mark; the value's own place where it has none. */
function endOfQuoted(text: string, from: number): number {
  const at = from + (/^[ \t]{0,8}/.exec(text.slice(from, from + 8))?.[0].length ?? 0);
  const open = text.charAt(at);
  const close = Object.hasOwn(quotes, open) ? quotes[open] : undefined;
  if (close === undefined) return from;
  for (let end = text.indexOf(close, at + 1); end !== -1; end = text.indexOf(close, end + 1)) {
    if (text.charAt(end - 1) !== "\\" && /^(?:[\s,，;；]|$)/.test(text.slice(end + 1, end + 2))) return end + 1;
  }
  return from;
}

function unquote(value: string, followed: boolean): string {
  const trimmed = followed
    ? value
        .trim()
        .replace(/[,，;；]$/, "")
        .trim()
    : value.trim();
  const open = trimmed.charAt(0);
  const close = Object.hasOwn(quotes, open) ? quotes[open] : undefined;
  if (close === undefined || trimmed.length < 2 || !trimmed.endsWith(close)) return trimmed;
  return trimmed.slice(1, -1).replace(/\\(["'\\n])/g, (_, one: string) => (one === "n" ? "\n" : one));
}
