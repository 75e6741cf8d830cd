/** Where words of Chinese writing begin and end, which has no blanks between them. Pure. */
import { latePattern, once } from "../../lib/once.ts";

const han = latePattern(String.raw`\p{sc=Han}`, "u");
const segmenter = once(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** Letters on each side that are read: words are shorter. */
const AROUND = 24;

/** Whether a word may begin or end at a place: not within a word of the dictionary. Beside other writing there is no question. */
export function isWordEdge(text: string, at: number): boolean {
  const isHan = (index: number) => index >= 0 && index < text.length && han().test(text.charAt(index));
  if (!isHan(at - 1) || !isHan(at)) return true;
  let [start, end] = [at, at];
  while (at - start < AROUND && isHan(start - 1)) start -= 1;
  while (end - at < AROUND && isHan(end)) end += 1;
  for (const { index } of segmenter().segment(text.slice(start, end))) if (start + index === at) return true;
  return false;
}
