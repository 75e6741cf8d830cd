/** A text cut where sentences end, into parts that are short enough to be searched by a slow pattern. Pure. */
import { joint } from "./fold.ts";
import type { Passage } from "./patterns.ts";

/** In UTF-16 units; longer than almost any sentence. */
export const maxPassage = 500;

export function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOf(text, start);
    passages.push({ start, end, cutBefore: start > 0, cutAfter: end < text.length });
    start = text.startsWith(joint, end) ? end + 1 : end;
  }
  return passages;
}

function endOf(text: string, start: number): number {
  const seam = text.indexOf(joint, start);
  const stop = seam < 0 ? text.length : seam;
  if (stop - start <= maxPassage) return stop;
  const window = text.slice(start, start + maxPassage);
  const ends = [...window.matchAll(/[.!?](?=\s)|[\n。！？]/g)];
  const last = ends.at(-1);
  if (last) return start + last.index + 1;
  const gap = Math.max(window.lastIndexOf(" "), window.lastIndexOf("\t"));
  return start + (gap > 0 ? gap : maxPassage);
}
