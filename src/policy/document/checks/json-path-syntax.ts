/**
 * Whether a text is a JSON path (RFC 9535) that may be followed. Pure.
 *
 * The library that follows paths takes milliseconds to load, so it is loaded where one is followed; a policy is checked by
 * its grammar alone.
 */

/** Why a policy may not hold the path; undefined where it may. */
export function jsonPathFault(path: string): string | undefined {
  return costOf(path) ?? (isJsonPath(path) ? undefined : `\`${path}\` is no JSON path (RFC 9535)`);
}

/** Selectors of a list; and of these slices and wildcards, each of which selects everything again. */
const MAX_LISTED = 16;
const MAX_WIDE = 2;

/**
 * Each `..` reads all that lies below, and so does each filter: one of either is linear, one inside or after another is not.
 * A list of selectors doubles what the next begins with.
 */
export function costOf(path: string): string | undefined {
  const bare = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
  const descents = bare.split("..").length - 1;
  const filters = bare.split("?").length - 1;
  const lists = bare.match(/\[[^\]?]*,[^\]]*\]/g) ?? [];
  const [list = ""] = lists;
  if (descents > 1) return `\`${path}\` descends (\`..\`) more than once`;
  if (filters > 1) return `\`${path}\` has more than one filter`;
  if (lists.length > 1) return `\`${path}\` has more than one list of selectors`;
  if (list.split(",").length > MAX_LISTED) return `\`${path}\` lists more than ${MAX_LISTED} selectors`;
  if (list.split(",").filter((selector) => /[:*]/.test(selector)).length > MAX_WIDE)
    return `\`${path}\` lists more than ${MAX_WIDE} slices or wildcards`;
  const inFilter = bare.slice(bare.indexOf("?") + 1);
  if (filters === 1 && /\.\.|\*|\$/.test(inFilter.slice(0, endOfFilter(inFilter))))
    return `the filter of \`${path}\` looks at more than the item's own members`;
  return undefined;
}

/** Where the bracket closes that holds the filter. */
function endOfFilter(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && depth-- === 0) return at;
  }
  return text.length;
}

/** What an expression of a filter comes to; `singular` is a query of at most one node. */
type Kind = "literal" | "singular" | "nodes" | "value" | "logical";

const functions: ReadonlyMap<string, { readonly takes: readonly ("value" | "nodes")[]; readonly gives: Kind }> =
  new Map([
    ["length", { takes: ["value"], gives: "value" }],
    ["count", { takes: ["nodes"], gives: "value" }],
    ["value", { takes: ["nodes"], gives: "value" }],
    ["match", { takes: ["value", "value"], gives: "logical" }],
    ["search", { takes: ["value", "value"], gives: "logical" }],
  ]);

const INT = "(?:0|-?[1-9]\\d*)";
const S = "[ \\t\\n\\r]*";
/** The library takes no control character by its number. */
const ESCAPE =
  "[\\\\/bfnrt]|u(?:(?!00[01])[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2}|[Dd][89ABab][0-9A-Fa-f]{2}\\\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})";
const sticky = (source: string): RegExp => new RegExp(source, "yu");

const blanks = sticky(S);
const name = sticky(
  "[A-Za-z_\\u{80}-\\u{d7ff}\\u{e000}-\\u{10ffff}][0-9A-Za-z_\\u{80}-\\u{d7ff}\\u{e000}-\\u{10ffff}]*",
);
const text = sticky(
  `"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:"|${ESCAPE}))*"|'(?:[^'\\\\\\u0000-\\u001f]|\\\\(?:'|${ESCAPE}))*'`,
);
const slice = sticky(`(?:${INT}${S})?:${S}(?:${INT}${S})?(?::(?:${S}${INT})?)?`);
const index = sticky(INT);
const literal = sticky("-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null");
const call = sticky("[a-z][a-z0-9_]*(?=\\()");
const comparison = sticky("==|!=|<=|>=|<|>");
const wildcard = sticky("\\*");

interface Reader {
  readonly path: string;
  at: number;
}

function isJsonPath(path: string): boolean {
  const reader: Reader = { path, at: 0 };
  return has(reader, "$") && segments(reader) !== undefined && reader.at === path.length;
}

