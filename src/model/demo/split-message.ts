/** One message that asks for several calls, taken apart: in steps, side by side, or one tool for several values. Pure. */
import { latePattern } from "../../lib/once.ts";
import { findMentions, type Mention } from "./choose-tool.ts";
import { roleOf } from "./find-string.ts";
import { findValues } from "./find-values.ts";
import { type DemoTool, readSchema } from "./tool-schema.ts";
import { escapeRegExp, readWords } from "./words.ts";

/** One tool is called for at most so many values at once. */
const MAX_FAN_OUT = 4;

const THEN = /(?:[,;.]\s*|\s+|^)(?:and\s+)?(?:then|after that|afterwards|finally)\b[,\s]*/i;

/** "first X then Y", "X, then Y", a numbered list; one step where nothing says an order. */
export function splitSteps(message: string, tools: readonly DemoTool[]): readonly string[] {
  const listed = message.split(/^\s*\d+[.)]\s+/m).slice(1);
  const parts = listed.length > 1 ? listed : message.split(THEN);
  const steps = parts.map((part) => part.trim()).filter((part) => part !== "");
  // "then" orders calls only where words on each side ask for something.
  const asks = (step: string) => readWords(step).actions.length > 0 || findMentions(step, tools).length > 0;
  return steps.length > 1 && steps.filter(asks).length > 1 ? steps.filter(asks) : [message];
}

/** Each tool that is named, with the clause in which it is. */
export function splitParallel(text: string, mentions: readonly Mention[]): readonly { tool: DemoTool; text: string }[] {
  let from = 0;
  return mentions.map(({ tool }, index) => {
    const next = mentions[index + 1]?.at;
    const here = mentions[index]?.at ?? 0;
    const between = next === undefined ? "" : text.slice(here, next);
    const clause = Math.max(...[" and ", ", ", "; ", ". ", "\n"].map((mark) => between.lastIndexOf(mark)));
    const to = next === undefined ? text.length : clause > 0 ? here + clause : next;
    const piece = text.slice(from, to);
    from = to;
    // The name itself is no value of an argument.
    return { tool, text: piece.replace(new RegExp(`\`?${escapeRegExp(tool.name)}\`?`), " ") };
  });
}

const PLACES = latePattern(String.raw`\b(?:in|for|at)\s+(\p{Lu}\p{L}+(?:(?:,|,?\s+and)\s+\p{Lu}\p{L}+)+)`, "u");

/** The text once for each value, where a tool that only reads takes one and several are there. */
export function fanOut(text: string, tool: DemoTool): readonly string[] {
  const { properties, required } = readSchema(tool.schema);
  const does = readWords(tool.name).actions[0];
  if (required.length !== 1 || does === "write" || does === "edit" || does === "delete" || does === "run")
    return [text];
  const [name = ""] = required;
  const property = properties.get(name);
  if (property?.type !== "string") return [text];
  const values = findValues(text);
  const role = roleOf(name, property);
  const places = PLACES().exec(values.prose)?.[1];
  const found =
    role === "path"
      ? values.paths
      : role === "url"
        ? values.urls
        : role === "place"
          ? places?.split(/,\s*|,?\s+and\s+/)
          : [];
  const each = [...new Set(found)].slice(0, MAX_FAN_OUT);
  return each.length > 1 ? each.map((value) => (role === "place" ? `in ${value}` : value)) : [text];
}
