/**
 * Which evidence is a part of something more specific that the user says, and so does not count. Four rules, all of evidence for
 * different intents. Pure.
 *
 * 1. *Longer words*: it lies inside of other evidence that accounts for more letters. "test my knowledge" is a quiz, not an
 *    exam. Letters that a pattern's `.*` swallowed do not count for it, so a wide pattern does not win by being wide.
 * 2. *Topic*: a keyword behind "about", "for", "of" … names what the request before it is about: a quiz about history.
 * 3. *Question*: what follows "how", "what", "why" … behind other evidence is what that asks: explain how to make flashcards.
 *    Likewise words in quotation marks, where something outside of them says what to do with them.
 * 4. *Compound*: a keyword between an article and another keyword only tells which one: a practice exam.
 */
import { latePattern } from "../../lib/once.ts";
import { type Clause, clauseAt } from "./clauses.ts";
import type { Item } from "./evidence-item.ts";
import { quotesOf } from "./quotes.ts";

/** @param items in the order of their start. Those that are negated overrule nothing. */
export function markOverruled(items: readonly Item[], bare: string, clauses: readonly Clause[]): void {
  const counted = items.filter((item) => !item.discounted);
  if (counted.every((item) => item.intent === counted[0]?.intent)) return;
  markContained(counted);
  markQuoted(
    counted.filter((item) => !item.discounted),
    bare,
  );
  markMentioned(
    counted.filter((item) => !item.discounted),
    bare,
    clauses,
  );
}

/** How many neighbours are looked at: a message full of keywords must not cost the square of its length. */
const near = 40;
/** Likewise for what one word says of another: that is not said over the heads of many others. */
const nearby = 4;
/** In UTF-16 units: longer than the words that stand between a request and its topic. */
const sight = 80;

function markContained(items: readonly Item[]): void {
  items.forEach((inner, index) => {
    for (let at = Math.max(0, index - near); at < Math.min(items.length, index + near); at += 1) {
      const outer = items[at];
      if (!outer || outer.intent === inner.intent || outer.weight <= inner.weight) continue;
      if (outer.start <= inner.start && outer.end >= inner.end) {
        inner.discounted = "overruled";
        return;
      }
    }
  });
}

function markQuoted(items: readonly Item[], bare: string): void {
  const quotes = quotesOf(bare);
  const inQuotes = (item: Item) => quotes.some(({ start, end }) => item.start >= start && item.end <= end);
  const said = quotes.length > 0 ? items.find((item) => !inQuotes(item)) : undefined;
  if (!said) return;
  for (const item of items) if (item.intent !== said.intent && inQuotes(item)) item.discounted = "overruled";
}

/** In order, and by what still counts alone: so that of two words each does not take the other for its topic. */
function markMentioned(items: readonly Item[], bare: string, clauses: readonly Clause[]): void {
  items.forEach((item, index) => {
    const clause = clauseAt(clauses, item.start);
    if (isAskedAbout(items, index, bare, clause) || leadsToAnother(items, index, bare, clause)) {
      item.discounted = "overruled";
    }
  });
}

/** Earlier evidence of the clause asks about it, or has it for its topic. */
function isAskedAbout(items: readonly Item[], index: number, bare: string, clause: Clause): boolean {
  const item = items[index];
  if (!item) return false;
  for (let at = index - 1; at >= Math.max(0, index - nearby); at -= 1) {
    const head = items[at];
    if (!head || head.start < clause.start) return false;
    if (head.discounted || head.intent === item.intent) continue;
    if (head.end > item.start || item.start - head.end > sight) continue;
    const between = bare.slice(head.end, item.start);
    if (question.test(between) && !another.test(between)) return true;
    // The preposition may be the pattern's own last word: `flashcards?\s+(for|about)\s+`, `between\s+.+\s+and\s+`.
    const words = bare.slice(Math.max(head.start, head.end - 20), head.end);
    const last = words.slice(words.lastIndexOf(" ") + 1);
    const isTopic = topic().test(` ${last}${between}`) && !another.test(between);
    const isOther = last === "and" && /^\s+(?:\S+\s+)?$/.test(between);
    if ((isTopic || isOther) && isWord(items, index)) return true;
  }
  return false;
}

/** It stands before the request that it belongs to: a practice exam, 歴史のクイズ, "for the history class, …". */
function leadsToAnother(items: readonly Item[], index: number, bare: string, clause: Clause): boolean {
  const item = items[index];
  const next = items.slice(index + 1, index + nearby).find((other) => item && other.start >= item.end);
  if (!item || !next || next.intent === item.intent || !isWord(items, index)) return false;
  const between = bare.slice(item.end, Math.min(next.start, item.end + 2 * sight));
  const before = bare.slice(Math.max(clause.start, item.start - sight), item.start);
  if (next.end > clause.end) return isPreamble(before, between);
  // A phrase is no part of a compound: "the flashcards for" is not which exam.
  const isNoun = item.layer === "keywords" || !/\s/.test(bare.slice(item.start, item.end));
  return isTopicBefore(between) || (isNoun && isCompound(before, between));
}

/** Nothing but the word speaks for the intent there: no pattern, which would be a phrase that asks for it. */
function isWord(items: readonly Item[], index: number): boolean {
  const item = items[index];
  if (!item) return false;
  return !items
    .slice(Math.max(0, index - nearby), index + nearby)
    .some(
      ({ intent, start, end }) =>
        intent === item.intent && start <= item.start && end >= item.end && end - start > item.end - item.start,
    );
}

const question =
  /^[\s"'「『“]*(?:\S+\s+){0,2}?(?:how|what|why|when|where|whether|which|wie|was|warum|wann|comment|pourquoi|como|que es)\b/;
const topic = latePattern(
  String.raw`(?:^|\s)(?:about|on|of|for|regarding|concerning|covering|before|after|during|to(?=\s+(?:the|an?|my|our|your|his|her|their)\s)|uber|zu|zum|zur|fur|sur|de|du|des|pour|sobre|para|acerca)\s+(?:[\p{L}\p{N}'-]+\s+){0,4}$`,
  "u",
);
/** What follows is another thing that is asked for, not more of the topic. */
const another = /\b(?:and|or|plus|und|et|y)\s+(?:a|an|some|another|also|then|eine?n?|une?|una?)\b/;

/** Where the topic stands first: 歴史のクイズ, 역사에 대한 퀴즈, 历史的测验. */
const isTopicBefore = (between: string) =>
  /^(?:の|について(?:の)?|に関する|に関しての?|에 ?대한 ?|에 ?관한 ?|의 ?|的)$/.test(between);
const preamble = latePattern(
  String.raw`^\s*(?:for|about|on|before|after|during|regarding|as for|in|fur|pour|para|sobre)\s+(?:[\p{L}\p{N}'-]+\s+){0,4}$`,
  "u",
);
/** "For the history class, create an exam": the request comes behind the comma. */
const isPreamble = (before: string, between: string) =>
  preamble().test(before) && /^[^.!?\n]{0,40},[^.!?\n]{0,80}$/.test(between);
const isCompound = (before: string, between: string) =>
  /^\s+$/.test(between) &&
  /(?:^|\s)(?:an?|the|my|your|our|his|her|their|this|that|some|another|new|next|last|\d+|eine?n?|une?|una?)\s+$/.test(
    before,
  );
