/**
 * What a plan may write in double braces, read in linear time. Pure.
 *
 *     {{PLACEHOLDER_name}}
 *     {{step.result}}   {{step.result.path[0].field["any name"]}}
 *
 * It is read by hand and nothing of it is ever evaluated: a path is a list of names and indices. Text in double braces that
 * looks like neither stays text; what looks like one and is none is told apart, so that it reaches no tool unnoticed.
 */
import { latePattern } from "../lib/once.ts";

export interface Reference {
  readonly kind: "reference";
  readonly step: string;
  readonly path: readonly (string | number)[];
  readonly source: string;
}

export interface PlaceholderUse {
  readonly kind: "placeholder";
  readonly name: string;
  readonly source: string;
}

export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | Reference
  | PlaceholderUse
  /** Looks like a reference or a placeholder, and is none. */
  | { readonly kind: "invalid"; readonly source: string };

type Use = Exclude<TemplatePart, { kind: "text" }>;

const MAX_SEGMENTS = 32;

// Every repetition is bounded: at each `{{` so much is looked at, and no more.
const PLACEHOLDER = /\{\{\s{0,8}PLACEHOLDER_(\w{1,64})\s{0,8}\}\}/y;
const HEAD = /\{\{\s{0,8}([A-Za-z0-9_-]{1,64})\.result(?=[\s.[}])/y;
const NAME = latePattern(String.raw`\.([\p{L}\p{N}_$-]{1,128})`, "uy");
const INDEX = /\[(0|[1-9]\d{0,9})\]/y;
const QUOTED = /\[("(?:[^"\\]|\\.){0,256}")\]/y;
const END = /\s{0,8}\}\}/y;
const ALIKE = latePattern(String.raw`\{\{\s{0,8}(?:PLACEHOLDER|[\p{L}\p{N}_$-]{1,64}\s{0,8}[.[])`, "uy");

const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/;

/** Names that every object has are none: whoever looks them up carelessly would find something. */
export const isStepId = (id: string): boolean => IDENTIFIER.test(id) && !(id in Object.prototype);

/** The text in its parts, neighbouring text together; of a text without braces the one. */
export function readTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  let close = -1;
  for (let at = text.indexOf("{{"); at >= 0; ) {
    if (close < at) close = text.indexOf("}}", at);
    // Nothing closes from here on.
    if (close < 0) break;
    const part: Use | undefined = readPlaceholder(text, at) ?? readReference(text, at) ?? readAlike(text, at, close);
    if (part === undefined) {
      // `{{{` may open one brace later.
      at = text.indexOf("{{", at + 1);
      continue;
    }
    if (at > from) parts.push({ kind: "text", text: text.slice(from, at) });
    parts.push(part);
    from = at + part.source.length;
    at = text.indexOf("{{", from);
  }
  if (from < text.length || parts.length === 0) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** Whether something must be put in before the text is what it will be. */
export const isOpen = (parts: readonly TemplatePart[]): boolean =>
  parts.some(({ kind }) => kind === "placeholder" || kind === "reference");

/** Whether it is nothing but what is to be put in: of the user's it holds nothing yet. */
export const isTemplate = (value: unknown): boolean =>
  typeof value === "string" &&
  value.includes("{{") &&
  readTemplate(value).every(({ kind }) => kind === "placeholder" || kind === "reference");

function readPlaceholder(text: string, at: number): Use | undefined {
  const found = match(PLACEHOLDER, text, at);
  if (!found) return undefined;
  const [source, name = ""] = found;
  return name in Object.prototype ? { kind: "invalid", source } : { kind: "placeholder", name, source };
}

function readReference(text: string, at: number): Use | undefined {
  const head = match(HEAD, text, at);
  if (!head) return undefined;
  const path: (string | number)[] = [];
  let next = at + head[0].length;
  for (let count = 0; count <= MAX_SEGMENTS; count += 1) {
    const end = match(END, text, next);
    const step = head[1] ?? "";
    if (end && !isStepId(step)) return undefined;
    if (end) return { kind: "reference", step, path, source: text.slice(at, next + end[0].length) };
    const segment = readSegment(text, next);
    if (!segment) return undefined;
    path.push(segment.key);
    next += segment.length;
  }
  return undefined;
}

function readSegment(text: string, at: number): { key: string | number; length: number } | undefined {
  const name = match(NAME(), text, at);
  if (name) return { key: name[1] ?? "", length: name[0].length };
  const index = match(INDEX, text, at);
  if (index) return { key: Number(index[1]), length: index[0].length };
  const quoted = match(QUOTED, text, at);
  if (!quoted) return undefined;
  try {
    return { key: JSON.parse(quoted[1] ?? "") as string, length: quoted[0].length };
  } catch {
    return undefined;
  }
}

function readAlike(text: string, at: number, close: number): Use | undefined {
  return match(ALIKE(), text, at) ? { kind: "invalid", source: text.slice(at, close + 2) } : undefined;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
