/** Filters the links in text events. An event is rewritten only if text is held back or changed. */

import type { JsonObject } from "../../lib/json/json-value.ts";
import type { Envelope } from "../../wire/envelope.ts";
import type { HeldWords, WordFilters } from "../../wire/links/word-filters.ts";
import { type ChunkReading, wordsIn } from "../../wire/read-chunk.ts";
import type { WordTemplate } from "../../wire/word-template.ts";
import { dataEvent, eventJson } from "../../wire/write-event.ts";

/** Escapes a text as inside a JSON string. */
export const inJson = (text: string): string => eventJson(text).slice(1, -1);

/** The text of an event that may go out. @param text escaped as inside a JSON string, like the result. */
export function filterText(links: WordFilters, { choice, member }: WordTemplate, text: string): string {
  const plain = text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
  const kept = links.push(choice, member, plain);
  return kept === plain ? text : inJson(kept);
}

type ReadEvent = Extract<ChunkReading, { kind: "chunk" }>;

export function guardWords(
  read: ReadEvent,
  links: WordFilters | undefined,
): Pick<ReadEvent, "words" | "text" | "reasoning"> {
  if (!links || read.words === undefined) return read;
  const before = read.words === "same" ? read.chunk : read.words;
  const words = links.filterChunk(before);
  return words === before ? read : { words, ...wordsIn(words) };
}

/** An event for text that was held back to the end. */
export function heldEvent({ choice, delta }: HeldWords, { head }: Envelope): string {
  const choices: readonly JsonObject[] = [{ index: choice, delta, finish_reason: null }];
  return dataEvent({ ...head, choices });
}
