/**
 * What a pattern (RE2 syntax) says with words of its own, and what it leaves open. Two uses:
 * a text that holds none of the literals which every match needs is not searched at all, and the specificity of a match
 * counts what the pattern's own words met, not what a `.*` swallowed. Pure.
 */
import { readAtom } from "./pattern-atoms.ts";

export interface PatternShape {
  /** The pattern with every open part, and nothing else, in a capture group. */
  readonly source: string;
  /** Every match holds one of these; absent where nothing can be said. Not folded. */
  readonly literals?: readonly string[];
}

/** @param source of a pattern that RE2 accepts; where this reads less than RE2 does, nothing is said of it. */
export function shapeOf(source: string): PatternShape | undefined {
  const reader: Reader = { source, at: 0, depth: 0 };
  const part = readAlternatives(reader);
  return part && reader.at === source.length ? { source: part.marked, literals: part.needs } : undefined;
}

/** A piece of the pattern that has been read. */
interface Part {
  /** As written, its groups not capturing. */
  readonly plain: string;
  /** `plain` with the open parts captured. */
  readonly marked: string;
  readonly needs?: readonly string[];
  /** The one text that it matches. */
  readonly exact?: string;
  readonly open: boolean;
}

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
}

const maxAlternatives = 64;
const maxDepth = 100;

function readAlternatives(reader: Reader): Part | undefined {
  const parts: Part[] = [];
  do {
    if (parts.length > 0) reader.at += 1;
    const part = readSequence(reader);
    if (!part) return undefined;
    parts.push(part);
  } while (reader.source[reader.at] === "|");
  const [first] = parts;
  if (parts.length === 1) return first;
  const needs = parts.flatMap((part) => part.needs ?? []);
  return {
    plain: parts.map((part) => part.plain).join("|"),
    marked: parts.map((part) => part.marked).join("|"),
    needs: parts.every((part) => part.needs) && needs.length <= maxAlternatives ? needs : undefined,
    open: parts.some((part) => part.open),
  };
}

function readSequence(reader: Reader): Part | undefined {
  const parts: Part[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at))) {
    const part = readQuantified(reader);
    if (!part) return undefined;
    parts.push(part);
  }
  const exact = parts.every((part) => part.exact !== undefined) ? parts.map((part) => part.exact).join("") : undefined;
  return {
    plain: parts.map((part) => part.plain).join(""),
    marked: parts.map((part) => part.marked).join(""),
    needs: bestNeeds(parts),
    exact,
    open: parts.some((part) => part.open),
  };
}

/** Neighbouring letters join into words; of all the sets of words that a match must hold one of, the longest are best. */
function bestNeeds(parts: readonly Part[]): readonly string[] | undefined {
  const sets: (readonly string[])[] = [];
  let word = "";
  const flush = () => {
    for (const piece of word.split(/\s+/)) if (piece !== "") sets.push([piece]);
    word = "";
  };
  for (const { exact, needs } of parts) {
    if (exact !== undefined) {
      word += exact;
      continue;
    }
    flush();
    if (needs) sets.push(needs);
  }
  flush();
  const shortest = (set: readonly string[]) => Math.min(...set.map((one) => one.length));
  return sets.sort((one, other) => shortest(other) - shortest(one) || one.length - other.length)[0];
}

function readQuantified(reader: Reader): Part | undefined {
  const part = reader.source[reader.at] === "(" ? readGroup(reader) : readAtom(reader);
  if (!part) return undefined;
  const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(reader.source.slice(reader.at, reader.at + 16))?.[0];
  if (quantifier === undefined) return part;
  reader.at += quantifier.length;
  // `a**` is an error in RE2, and `a{2}{3}` nothing that says more.
  if (/^[*+{]/.test(reader.source.slice(reader.at, reader.at + 1)) && reader.source[reader.at] !== "{")
    return undefined;
  const many = /^(?:[*+]|\{\d+,\}|\{\d*,?\d{2,}\})/.test(quantifier);
  const plain = part.plain + quantifier;
  const open = part.open && many;
  return {
    plain,
    // A group that repeats an open part would capture its last round only, so it is captured whole.
    marked: open ? `(${plain})` : part.marked + quantifier,
    needs: /^(?:[*?]|\{0)/.test(quantifier) ? undefined : part.needs,
    open: part.open,
  };
}

function readGroup(reader: Reader): Part | undefined {
  const opening = /^\((?:\?P?<[^>]*>|\?([a-zA-Z-]*)([:)]))?/.exec(reader.source.slice(reader.at, reader.at + 80));
  if (!opening) return undefined;
  const [text, flags, end] = opening;
  reader.at += text.length;
  // Flags for the rest of the group: they match nothing.
  if (end === ")") return { plain: text, marked: text, exact: "", open: false };
  if (reader.depth >= maxDepth) return undefined;
  reader.depth += 1;
  const inner = readAlternatives(reader);
  reader.depth -= 1;
  if (!inner || reader.source[reader.at] !== ")") return undefined;
  reader.at += 1;
  const start = `(?${flags ?? ""}:`;
  return { ...inner, plain: `${start}${inner.plain})`, marked: `${start}${inner.marked})` };
}
