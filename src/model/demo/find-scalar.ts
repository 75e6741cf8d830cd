/** Numbers and booleans that a text gives to a property. Pure. */
import type { Taken } from "./find-string.ts";
import type { Values } from "./find-values.ts";
import type { SchemaNode } from "./tool-schema.ts";
import { escapeRegExp, splitWords } from "./words.ts";

const COUNTS = /^(limit|max|count|n|top|k|size|results|num|amount|days|lines)$/;

/** A number next to the property's name, or after "first", "top" for one that counts; any, for one that is required. */
export function findNumber(
  name: string,
  node: SchemaNode,
  { prose, numbers }: Values,
  taken: Taken,
): number | undefined {
  const words = splitWords(name);
  const near = words.map(escapeRegExp).join("|");
  const beside = new RegExp(
    `(?:${near})s?\\s*(?:of|to|is|at|=|:)?\\s*(-?\\d+(?:\\.\\d+)?)|(-?\\d+(?:\\.\\d+)?)\\s+(?:${near})s?\\b`,
    "i",
  ).exec(prose);
  const counted = words.some((word) => COUNTS.test(word))
    ? (/\b(?:top|first|last|at most|up to|next)\s+(\d+)\b/i.exec(prose) ?? /\b(\d+)\s+\p{L}+s\b/iu.exec(prose))
    : undefined;
  const own = beside?.[1] ?? beside?.[2] ?? counted?.[1];
  if (own !== undefined) return Number(own);
  // One operand after the other: `add 2 and 3`.
  const isOperand = words.length === 1 && name.length === 1;
  const loose = isOperand || /number|value|amount|price|quantity|id/i.test(`${name} ${node.description}`);
  return loose ? numbers.find((number) => !taken.has(String(number))) : undefined;
}

/** Said of a flag by its own words: "recursively", "without cache", "no overwrite". */
export function findBoolean(name: string, { prose }: Values): boolean | undefined {
  const words = splitWords(name).filter((word) => !/^(is|has|include|enable|use|should|with)$/.test(word));
  const flag = words.map(escapeRegExp).join("[\\s_-]+");
  if (flag === "") return undefined;
  const said = new RegExp(`(\\b(?:without|no|not|don't|never)\\s+)?\\b${flag}(?:ly|s|d|ed)?\\b`, "i").exec(prose);
  return said ? said[1] === undefined : undefined;
}
