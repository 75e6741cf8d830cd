/**
 * Whether a message only names values that the policy looks for: "N4 please" or "10 cards" answers an earlier question, so it follows up.
 * Pure.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledEntities } from "./compile-entities.ts";
import { extractEntities } from "./extract-entities.ts";

/** In UTF-16 units. */
const maxLength = 60;

/** Words that may be around the values; words that ask or bid would make it a message of its own. */
const around = new Set(
  `please pls thanks thank you ok okay yes yeah sure the a an some of for at in on to and or about just maybe around level i'd i
  like want prefer bitte gerne und por favor y s'il vous plaît et へ を で と は が の です で、 お願いします 请 吧 的 요 로 으로`.split(
    /\s+/,
  ),
);

export function isSlotAnswer(entities: CompiledEntities, message: string, work: WorkBudget): boolean {
  if (message.length > maxLength || entities.own.length === 0) return false;
  const everyIntent = [...entities.wantedBy.values()].flatMap((names) => [...names].map((name) => ({ name })));
  const found = extractEntities(entities, message, everyIntent, work);
  if (found.length === 0) return false;
  const rest = found.reduce((text, { at, text: named, value }) => {
    const end = at + named.length;
    return blank(text, at, typeof value === "number" ? end + counted(text.slice(end)) : end);
  }, message);
  const words = rest.toLowerCase().match(WORDS()) ?? [];
  return words.every((word) => around.has(word));
}

const WORDS = lazyRegExp(String.raw`[\p{L}\p{N}\p{M}']+`, "gu");
const COUNTED = lazyRegExp(String.raw`^\s*[\p{L}\p{M}]+`, "u");

/** A noun behind a number is what it counts: "10 cards". */
const counted = (text: string): number => COUNTED().exec(text)?.[0].length ?? 0;

const blank = (text: string, at: number, end: number): string =>
  text.slice(0, at) + " ".repeat(end - at) + text.slice(end);
