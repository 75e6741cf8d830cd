/** What a text says to put in the place of what: `replace a by b in a.txt`. Pure. */
import { findValues } from "./find-values.ts";
import { type DemoTool, readSchema, type SchemaNode } from "./tool-schema.ts";
import { splitWords } from "./words.ts";

export interface Replacement {
  readonly old: string;
  readonly new: string;
}

const PIECE = String.raw`"([^"\n]+)"|'([^'\n]+)'|\x60([^\x60\n]+)\x60|([^"\x60\n]{1,200}?)`;
const REPLACEMENT = new RegExp(
  String.raw`\b(?:replace|change|rename|swap)\s+(?:${PIECE})\s+(?:by|with|to|into|for)\s+(?:${PIECE})(?=\s+(?:in|inside|within)\b|[.!?]?\s*$|[;,\n])`,
  "im",
);

export function findReplacement(text: string): Replacement | undefined {
  const groups = REPLACEMENT.exec(text)?.slice(1) ?? [];
  const [was, is] = [groups.slice(0, 4), groups.slice(4)].map((some) => some.find((group) => group !== undefined));
  return was === undefined || is === undefined ? undefined : { old: was, new: is };
}

/** The side of a replacement that a property is for, by its name: `old_string`, `newText`, `replacement`. */
export function sideOf(name: string): keyof Replacement | undefined {
  const [first = ""] = splitWords(name);
  if (/^(old|find|before|original)$/.test(first)) return "old";
  return /^(new|replace|replacement|after)$/.test(first) ? "new" : undefined;
}

/** Whether a tool must be told what to replace and the text does not say it: who does not know yet must look first. */
export function lacksReplacement({ schema }: DemoTool, text: string): boolean {
  if (!needsOld(readSchema(schema)) || findReplacement(text)) return false;
  const { json, quoted, code } = findValues(text);
  return json === undefined && quoted.length + code.length < 2 && !/\bold\w*\s*[=:]/i.test(text);
}

const needsOld = ({ required, properties }: SchemaNode): boolean =>
  required.some((name) => {
    const items = properties.get(name)?.items;
    return sideOf(name) === "old" || (items !== undefined && needsOld(items));
  });