function take(reader: Reader, what: RegExp | string): string | undefined {
  let found: string | undefined;
  if (typeof what === "string") found = reader.path.startsWith(what, reader.at) ? what : undefined;
  else {
    what.lastIndex = reader.at;
    found = what.exec(reader.path)?.[0];
  }
  reader.at += found?.length ?? 0;
  return found;
}

const has = (reader: Reader, what: RegExp | string): boolean => take(reader, what) !== undefined;

/** Blanks count only where something follows. */
function follows(reader: Reader, what: RegExp | string): boolean {
  const from = reader.at;
  take(reader, blanks);
  if (has(reader, what)) return true;
  reader.at = from;
  return false;
}

function segments(reader: Reader): "singular" | "nodes" | undefined {
  let kind: "singular" | "nodes" = "singular";
  for (;;) {
    if (follows(reader, "..")) {
      if (!(has(reader, "[") ? selectors(reader) : has(reader, wildcard) || has(reader, name))) return undefined;
      kind = "nodes";
    } else if (follows(reader, ".")) {
      if (has(reader, wildcard)) kind = "nodes";
      else if (!has(reader, name)) return undefined;
    } else if (follows(reader, "[")) {
      const selected = selectors(reader);
      if (selected === undefined) return undefined;
      if (selected === "nodes") kind = "nodes";
    } else return kind;
  }
}

/** After the bracket that opens. */
function selectors(reader: Reader): "singular" | "nodes" | undefined {
  let kind: "singular" | "nodes" | undefined;
  do {
    take(reader, blanks);
    const one = selector(reader);
    if (one === undefined) return undefined;
    kind = kind === undefined ? one : "nodes";
  } while (follows(reader, ","));
  return follows(reader, "]") ? kind : undefined;
}

function selector(reader: Reader): "singular" | "nodes" | undefined {
  if (has(reader, "?")) return isLogical(reader) ? "nodes" : undefined;
  if (has(reader, wildcard)) return "nodes";
  if (has(reader, text)) return "singular";
  const numbers = take(reader, slice);
  if (numbers !== undefined) return areSafe(numbers) ? "nodes" : undefined;
  const one = take(reader, index);
  return one !== undefined && areSafe(one) ? "singular" : undefined;
}

function isLogical(reader: Reader): boolean {
  do {
    do {
      take(reader, blanks);
      if (!isBasic(reader)) return false;
    } while (follows(reader, "&&"));
  } while (follows(reader, "||"));
  return true;
}

function isBasic(reader: Reader): boolean {
  const negated = has(reader, "!");
  if (negated) take(reader, blanks);
  if (has(reader, "(")) return isLogical(reader) && follows(reader, ")");
  const left = operand(reader);
  if (left === undefined) return false;
  if (!negated && follows(reader, comparison)) {
    take(reader, blanks);
    const right = operand(reader);
    return right !== undefined && isComparable(left) && isComparable(right);
  }
  return left === "singular" || left === "nodes" || left === "logical";
}

function operand(reader: Reader): Kind | undefined {
  if (has(reader, "@") || has(reader, "$")) return segments(reader);
  if (has(reader, text)) return "literal";
  const called = take(reader, call);
  if (called === undefined) return has(reader, literal) ? "literal" : undefined;
  const { takes, gives } = functions.get(called) ?? {};
  if (!takes || !has(reader, "(")) return undefined;
  for (const [place, wanted] of takes.entries()) {
    if (place > 0 && !follows(reader, ",")) return undefined;
    take(reader, blanks);
    const given = operand(reader);
    if (given === undefined) return undefined;
    if (!(wanted === "value" ? isComparable(given) : given === "singular" || given === "nodes")) return undefined;
  }
  return follows(reader, ")") ? gives : undefined;
}

const isComparable = (kind: Kind): boolean => kind === "literal" || kind === "singular" || kind === "value";

/** RFC 9535, 2.1: within what every JSON reader can tell apart. */
const areSafe = (numbers: string): boolean =>
  (numbers.match(/-?\d+/g) ?? []).every((one) => Number.isSafeInteger(Number(one)));
