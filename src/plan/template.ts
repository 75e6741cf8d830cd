/**
 * Reads the references and placeholders that a plan may write in double braces, in linear time. Pure.
 *
 *     {{PLACEHOLDER_name}}
 *     {{step.result}}   {{step.result.path[0].field["any name"]}}
 *
 * Nothing is evaluated: a path is a list of names and indices. Other text in double braces stays text, but what resembles a
 * reference or a placeholder is `invalid`, so that it reaches no tool unnoticed.
 */
import { toPointer } from "../lib/json/json-value.ts";
import { lazyRegExp } from "../lib/once.ts";

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
  | { readonly kind: "invalid"; readonly source: string };

type Use = Exclude<TemplatePart, { kind: "text" }>;

// Every repetition is bounded, so each `{{` costs a bounded look ahead.
const SEGMENT = String.raw`(?:\.[\p{L}\p{N}_$-]{1,128}|\[(?:0|[1-9]\d{0,9})\]|\["(?:[^"\\]|\\.){0,256}"\])`;
const SEGMENTS = lazyRegExp(SEGMENT, "gu");
const USE = lazyRegExp(
  String.raw`\{\{\s{0,8}(?:PLACEHOLDER_(\w{1,64})|([A-Za-z0-9_-]{1,64})\.result(${SEGMENT}{0,32}))\s{0,8}\}\}`,
  "uy",
);
const RESEMBLES = lazyRegExp(String.raw`\{\{\s{0,8}(?:PLACEHOLDER|[\p{L}\p{N}_$-]{1,64}\s{0,8}[.[])`, "uy");

const IDENTIFIER = /^[A-Za-z0-9_-]{1,64}$/;

/** Not a name that every object has: a careless lookup by it would find something. */
export const isStepId = (id: string): boolean => IDENTIFIER.test(id) && !(id in Object.prototype);

/** The parts of a text; a text without braces is one part. */
export function readTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  let close = -1;
  for (let at = text.indexOf("{{"); at >= 0; ) {
    if (close < at) close = text.indexOf("}}", at);
    if (close < 0) break;
    const part = readUse(text, at) ?? readResembling(text, at, close);
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

function readUse(text: string, at: number): Use | undefined {
  const found = matchAt(USE(), text, at);
  if (!found) return undefined;
  const [source, name, step = "", segments = ""] = found;
  if (name !== undefined)
    return name in Object.prototype ? { kind: "invalid", source } : { kind: "placeholder", name, source };
  const path = readPath(segments);
  return path && isStepId(step) ? { kind: "reference", step, path, source } : undefined;
}

function readPath(segments: string): (string | number)[] | undefined {
  try {
    return (segments.match(SEGMENTS()) ?? []).map((segment) =>
      segment.startsWith(".") ? segment.slice(1) : (JSON.parse(segment.slice(1, -1)) as string | number),
    );
  } catch {
    return undefined;
  }
}

const readResembling = (text: string, at: number, close: number): Use | undefined =>
  matchAt(RESEMBLES(), text, at) ? { kind: "invalid", source: text.slice(at, close + 2) } : undefined;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The one reference or placeholder that a text consists of: its value keeps its type. */
export function soleUse(parts: readonly TemplatePart[]): Reference | PlaceholderUse | undefined {
  const [part, other] = parts;
  if (other !== undefined) return undefined;
  return part?.kind === "placeholder" || part?.kind === "reference" ? part : undefined;
}

const isUse = ({ kind }: TemplatePart): boolean => kind === "placeholder" || kind === "reference";

/** Whether a value is still to be filled in. */
export const isOpen = (parts: readonly TemplatePart[]): boolean => parts.some(isUse);

/** Whether no part of it is a value of the user's yet. */
export const isTemplate = (value: unknown): boolean =>
  typeof value === "string" && value.includes("{{") && readTemplate(value).every(isUse);

/** A text with double braces in a step's input. */
export interface TemplatePlace {
  readonly tokens: readonly string[];
  /** JSON pointer into the input. */
  readonly path: string;
  readonly parts: readonly TemplatePart[];
  /** The name of a member, not its value: nothing is ever filled in there. */
  readonly isName: boolean;
}

export function templatePlaces(input: unknown): readonly TemplatePlace[] {
  const places: TemplatePlace[] = [];
  const add = (text: string, tokens: readonly string[], isName: boolean): void => {
    if (text.includes("{{")) places.push({ tokens, path: toPointer(tokens), parts: readTemplate(text), isName });
  };
  const visit = (value: unknown, tokens: readonly string[]): void => {
    if (typeof value === "string") add(value, tokens, false);
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (!Array.isArray(value)) add(key, [...tokens, key], true);
      visit(part, [...tokens, key]);
    }
  };
  visit(input, []);
  return places;
}

/** Replaces a text: its member or item is left out. */
export const ABSENT: unique symbol = Symbol("absent");

type MapText = (text: string, tokens: readonly (string | number)[]) => unknown;

/** A copy of a JSON value with each text (not the names of members) replaced. */
export function mapTexts(value: unknown, replace: MapText, tokens: readonly (string | number)[] = []): unknown {
  if (typeof value === "string") return replace(value, tokens);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => mapTexts(item, replace, [...tokens, index]));
    const present = items.filter((item) => item !== ABSENT);
    // A list that held only absent items is absent itself.
    return present.length === 0 && items.length > 0 ? ABSENT : present;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, part]) => [key, mapTexts(part, replace, [...tokens, key])] as const);
  // `fromEntries` defines properties: a name that a prototype has stays a name.
  return Object.fromEntries(members.filter(([, part]) => part !== ABSENT));
}
