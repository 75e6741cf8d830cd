/**
 * Tainted writes. Storage launders: a note that a mail led the model to write is the same text when a trusted reader brings it back. So the
 * user's object keeps digests of the texts that were written after untrusted text, and a result with such a value is not trusted. Pure.
 *
 * A value is recognised by its whole text and by its longest lines, whatever its case and blanks. Text that the store changes, parts of
 * a line and short values are not recognised.
 */

import { sha256Hex } from "../../../lib/digest.ts";
import { textsIn } from "../../../lib/json/json-value.ts";
import { normalForm } from "../../../lib/text/normal-form.ts";
import { withoutUnseen } from "../../../lib/text/unseen-characters.ts";

/** The values that one call wrote. */
export interface TaintedWrite {
  readonly tool: string;
  /** The conversation that it was written in, by its session's id. */
  readonly session: string;
  readonly digests: readonly string[];
}

export interface TaintedWrites {
  readonly writes: readonly TaintedWrite[];
  /** There were more than are kept: what else was written is not known. */
  readonly isFull: boolean;
}

export const NOTHING_TAINTED: TaintedWrites = { writes: [], isFull: false };

/** UTF-16 units. Shorter values occur everywhere. */
const MIN_LENGTH = 8;
/** Digests that are kept of one call. */
const MAX_DIGESTS = 12;
const LINES_OF_VALUE = 3;
/** Values and lines of one result that are looked up. */
const MAX_LOOKED_UP = 5_000;

const canonical = (text: string): string =>
  normalForm(withoutUnseen(text), "NFKC").toLowerCase().replace(/\s+/g, " ").trim();

const digestOf = (text: string): string => sha256Hex(text).slice(0, 16);

const linesIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map(canonical)
    .filter((line) => line.length >= MIN_LENGTH);

/** @param values texts of the call that neither the user nor a trusted source gave. */
export function digestsOfWrite(values: readonly string[]): readonly string[] {
  const whole = values.map(canonical).filter((text) => text.length >= MIN_LENGTH);
  const lines = values
    .filter((value) => value.includes("\n"))
    .flatMap((value) =>
      linesIn(value)
        .toSorted((a, b) => b.length - a.length)
        .slice(0, LINES_OF_VALUE),
    );
  const longest = (texts: readonly string[]) => texts.toSorted((a, b) => b.length - a.length);
  return [...new Set([...longest(whole), ...longest(lines)])].slice(0, MAX_DIGESTS).map(digestOf);
}

export interface TaintedLookup {
  readonly isFull: boolean;
  /** The write that had this value; undefined if none is known. */
  writerOf(value: string): TaintedWrite | undefined;
  /** The write that had this text, one of its lines, or a value of its JSON. */
  writerIn(text: string): TaintedWrite | undefined;
}

export function lookUpTainted({ writes, isFull }: TaintedWrites): TaintedLookup {
  const byDigest = new Map(writes.flatMap((write) => write.digests.map((digest) => [digest, write] as const)));
  const find = (text: string) => (text.length < MIN_LENGTH ? undefined : byDigest.get(digestOf(text)));
  const writerOf = (value: string) => (byDigest.size === 0 ? undefined : find(canonical(value)));
  const search = (text: string): TaintedWrite | undefined => {
    const texts = [text, ...textsIn(parse(text))];
    for (const one of texts.slice(0, MAX_LOOKED_UP)) {
      const writer = writerOf(one) ?? (one.includes("\n") ? firstOf(linesIn(one), find) : undefined);
      if (writer) return writer;
    }
    // Values beyond the limit may hold anything.
    return texts.length > MAX_LOOKED_UP ? writes[0] : undefined;
  };
  // Each step of a turn asks about the same results.
  const known = new Map<string, TaintedWrite | undefined>();
  return {
    isFull,
    writerOf,
    writerIn(text) {
      if (byDigest.size === 0) return undefined;
      if (!known.has(text)) known.set(text, search(text));
      return known.get(text);
    },
  };
}

function firstOf<T>(texts: readonly string[], find: (text: string) => T | undefined): T | undefined {
  for (const text of texts.slice(0, MAX_LOOKED_UP)) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text is JSON with values of their own. */
export const isJsonText = (text: string): boolean => parse(text) !== undefined;

function parse(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
