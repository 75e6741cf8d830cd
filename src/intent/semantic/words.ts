/** A message's words, in one spelling. Pure. The asset's words went through it too: a change needs the asset built anew. */
import { once } from "../../lib/once.ts";

/** Longer texts are cut: users say what they want in the first words, and time is bounded. */
const maxWords = 256;
const maxUnits = 4096;

/** Scripts that put no spaces between words, and Hangul, whose endings stick to the word: read by pieces, not as wholes. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc";
const spaced = `[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]`;
const wordPattern = once(() => new RegExp(`[${unspaced}]+|${spaced}+(?:'${spaced}+)?`, "gv"));
const unspacedStart = once(() => new RegExp(`^[${unspaced}]`, "u"));

const endings: Readonly<Record<string, string>> = { s: "is", re: "are", m: "am", ll: "will", ve: "have", d: "would" };
const whole: ReadonlyMap<string, readonly string[]> = new Map([
  ["can't", ["can", "not"]],
  ["won't", ["will", "not"]],
  ["shan't", ["shall", "not"]],
  ["cannot", ["can", "not"]],
  ["cant", ["can", "not"]],
  ["wont", ["will", "not"]],
  ["dont", ["do", "not"]],
  ["doesnt", ["does", "not"]],
  ["didnt", ["did", "not"]],
  ["isnt", ["is", "not"]],
  ["wasnt", ["was", "not"]],
  ["havent", ["have", "not"]],
  ["hasnt", ["has", "not"]],
  ["im", ["i", "am"]],
  ["ive", ["i", "have"]],
  ["id", ["i", "would"]],
  ["whats", ["what", "is"]],
  ["thats", ["that", "is"]],
  ["hows", ["how", "is"]],
  ["wheres", ["where", "is"]],
  ["whos", ["who", "is"]],
  ["lets", ["let", "us"]],
  ["let's", ["let", "us"]],
  ["gonna", ["going", "to"]],
  ["wanna", ["want", "to"]],
]);

/** Lower case, contractions written out, at most 256. */
export function wordsOf(text: string): string[] {
  const cut = text.length > maxUnits ? text.slice(0, maxUnits) : text;
  const plain = cut.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  const words: string[] = [];
  for (const found of plain.match(wordPattern()) ?? []) {
    if (words.length >= maxWords) break;
    pushWord(words, found);
  }
  return words;
}

function pushWord(words: string[], found: string): void {
  const parts = whole.get(found);
  if (parts) {
    words.push(...parts);
    return;
  }
  const at = found.indexOf("'");
  if (at < 0) {
    words.push(found);
    return;
  }
  const [stem, ending] = [found.slice(0, at), found.slice(at + 1)];
  if (ending === "t" && stem.endsWith("n")) words.push(stem.slice(0, -1), "not");
  else words.push(stem, endings[ending] ?? ending);
}

export const isUnspaced = (word: string): boolean => word.charCodeAt(0) >= 0x0e00 && unspacedStart().test(word);

/** Whether it is written without its apostrophe: `dont`. */
export const isContraction = (word: string): boolean => whole.has(word);
