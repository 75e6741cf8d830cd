/** `field=value` and `{json}` as changes of a call's arguments. Pure. */

import { followReference, memberSchemas } from "../../lib/json/json-schema.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import type { Approval } from "../approval.ts";
import { shownArguments } from "../disclosure/disclosure.ts";
import { fenced, wrapped } from "../disclosure/markdown.ts";
import { shownName, shownValue } from "../disclosure/shown-value.ts";
import { coerceChange } from "../edit/coerce-change.ts";
import type { Changes } from "../edit/edit.ts";
import { fillWords } from "../words/fill-words.ts";
import type { Words } from "../words/words.ts";
import { splitFields } from "./split-fields.ts";

/** @param others codes of other calls that wait: a value that names one swallows an answer to it. */
export function readChanges(
  text: string,
  approval: Approval,
  words: Words,
  others: readonly string[],
): Result<Changes, string> {
  const { replies } = words;
  const fields = fieldsOf(approval);
  const unknown = (name: string, message = replies.unknownField) =>
    err(`${fillWords(message, { field: span(name) })}\n\n${fieldList(approval)}`);
  const json = readJson(text);
  if (json !== undefined) {
    if (!json.ok) return err(replies.badJson);
    const stray = fields.closed ? Object.keys(json.value).find((name) => !fields.schemas.has(name)) : undefined;
    return stray === undefined ? ok({ set: json.value, unset: [] }) : unknown(stray);
  }
  const split = splitFields(text, new Set(fields.schemas.keys()));
  const set = new Map<string, unknown>();
  for (const { name, value, stray, quoted } of split) {
    if (name === "__proto__" || !fields.schemas.has(name)) return unknown(name);
    if (stray !== undefined) return unknown(stray, replies.strayField);
    if (!quoted && namesOne(value, others)) return err(replies.unread);
    const coerced = coerceChange(value, fields.schemas.get(name), words.problems);
    if (!coerced.ok) return err(fillWords(replies.badValue, { field: span(name), problem: span(coerced.error) }));
    set.set(name, coerced.value);
  }
  return set.size === 0 ? err(replies.nothingChanged) : ok({ set: Object.fromEntries(set), unset: [] });
}

const namesOne = (value: string, codes: readonly string[]): boolean =>
  codes.some((code) => new RegExp(`(?<![\\p{L}\\p{N}_])${code}(?![\\p{L}\\p{N}_])`, "iu").test(value));

/** Undefined where the text is no JSON object, nor meant as one. */
function readJson(text: string): Result<Readonly<Record<string, unknown>>, null> | undefined {
  const bare = /^```[a-z]*\s*(\{[\s\S]*\})\s*```$/.exec(text)?.[1] ?? text;
  if (!bare.startsWith("{")) return undefined;
  const parsed = parseStrictJson(bare);
  return parsed.ok && isObject(parsed.value) ? ok(parsed.value) : err(null);
}

/** The names that may be given, each with its schema; `closed`: no others. */
function fieldsOf(approval: Approval): {
  readonly schemas: ReadonlyMap<string, unknown>;
  readonly closed: boolean;
} {
  const { schema } = approval;
  const schemas = new Map<string, unknown>();
  for (const [name, part] of memberSchemas(schema, schema)) schemas.set(name, followReference(schema, part));
  for (const [name, value] of Object.entries(valuesOf(approval))) {
    if (!schemas.has(name)) schemas.set(name, { type: typeOf(value) });
  }
  return { schemas, closed: schemas.size > 0 };
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

/** Each field with its value as it stands. */
export function fieldList(approval: Approval): string {
  const values = valuesOf(approval);
  const lines = [...fieldsOf(approval).schemas.keys()].slice(0, 40).map((name) => {
    return `${shownName(name).text} =${Object.hasOwn(values, name) ? ` ${shownValue(values[name]).text}` : ""}`;
  });
  return fenced(lines.flatMap(wrapped));
}

function valuesOf(approval: Approval): Readonly<Record<string, unknown>> {
  const shown = shownArguments(approval, "whole");
  return isObject(shown) ? shown : {};
}

const span = (text: string): string => codeSpan(shownValue(text, 100).text);
