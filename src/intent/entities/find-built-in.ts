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

/** They hold what is private more often than not: the record shows that they were there, not what they were. */
export const ALWAYS_REDACTED: ReadonlySet<string> = new Set<BuiltInEntity>(["email", "url", "quoted"]);

const finders: readonly (readonly [BuiltInEntity, (text: string) => Span[]])[] = [
  ["url", findUrls],
  ["email", findEmails],
  ["date", findDates],
  ["quantity", findQuantities],
];

/**
 * In the order of the text. Of two that overlap the longer counts, of equal ones the first in the order above: the date in
 * a URL is no date. A quotation is an entity, and so is what it holds.
 */
export function findBuiltIn(text: string): readonly BuiltInSpan[] {
  const candidates = finders.flatMap(([name, find]) => find(text).map((span) => ({ name, ...span })));
  const quoted = findQuoted(text).map((span) => ({ name: "quoted" as const, ...span }));
  return [...withoutOverlaps(candidates), ...quoted].sort((a, b) => a.at - b.at || b.end - a.end);
}

/** Longest first; the spans so far are looked up by the characters they cover, so that many spans take linear time. */
function withoutOverlaps(candidates: readonly BuiltInSpan[]): BuiltInSpan[] {
  const covered = new Set<number>();
  const spans: BuiltInSpan[] = [];
  for (const span of [...candidates].sort((a, b) => b.end - b.at - (a.end - a.at))) {
    // A longer span that overlaps this one covers one of its ends.
    if (covered.has(span.at) || covered.has(span.end - 1)) continue;
    for (let at = span.at; at < span.end; at++) covered.add(at);
    spans.push(span);
  }
  return spans;
}
