/** The entities that every policy has. Pure. */
import type { BuiltInEntity } from "../../policy/document/entity-parts.ts";
import { findEmails, findUrls } from "./find-addresses.ts";
import { findDates } from "./find-dates.ts";
import { findQuantities } from "./find-quantities.ts";
import { findQuoted } from "./find-quoted.ts";
import type { Span } from "./spans.ts";

export interface BuiltInSpan extends Span {
  readonly name: BuiltInEntity;
}

/** They hold what is private more often than not: the record tells that they were there, not what they were. */
export const ALWAYS_REDACTED: ReadonlySet<string> = new Set<BuiltInEntity>(["email", "url", "quoted"]);

const finders: readonly (readonly [BuiltInEntity, (text: string) => Span[]])[] = [
  ["url", findUrls],
  ["email", findEmails],
  ["date", findDates],
  ["quantity", findQuantities],
];

/**
 * In the order of the text. Of two that overlap the longer counts, of equal ones the first in the order above: the date in
 * a URL is no date. What is quoted is told as such and for what it holds.
 */
export function findBuiltIn(text: string): readonly BuiltInSpan[] {
  const candidates = finders.flatMap(([name, find]) => find(text).map((span) => ({ name, ...span })));
  const quoted = findQuoted(text).map((span) => ({ name: "quoted" as const, ...span }));
  return [...apart(candidates), ...quoted].sort((a, b) => a.at - b.at || b.end - a.end);
}

/** Longest first; those kept so far are looked up by the places they cover, so that many spans take linear time. */
function apart(candidates: readonly BuiltInSpan[]): BuiltInSpan[] {
  const taken = new Set<number>();
  const kept: BuiltInSpan[] = [];
  for (const span of [...candidates].sort((a, b) => b.end - b.at - (a.end - a.at))) {
    const clashes = kept.length > 0 && covers(taken, span);
    if (clashes) continue;
    for (let place = span.at; place < span.end; place++) taken.add(place);
    kept.push(span);
  }
  return kept;
}

/** A kept span is at least as long as this one, so it covers one of its ends if it overlaps at all. */
const covers = (taken: ReadonlySet<number>, { at, end }: Span): boolean => taken.has(at) || taken.has(end - 1);
