/**
 * Which evidence is a part of something more specific that the user says, and so does not count. Four rules, all of evidence for
 * different intents. Pure.
 *
 * 1. *Longer words*: it lies inside of other evidence that accounts for more letters. "test my knowledge" is a quiz, not an
 *    exam. Letters that a pattern's `.*` swallowed do not count for it, so a wide pattern does not win by being wide.
 * 2. *Topic*: a keyword behind "about", "for", "of" … names the topic of the request before it: a quiz about history.
 * 3. *Question*: evidence behind "how", "what", "why" … behind other evidence is what that asks: explain how to make flashcards.
 * 4. *Compound*: a keyword between an article and another keyword only tells which one: a practice exam.
 */
import { once } from "../../lib/once.ts";
import { type Clause, clauseAt } from "./clauses.ts";
import type { Match } from "./find-matches.ts";
import { alternatives } from "./grammar.ts";

/** @param matches in the order of their start. Those that are negated overrule nothing. */
export function markOverruled(matches: readonly Match[], folded: string, clauses: readonly Clause[]): void {
  const counted = () => matches.filter((match) => !match.discounted);
  const [first] = counted();
  if (counted().every(({ intent }) => intent === first?.intent)) return;
  markContained(counted(), folded);
  markMentioned(counted(), folded, clauses);
}

/** Neighbours that are compared: a message full of keywords must not cost the square of its length. */
const MAX_NEIGHBOURS = 40;
/** A bound for the words between two matches as well: they say nothing across many other matches. */
const MAX_RELATED = 4;
/** In UTF-16 units: longer than the words between a request and its topic. */
const MAX_GAP = 80;

function markContained(matches: readonly Match[], folded: string): void {
  matches.forEach((inner, index) => {
    const text = folded.slice(inner.start, inner.end);
    if (webAddress().test(text)) return;
    const start = inner.start + (lead().exec(text)?.[0].length ?? 0);
    const neighbours = matches.slice(Math.max(0, index - MAX_NEIGHBOURS), index + MAX_NEIGHBOURS);
    const isContained = neighbours.some(
      (outer) =>
        outer.intent !== inner.intent && outer.weight > inner.weight && outer.start <= start && outer.end >= inner.end,
    );
    if (isContained) inner.discounted = "overruled";
  });
}

/** In order, and only by evidence that still counts: of two words each must not take the other for its topic. */
function markMentioned(matches: readonly Match[], folded: string, clauses: readonly Clause[]): void {
  matches.forEach((match, index) => {
    if (webAddress().test(folded.slice(match.start, match.end))) return;
    const clause = clauseAt(clauses, match.start);
    const isWord = isWordAlone(matches, index, folded);
    if (
      isTopicOfEarlier(matches.slice(Math.max(0, index - MAX_RELATED), index), match, isWord, folded, clause) ||
      (isWord && leadsToLater(matches.slice(index + 1, index + MAX_RELATED), match, folded, clause))
    ) {
      match.discounted = "overruled";
    }
  });
}

/** No pattern matches there, which would be a phrase that asks for the intent: "… about the login and file a ticket". */
function isWordAlone(matches: readonly Match[], index: number, folded: string): boolean {
  const match = matches[index];
  if (!match || isPhrase(match, folded)) return false;
  return !matches
    .slice(Math.max(0, index - MAX_RELATED), index + MAX_RELATED)
    .some(
      ({ intent, start, end }) =>
        intent === match.intent && start <= match.start && end >= match.end && end - start > match.end - match.start,
    );
}

const isPhrase = ({ layer, start, end }: Match, folded: string): boolean =>
  layer === "patterns" && /\s/.test(folded.slice(start, end));

/** An earlier match of the clause asks about it, or has it for its topic. */
function isTopicOfEarlier(
  earlier: readonly Match[],
  match: Match,
  isWord: boolean,
  folded: string,
  clause: Clause,
): boolean {
  for (const head of earlier.toReversed()) {
    if (head.start < clause.start) return false;
    if (head.discounted || head.intent === match.intent) continue;
    if (head.end > match.start || match.start - head.end > MAX_GAP) continue;
    const between = folded.slice(head.end, match.start);
    const isAnother = another().test(between);
    if (question().test(between) && !isAnother) return true;
    // The preposition may be the pattern's own last word: `flashcards?\s+(for|about)\s+`, `between\s+.+\s+and\s+`.
    const words = folded.slice(Math.max(head.start, head.end - 20), head.end);
    const last = words.slice(words.lastIndexOf(" ") + 1);
    const isTopic = topic().test(` ${last}${between}`) && !isAnother;
    const isOther = last === "and" && /^\s+(?:\S+\s+)?$/.test(between);
    if ((isTopic || isOther) && isWord) return true;
  }
  return false;
}

/** It comes before the request that it belongs to: a practice exam, 歴史のクイズ, "for the history class, …". */
function leadsToLater(later: readonly Match[], match: Match, folded: string, clause: Clause): boolean {
  const next = later.find((other) => other.start >= match.end);
  if (!next || next.intent === match.intent) return false;
  const between = folded.slice(match.end, Math.min(next.start, match.end + 2 * MAX_GAP));
  const before = folded.slice(Math.max(clause.start, match.start - MAX_GAP), match.start);
  // "For the history class, create an exam": the request comes behind the comma.
  if (next.end > clause.end) return preamble().test(before) && /^[^.!?\n]{0,40},[^.!?\n]{0,80}$/.test(between);
  // A phrase is no part of a compound: "the flashcards for" is not which exam.
  const isCompound = !isPhrase(match, folded) && /^\s+$/.test(between) && article().test(before);
  return topicParticle().test(between) || isCompound;
}

/** It is part of no phrase: whatever words are around it, it is there to be opened. */
const webAddress = once(() => /^(?:https?:\/\/|www\.)/);
/** With which a pattern may say that a request begins. */
const lead = once(() => /^(?:please|and|then|to|you|also|just)\s+/);
const question = once(() => new RegExp(String.raw`^[\s"'「『“]*(?:\S+\s+){0,2}?(?:${alternatives("questions")})\b`));
const upToFourWords = String.raw`\s+(?:[\p{L}\p{N}'-]+\s+){0,4}$`;
const topic = once(() => new RegExp(String.raw`(?:^|\s)(?:${alternatives("topics")})${upToFourWords}`, "u"));
const preamble = once(() => new RegExp(String.raw`^\s*(?:${alternatives("preambles")})${upToFourWords}`, "u"));
/** The next words name another thing that is wanted, not more of the topic. */
const another = once(
  () => new RegExp(`\\b(?:plus|${alternatives("and")})\\s+(?:also|then|${alternatives("indefinites")})\\b`),
);
const article = once(
  () => new RegExp(`(?:^|\\s)(?:${alternatives("indefinites")}|${alternatives("determiners")})\\s+$`),
);
const topicParticle = once(() => new RegExp(`^(?:${alternatives("topicParticles", "unspaced")})$`));
