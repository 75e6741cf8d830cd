/**
 * The words of its own that a pattern (RE2 syntax) matches, and what it leaves open. Two uses: a text that holds none of the
 * literals which every match needs is not searched at all, and the specificity of a match counts the text that the pattern's own words
 * matched, not the text that a `.*` swallowed. Pure.
 */
interface PatternShape {
  /** The pattern with every open part, and nothing else, in a capture group. */
  readonly source: string;
  /** Every match holds one of these; absent if they are not known. Not folded. */
  readonly literals?: readonly string[] | undefined;
}

/** @returns undefined for a pattern that RE2 accepts but this parser does not understand. */
export function shapeOf(source: string): PatternShape | undefined {
  const reader: PatternReader = { source, at: 0, depth: 0 };
  const part = readAlternatives(reader);
  return part && reader.at === source.length ? { source: part.marked, literals: part.needs } : undefined;
}

/** A piece of the pattern that has been read. */
interface PatternPart {
  /** As written, its groups not capturing. */
  readonly plain: string;
  /** `plain` with the open parts captured. */
  readonly marked: string;
  readonly needs?: readonly string[] | undefined;
  /** The one text that it matches. */
  readonly exact?: string | undefined;
  /** Matches so much that repeating it says nothing: `.`, `\w`, `[^,]`. */
  readonly open: boolean;
}

interface PatternReader {
  readonly source: string;
  at: number;
  depth: number;
}

const maxAlternatives = 64;
const maxDepth = 100;

function readAlternatives(reader: PatternReader): PatternPart | undefined {
  const parts: PatternPart[] = [];
  do {
    if (parts.length > 0) reader.at += 1;
    const part = readSequence(reader);
    if (!part) return undefined;
    parts.push(part);
  } while (reader.source[reader.at] === "|");
  if (parts.length === 1) return parts[0];
  const needs = parts.flatMap((part) => part.needs ?? []);
  return {
    plain: parts.map((part) => part.plain).join("|"),
    marked: parts.map((part) => part.marked).join("|"),
    needs: parts.every((part) => part.needs) && needs.length <= maxAlternatives ? needs : undefined,
    open: parts.some((part) => part.open),
  };
}

function readSequence(reader: PatternReader): PatternPart | undefined {
  const parts: PatternPart[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at))) {
    const part = readQuantified(reader);
    if (!part) return undefined;
    parts.push(part);
  }
  return {
    plain: parts.map((part) => part.plain).join(""),
    marked: parts.map((part) => part.marked).join(""),
    needs: bestNeeds(parts),
    exact: parts.every((part) => part.exact !== undefined) ? parts.map((part) => part.exact).join("") : undefined,
    open: parts.some((part) => part.open),
  };
}

/** Neighbouring letters join into words; of all the sets of words that a match must hold one of, the longest are best. */
function bestNeeds(parts: readonly PatternPart[]): readonly string[] | undefined {
  const sets: (readonly string[])[] = [];
  let word = "";
  const flush = () => {
    for (const piece of word.split(/\s+/)) if (piece !== "") sets.push([piece]);
    word = "";
  };
  for (const { exact, needs } of parts) {
    if (exact === undefined) flush();
    else word += exact;
    if (exact === undefined && needs) sets.push(needs);
  }
  flush();
  const shortest = (set: readonly string[]) => Math.min(...set.map((one) => one.length));
  return sets.sort((one, other) => shortest(other) - shortest(one) || one.length - other.length)[0];
}

function readQuantified(reader: PatternReader): PatternPart | undefined {
  const part = reader.source[reader.at] === "(" ? readGroup(reader) : readAtom(reader);
  if (!part) return undefined;
  const quantifier = match(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)?.[0];
  if (quantifier === undefined) return part;
  // `a**` is an error in RE2, and `a{2}{3}` nothing that says more.
  if ("*+".includes(reader.source.charAt(reader.at) || " ")) return undefined;
  const many = /^(?:[*+]|\{\d+,\}|\{\d*,?\d{2,}\})/.test(quantifier);
  const plain = part.plain + quantifier;
  return {
    plain,
    // A group that repeats an open part would capture its last round only, so it is captured whole.
    marked: part.open && many ? `(${plain})` : part.marked + quantifier,
    needs: /^(?:[*?]|\{0)/.test(quantifier) ? undefined : part.needs,
    open: part.open,
  };
}

function readGroup(reader: PatternReader): PatternPart | undefined {
  const opening = match(reader, /\((?:\?P?<[^>]{0,80}>|\?([a-zA-Z-]*)([:)]))?/y);
  if (!opening) return undefined;
  const [text, flags, end] = opening;
  // Flags for the rest of the group: they match nothing.
  if (end === ")") return { plain: text, marked: text, exact: "", open: false };
  if (reader.depth >= maxDepth) return undefined;
  reader.depth += 1;
  const inner = readAlternatives(reader);
  reader.depth -= 1;
  if (!inner || !match(reader, /\)/y)) return undefined;
  const start = `(?${flags ?? ""}:`;
  return { ...inner, plain: `${start}${inner.plain})`, marked: `${start}${inner.marked})` };
}

/** Moves the reader behind the match of `pattern` (sticky) at its place. */
function match(reader: PatternReader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source) ?? undefined;
  reader.at += found?.[0].length ?? 0;
  return found;
}

const literal = (plain: string, exact: string): PatternPart => ({
  plain,
  marked: plain,
  exact,
  needs: exact.trim() === "" ? undefined : [exact],
  open: false,
});
/** Matches characters that it does not name. */
const wildcard = (plain: string, open: boolean): PatternPart => ({ plain, marked: plain, open });

const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07" };

/** Letters, escapes, classes, assertions; `reader.at` may be anywhere if it is not understood. */
function readAtom(reader: PatternReader): PatternPart | undefined {
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
  if (character === "\\") return readEscape(reader);
  if (character === "[") return readClass(reader);
  if ("*+?".includes(character)) return undefined;
  reader.at += character.length;
  if (character === ".") return wildcard(".", true);
  // Assertions match nothing, so they break no word.
  return literal(character, character === "^" || character === "$" ? "" : character);
}

function readEscape(reader: PatternReader): PatternPart | undefined {
  const hex = match(reader, /\\x(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/y);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? "", 16);
    return code > 0x10ffff ? undefined : literal(hex[0], String.fromCodePoint(code));
  }
  const property = match(reader, /\\[pP](?:\{[^}]{0,60}\}|[A-Za-z])/y)?.[0];
  if (property !== undefined) return wildcard(property, true);
  const [whole = "", letter = ""] = match(reader, /\\([dwsDWSCbBAzntrfva])/y) ?? [];
  // White space counts for nothing in the measure, so it is never open.
  if ("dwsDWSC".includes(letter) && letter !== "") return wildcard(whole, letter !== "s");
  if (whole !== "") return literal(whole, controls[letter] ?? "");
  const [other, character = ""] = match(reader, /\\([^\w\s])/uy) ?? [];
  return other === undefined ? undefined : literal(other, character);
}

/** A class is read up to its end. One letter of a few counts as known; many are open. */
function readClass(reader: PatternReader): PatternPart | undefined {
  const plain = match(reader, /\[\^?\]?(?:\\[\s\S]|\[:[\s\S]*?:\]|\[(?!:[\s\S]*?:\])|[^\]\\[])*\]/y)?.[0];
  if (plain === undefined) return undefined;
  return wildcard(plain, plain.startsWith("[^") || plain.length > 12 || /\\[pPdDwWS]|-|\[:/.test(plain));
}
