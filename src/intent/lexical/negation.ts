/**
 * Finds text that the user says *not* to do. Each word of negation (`grammar.ts`) reaches to the end of its clause, or back to its beginning
 * in languages that negate at the end; evidence in its reach does not count. A negation inside of the evidence is the policy's
 * own word ("never mind") and negates nothing. Pure.
 */
import { once } from "../../lib/once.ts";
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import { type Clause, clauseAt } from "./clauses.ts";
import type { Match } from "./find-matches.ts";
import { alternatives, type Negation, negations } from "./grammar.ts";
import { refusals } from "./refusals.ts";

export interface Reaches {
  /** In order; each begins behind its cue, or is a cue that holds the negated text. */
  readonly forward: readonly { readonly start: number; readonly end: number }[];
  /** By the start of the clause; the last cue of a clause reaches over the others. */
  readonly back: ReadonlyMap<number, BackReach>;
}

interface BackReach {
  readonly start: number;
  readonly cueStart: number;
  readonly cueEnd: number;
}

/** @param matches in the order of their start. */
export function markNegated(matches: readonly Match[], { forward, back }: Reaches, clauses: readonly Clause[]): void {
  let next = 0;
  let reached = 0;
  for (const match of matches) {
    for (let reach = forward[next]; reach && reach.start <= match.start; reach = forward[next]) {
      reached = Math.max(reached, reach.end);
      next += 1;
    }
    const behind = back.get(clauseAt(clauses, match.start).start);
    const isNegatedBehind =
      behind && match.start >= behind.start && match.start < behind.cueStart && match.end < behind.cueEnd;
    if (match.start < reached || isNegatedBehind) match.discounted = "negated";
  }
}

/** The parts of the folded text that the user says not to do. */
export function negatedParts({ forward, back }: Reaches): readonly Clause[] {
  return [...forward, ...[...back.values()].map(({ start, cueStart }) => ({ start, end: cueStart }))];
}

/** Whether one stretch of the text is negated. */
export function isNegated(folded: string, clauses: readonly Clause[], start: number, end: number): boolean {
  const match: Match = { intent: 0, layer: "keywords", source: "", start, end, weight: 0 };
  markNegated([match], reachesOf(folded, clauses), clauses);
  return match.discounted !== undefined;
}

/** How much of a clause is read around a cue, in UTF-16 units: a clause need not end. */
const MAX_CONTEXT = 200;

const cues = [...negations, ...refusals];

export function reachesOf(folded: string, clauses: readonly Clause[]): Reaches {
  const forward: { start: number; end: number }[] = [];
  const back = new Map<number, BackReach>();
  for (const negation of cues) {
    // Most texts hold none: looking before listing the matches takes 5 µs for all cues, listing them 20.
    if (folded.search(negation.cue) < 0) continue;
    /** The first cue of a clause reaches as far as the others. */
    let served = -1;
    for (const { 0: cue, index: cueStart } of folded.matchAll(negation.cue)) {
      const cueEnd = cueStart + cue.length;
      // Some cues begin with the mark, or hold the "but", that ends the clause before.
      const clause = clauseAt(clauses, cueEnd - 1);
      if (negation.reach === "forward" && clause.start === served) continue;
      const from = Math.max(clause.start, cueStart - MAX_CONTEXT);
      const before = folded.slice(from, cueStart);
      // The clause may end inside of the cue's own words ("no, …").
      const after = folded.slice(cueEnd, Math.max(cueEnd, Math.min(clause.end, cueEnd + MAX_CONTEXT)));
      if (isException(negation, before, after, cue)) continue;
      if (negation.reach === "within") {
        forward.push({ start: cueStart, end: cueEnd });
        continue;
      }
      if (negation.reach !== "back") {
        served = clause.start;
        forward.push({ start: cueEnd, end: endOfList(folded, clauses, clause) });
      }
      const isBack = negation.reach === "back" || (negation.reach === "either" && !hasLetterOrDigit(after));
      if (isBack && !negation.backUnless?.test(before)) {
        const start = from + behindLastJoin(before);
        if (cueStart >= (back.get(clause.start)?.cueStart ?? 0)) back.set(clause.start, { start, cueStart, cueEnd });
      }
    }
  }
  return { forward: forward.sort((one, other) => one.start - other.start), back };
}

const isException = ({ unless = [] }: Negation, before: string, after: string, cue: string): boolean =>
  unless.some(
    (one) => (one.before?.test(before) ?? true) && (one.after?.test(after) ?? true) && (one.cue?.test(cue) ?? true),
  );

/** Not the verbs that are nouns as well: "no flashcards, quiz or exam". */
const startsRequest = once(() => {
  const verbs = alternatives("imperatives").replace(
    /\b(?:quiz|test|plan|practi[cs]e|schedule|talk|search|review|list)\|/g,
    "",
  );
  return new RegExp(`^\\s*(?:please |just |then |instead )*(?:${verbs}|i|i'd|i'll|you|we|can|could)\\b`);
});
const endsList = once(() => new RegExp(`\\b(?:${alternatives("or")})\\b`));

/** "No flashcards, quizzes or exams": a list goes on behind its commas, up to the "or" that ends it. */
function endOfList(folded: string, clauses: readonly Clause[], clause: Clause): number {
  let { end } = clause;
  while (end < folded.length && folded[end - 1] === ",") {
    const next = clauseAt(clauses, end);
    const text = folded.slice(next.start, next.end);
    if (next.start !== end || startsRequest().test(text)) break;
    if (endsList().test(text)) return next.end;
    if (text.trim().split(/\s+/).length > 3) break;
    end = next.end;
  }
  return clause.end;
}

const joins = once(() => new RegExp(`(?:${alternatives("joins", "unspaced")})[ 、]?`, "g"));

/** 문법을 설명하고 퀴즈는 만들지 마: the text before 하고 or して is a request of its own. */
function behindLastJoin(text: string): number {
  const last = [...text.matchAll(joins())].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
