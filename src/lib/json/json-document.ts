/**
 * Reads the text of a JSON document that a person wrote. Pure. It accepts the same as `strict-json.ts`, and reports every
 * fault with its position. With `JSON.parse` the last of two equal keys wins, which an author who wrote both cannot mean.
 */
import { endOfString, isKey, type JsonFault, MAX_DEPTH, NUMBER, survivesRoundTrip } from "./strict-json.ts";

export interface DocumentFault {
  readonly problem: JsonFault["problem"];
  /** Keys from the root to the part; empty if the text is not JSON. */
  readonly path: readonly (string | number)[];
  /** The fault, with line and column. */
  readonly message: string;
}

export interface DocumentText {
  /** Absent if the text is not JSON, or is nested too deeply to be walked. */
  readonly read?: { readonly value: unknown };
  readonly faults: readonly DocumentFault[];
}

/** The line of each is found by a search in the whole text. */
const MAX_FAULTS = 100;

export function readJsonDocument(text: string): DocumentText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { faults: [{ problem: "syntax", path: [], message: jsonFaultText(text) }] };
  }
  const faults = findFaults(text);
  return faults.some(({ problem }) => problem === "depth") ? { faults } : { read: { value }, faults };
}

interface Level {
  /** Absent in a list. */
  readonly keys?: Set<string>;
  /** The current member. */
  step: string | number;
}

interface Walk {
  readonly text: string;
  readonly levels: Level[];
  readonly faults: DocumentFault[];
}

/** Walks the tokens of valid JSON once. */
function findFaults(text: string): readonly DocumentFault[] {
  const walk: Walk = { text, levels: [], faults: [] };
  for (let at = 0; at < text.length && walk.faults.length < MAX_FAULTS; ) {
    const char = text[at] ?? "";
    const level = walk.levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, at);
      if (level?.keys && isKey(text, end)) enterMember(walk, level.keys, at, end);
      at = end;
      continue;
    }
    if (char === "{" || char === "[") {
      if (walk.levels.length === MAX_DEPTH) {
        report(walk, "depth", at, "is nested too deeply");
        break;
      }
      walk.levels.push(char === "{" ? { keys: new Set(), step: "" } : { step: 0 });
    } else if (char === "}" || char === "]") walk.levels.pop();
    else if (char === "," && typeof level?.step === "number") level.step++;
    else if (/[-\d]/.test(char)) {
      at += checkNumber(walk, at);
      continue;
    }
    at++;
  }
  return walk.faults;
}

function enterMember(walk: Walk, keys: Set<string>, at: number, end: number): void {
  const key = JSON.parse(walk.text.slice(at, end)) as string;
  const level = walk.levels.at(-1);
  if (level) level.step = key;
  const cited = `\`${key.slice(0, 128)}\``;
  if (key === "__proto__") report(walk, "proto_key", at, `${cited} cannot be a name, choose another`);
  else if (keys.has(key))
    report(
      walk,
      "duplicate_key",
      at,
      `${cited} is given twice in this object, and readers use only one: remove the other`,
    );
  keys.add(key);
}

function checkNumber(walk: Walk, at: number): number {
  NUMBER.lastIndex = at;
  const raw = NUMBER.exec(walk.text)?.[0] ?? "";
  if (!survivesRoundTrip(raw)) report(walk, "number", at, "a double cannot hold this number, write fewer digits");
  return Math.max(raw.length, 1);
}

function report({ text, levels, faults }: Walk, problem: DocumentFault["problem"], at: number, what: string): void {
  const { line, column } = positionAt(text, at);
  faults.push({ problem, path: levels.map(({ step }) => step), message: `line ${line}, column ${column}: ${what}` });
}

interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

type Expected = "value" | "value_or_end" | "key" | "key_or_end" | "colon" | "comma_or_end" | "nothing";

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const expectations: Readonly<Record<Expected, string>> = {
  value: "a value is expected",
  value_or_end: "a value or `]` is expected",
  key: "a name in double quotes is expected",
  key_or_end: "a name in double quotes or `}` is expected",
  colon: "`:` is expected",
  comma_or_end: "`,` or the closing bracket is expected",
  nothing: "nothing may follow",
};

/** What is wrong at the first character that is not JSON, with its line and column. */
function jsonFaultText(text: string): string {
  const { offset, expected } = jsonFault(text);
  const { line, column } = positionAt(text, offset);
  return `line ${line}, column ${column}: ${hint(text, offset) ?? (expected ? expectations[expected] : "this cannot stand in a string")}`;
}

/** Explains habits of other formats. */
function hint(text: string, offset: number): string | undefined {
  const rest = text.slice(offset, offset + 2);
  if (rest === "") return "the text ends too early";
  if (rest === "/*" && !text.includes("*/", offset)) return "this comment does not end";
  if (rest === "//" || rest === "/*" || rest.startsWith("#")) return "JSON has no comments";
  if (rest.startsWith("'")) return "strings stand in double quotes";
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(Math.max(0, offset - 1_000), offset)))
    return `JSON has no comma before \`${rest.charAt(0)}\``;
  return undefined;
}

/**
 * `offset` is that of the first wrong character; the text's length if it ends too early, or is JSON.
 * `expected` is undefined within a string.
 */
export function jsonFault(text: string): { readonly offset: number; readonly expected?: Expected } {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? "nothing" : "comma_or_end");
  for (;;) {
    at = matchEnd(SPACE, text, at);
    const char = text[at];
    if (char === undefined) return { offset: at, expected };
    const container = open.at(-1);
    const ends = expected === "comma_or_end" || expected === "value_or_end" || expected === "key_or_end";
    if (ends && ((char === "}" && container === "{") || (char === "]" && container === "["))) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (expected === "comma_or_end" && char === ",") {
      expected = container === "{" ? "key" : "value";
      at += 1;
    } else if (expected === "colon" && char === ":") {
      expected = "value";
      at += 1;
    } else if (expected === "key" || expected === "key_or_end") {
      if (char !== '"') return { offset: at, expected };
      const end = stringEnd(text, at);
      if (end.faulty) return { offset: end.at };
      at = end.at;
      expected = "colon";
    } else if (expected === "value" || expected === "value_or_end") {
      if (char === "{" || char === "[") {
        open.push(char);
        expected = char === "{" ? "key_or_end" : "value_or_end";
        at += 1;
        continue;
      }
      const end = char === '"' ? stringEnd(text, at) : { at: matchEnd(SCALAR, text, at), faulty: false };
      if (end.faulty) return { offset: end.at };
      if (end.at === at) return { offset: at, expected };
      at = end.at;
      expected = afterValue();
    } else return { offset: at, expected };
  }
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The offset after the closing quote; `faulty` if the string holds a wrong character or does not end. */
function stringEnd(text: string, start: number): { readonly at: number; readonly faulty: boolean } {
  for (let at = start + 1; at < text.length; ) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return { at: at + 1, faulty: false };
    if (char < 0x20) return { at, faulty: true };
    const next = char === 0x5c ? matchEnd(ESCAPE, text, at) : at + 1;
    if (next === at) return { at, faulty: true };
    at = next;
  }
  return { at: text.length, faulty: true };
}
