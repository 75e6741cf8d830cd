/**
 * What the user says *not* to do. Each cue (`negation-cues.ts`) reaches to the end of its clause, or back to its beginning
 * in languages that negate behind; evidence in reach does not count. A cue inside of the evidence is the policy's own
 * word ("never mind") and negates nothing. Pure.
 */
import { latePattern } from "../../lib/once.ts";
import { hasLetterOrDigit } from "../../lib/text/characters.ts";
import { type Clause, clauseAt } from "./clauses.ts";
import type { Item } from "./evidence-item.ts";
import { imperatives } from "./imperatives.ts";
import { cues } from "./negation-cues.ts";

interface Reaches {
  /** In order; each begins behind its cue. */
  readonly forward: readonly { readonly start: number; readonly end: number }[];
  /** By the start of the clause; the last cue of a clause reaches over the others. */
  readonly back: ReadonlyMap<number, Back>;
}

interface Back {
  readonly start: number;
  readonly cueStart: number;
  readonly cueEnd: number;
}

/** @param items in the order of their start. */
export function markNegated(items: readonly Item[], bare: string, clauses: readonly Clause[]): void {
  const { forward, back } = reachesOf(bare, clauses);
  let next = 0;
  let reached = 0;
  for (const item of items) {
    for (let reach = forward[next]; reach && reach.start <= item.start; reach = forward[next]) {
      reached = Math.max(reached, reach.end);
      next += 1;
    }
    const behind = back.get(clauseAt(clauses, item.start).start);
    const negatedBehind =
      behind && item.start >= behind.start && item.start < behind.cueStart && item.end < behind.cueEnd;
    if (item.start < reached || negatedBehind) item.discounted = "negated";
  }
}

/** Of one place alone. */
export function isNegated(
  bare: string,
  clauses: readonly Clause[],
  { start, end }: Pick<Item, "start" | "end">,
): boolean {
  const item: Item = { intent: 0, layer: "keywords", source: "", start, end, weight: 0 };
  markNegated([item], bare, clauses);
  return item.discounted !== undefined;
}

function reachesOf(bare: string, clauses: readonly Clause[]): Reaches {
  const forward: { start: number; end: number }[] = [];
  const back = new Map<number, Back>();
  for (const { pattern, reach, unless } of cues) {
    /** The first cue of a clause reaches as far as the others. */
    let served = -1;
    for (const match of bare.matchAll(pattern)) {
      const cueStart = match.index;
      const cueEnd = cueStart + match[0].length;
      const clause = clauseAt(clauses, cueStart);
      if (reach === "forward" && clause.start === served) continue;
      const before = bare.slice(Math.max(clause.start, cueStart - sight), cueStart);
      // The clause may end inside of the cue's own words ("no, …").
      const after = bare.slice(cueEnd, Math.max(cueEnd, Math.min(clause.end, cueEnd + sight)));
      if (unless?.(before, after, match[0])) continue;
      if (reach !== "back") {
        served = clause.start;
        forward.push({ start: cueEnd, end: endOfList(bare, clauses, clause) });
      }
      if (reach === "back" || (reach === "either" && !hasLetterOrDigit(after))) {
        const start = backTo(bare, Math.max(clause.start, cueStart - sight), cueStart);
        if (cueStart >= (back.get(clause.start)?.cueStart ?? 0)) back.set(clause.start, { start, cueStart, cueEnd });
      }
    }
  }
  return { forward: forward.sort((one, other) => one.start - other.start), back };
}

/** How far around a cue its clause is looked at, in UTF-16 units: a clause need not end. */
const sight = 200;

/** Not those that are nouns as well: "no flashcards, quiz or exam". */
const verbs = imperatives.filter(
  (verb) => !/^(?:quiz|test|plan|practi[cs]e|schedule|talk|search|review|list)$/.test(verb),
);
const startsRequest = latePattern(
  String.raw`^\s*(?:please |just |then |instead )*(?:${verbs.join("|")}|i|i'd|i'll|you|we|can|could)\b`,
  "",
);

/** "No flashcards, quizzes or exams": a list goes on behind its commas, up to the "or" that ends it. */
function endOfList(bare: string, clauses: readonly Clause[], clause: Clause): number {
  let { end } = clause;
  for (let next = clauseAt(clauses, end); end < bare.length && bare[end - 1] === ","; next = clauseAt(clauses, end)) {
    const text = bare.slice(next.start, next.end);
    if (next.start !== end || startsRequest().test(text)) break;
    if (/\b(?:or|nor|oder|o|ou|noch|ni)\b/.test(text)) return next.end;
    if (text.trim().split(/\s+/).length > 3 || bare[next.end - 1] !== ",") break;
    end = next.end;
  }
  return /\b(?:or|nor|oder|o|ou|ni)\b/.test(bare.slice(clause.end, end)) ? end : clause.end;
}

/** 문법을 설명하고 퀴즈는 만들지 마: what is joined by 하고 or して has been said before. */
function backTo(bare: string, start: number, cueStart: number): number {
  const text = bare.slice(start, cueStart);
  const joined = [...text.matchAll(/(?:하고|해 ?주고|해서|[^じ]ゃ?して|教えて)[ 、]?/g)].at(-1);
  return joined === undefined ? start : start + joined.index + joined[0].length;
}
