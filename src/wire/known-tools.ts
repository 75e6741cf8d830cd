/**
 * Lists of tools that were read before. A client sends its tools with every request, they are most of a body, and nearly always
 * they are the same: their text is looked for, and what it came to before is taken, which is the same objects.
 *
 * It is no second reading of JSON: a stand-in is put in the list's place, and what is left is parsed. Only where the parser then
 * finds the stand-in, which nobody outside can know, as the body's `tools`, was the text the value of that member.
 */
import { boundedCache } from "../lib/bounded-cache.ts";
import { once } from "../lib/once.ts";
import { isObject } from "./read-chunk.ts";

interface KnownList {
  readonly text: string;
  readonly tools: readonly unknown[];
}

/** A list is filed under its beginning, and a shorter one is not; clients send parts of their tools, so some begin alike. */
const BEGINNING = 256;
const MAX_ALIKE = 8;

const lists = boundedCache<readonly KnownList[]>({ maxEntries: 256, maxWeight: 4_000_000 });
const standIn = once(() => crypto.randomUUID());

/** As most clients write it, and as Python's `json.dumps` does; a list that is written otherwise is not looked for. */
const MEMBERS = ['"tools":[', '"tools": ['];

/** As `JSON.parse`, which it is but for the time. The tools of two results may be the same objects: nobody may change them. */
export function parseKnowingTools(text: string): unknown {
  const start = findList(text);
  if (start === undefined) return JSON.parse(text);
  const beginning = text.slice(start, start + BEGINNING);
  const alike = lists.get(beginning) ?? [];
  const known = alike.find((list) => text.startsWith(list.text, start));
  const value = known && parseAround(text, start, known);
  if (value !== undefined) return value;
  const parsed: unknown = JSON.parse(text);
  if (!known) learn(parsed, text, start, alike);
  return parsed;
}

/** Where the array of a member `tools` begins, the first in the text; whose member it is, is not known. */
function findList(text: string): number | undefined {
  for (const member of MEMBERS) {
    const at = text.indexOf(member);
    if (at !== -1) return at + member.length - 1;
  }
  return undefined;
}

/** Undefined where the list is not what the body has as its `tools`, or the rest is no JSON. */
function parseAround(text: string, start: number, { text: list, tools }: KnownList): unknown {
  try {
    const mark = standIn();
    const value: unknown = JSON.parse(`${text.slice(0, start)}"${mark}"${text.slice(start + list.length)}`);
    if (!isObject(value) || value.tools !== mark) return undefined;
    value.tools = tools;
    return value;
  } catch {
    return undefined;
  }
}

function learn(parsed: unknown, text: string, start: number, alike: readonly KnownList[]): void {
  if (!isObject(parsed) || !Array.isArray(parsed.tools)) return;
  // A slice would hold the whole body in memory.
  const list = new TextDecoder().decode(new TextEncoder().encode(text.slice(start, endOfArray(text, start))));
  if (list.length < BEGINNING) return;
  try {
    if (JSON.stringify(JSON.parse(list)) !== JSON.stringify(parsed.tools)) return;
  } catch {
    return;
  }
  const kept = [{ text: list, tools: parsed.tools }, ...alike].slice(0, MAX_ALIKE);
  const weight = kept.reduce((sum, { text: { length } }) => sum + length, 0);
  lists.set(list.slice(0, BEGINNING), kept, weight);
}

/** Behind the bracket that closes the array which begins at `start`; what is none ends anywhere. */
function endOfArray(text: string, start: number): number {
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/gs;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (token[0] === "[" || token[0] === "{") depth += 1;
    else if (token[0] === "]" || token[0] === "}") depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return text.length;
}
