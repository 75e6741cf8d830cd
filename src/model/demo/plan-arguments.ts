/** Arguments of a planned call: what a clause says, and a placeholder for what is required and not said. Pure. */
import { latePattern } from "../../lib/once.ts";
import { findValue } from "./fill-arguments.ts";
import { recipientIn, type WantedPerson } from "./find-recipient.ts";
import { after, roleOf } from "./find-string.ts";
import { findValues, type Values } from "./find-values.ts";
import { type DemoTool, readSchema, type SchemaNode } from "./tool-schema.ts";
import { splitWords } from "./words.ts";

type Fields = Record<string, unknown>;

/** @param find a reference to somebody's address; undefined where nothing finds it out. */
export function planArguments(
  tool: DemoTool,
  clause: string,
  find: (person: WantedPerson) => string | undefined,
): Fields {
  const values = { ...findValues(clause), tool: tool.name };
  return fill(readSchema(tool.schema), { clause, values, taken: new Set(), find });
}

interface Filling {
  readonly clause: string;
  readonly values: Values;
  readonly taken: Set<string>;
  readonly find: (person: WantedPerson) => string | undefined;
}

function fill(node: SchemaNode, filling: Filling): Fields {
  const names = [...node.properties.keys()];
  const found = new Map<string, unknown>();
  // What must be there takes its pick first.
  for (const name of [...node.required, ...names]) {
    const property = node.properties.get(name);
    if (!property || found.has(name)) continue;
    const value = valueOfProperty(name, property, node.required.includes(name), names, filling);
    if (value !== undefined) found.set(name, value);
  }
  return Object.fromEntries(names.filter((name) => found.has(name)).map((name) => [name, found.get(name)]));
}

function valueOfProperty(
  name: string,
  node: SchemaNode,
  required: boolean,
  names: readonly string[],
  filling: Filling,
): unknown {
  if (node.type === "object") {
    const fields = fill(node, filling);
    return required || Object.keys(fields).length > 0 ? fields : undefined;
  }
  const said = saidOf(name, node, filling) ?? findValue(name, node, filling.values, filling.taken, names);
  if (said !== undefined) return said;
  if (!required) return undefined;
  if (node.default !== undefined) return node.default;
  // Of several, only the user can tell which.
  if (node.enum.length === 1) return node.enum[0];
  const placeholder = `{{PLACEHOLDER_${placeholderName(name)}}}`;
  return node.type === "array" ? [placeholder] : placeholder;
}

const placeholderName = (name: string): string =>
  splitWords(name)
    .join("_")
    .replace(/[^a-z0-9_]/g, "")
    .slice(0, 64) || "value";

const AUTHOR = latePattern(String.raw`\b(?:from|by)\s+(\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*)`, "u");

/** What names of properties mean in a wish, beyond what a call of one tool needs. */
function saidOf(name: string, node: SchemaNode, { clause, values, find }: Filling): unknown {
  if (node.type !== "string") return undefined;
  const words = splitWords(name);
  if (words.some((word) => /^(to|recipient|recipients)$/.test(word)) || roleOf(name, node) === "email") {
    if (values.emails.length > 0) return undefined;
    const person = recipientIn(clause);
    return person && find(person);
  }
  if (words.some((word) => /^(sender|from|author)$/.test(word))) return AUTHOR().exec(clause)?.[1];
  if (words.some((word) => /^(start|time|when|begin|begins|starts)$/.test(word))) return timeIn(clause);
  if (words.some((word) => /^(date|day|since)$/.test(word))) return dayIn(clause);
  return words.some((word) => /^(title|subject|summary)$/.test(word)) ? titleIn(clause) : undefined;
}

const DAY =
  "today|tonight|tomorrow|yesterday|(?:this|next|on)\\s+(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month)";
const CLOCK = "at\\s+\\d{1,2}(?::\\d{2})?\\s*(?:am|pm|o'clock)?|\\d{1,2}(?::\\d{2})?\\s*(?:am|pm)";

const dayIn = (clause: string): string | undefined => new RegExp(`\\b(?:${DAY})\\b`, "i").exec(clause)?.[0];

function timeIn(clause: string): string | undefined {
  const when = new RegExp(`\\b(?:${DAY})(?:\\s+(?:${CLOCK}))?(?!\\w)|\\b(?:${CLOCK})(?!\\w)`, "i").exec(clause);
  return when?.[0];
}

/** "a meeting with Sarah tomorrow at 3pm" is about a meeting with Sarah. */
function titleIn(clause: string): string | undefined {
  const named = after(clause, "called|named|titled|entitled|subject", /[,;:.!?](?:\s|$)|\n/);
  const about = after(clause, "about|regarding|concerning", /[,;:.!?](?:\s|$)|\n/);
  const event = /\b((?:meeting|appointment|call|lunch|dinner)\s+(?:with|about)\s+.+|follow-?up\b.*)$/i.exec(
    clause,
  )?.[1];
  const thing = /^\s*(?:send|e-?mail|forward|mail)\s+\p{Lu}\S*\s+(?:the|a|an|my|our)\s+(.+)$/iu.exec(clause)?.[1];
  const title = named ?? (event === undefined ? (about ?? thing) : event);
  const when = title === undefined ? undefined : timeIn(title);
  const bare = title
    ?.replace(when ?? "", "")
    .replace(/[\s.!?]+$/, "")
    .replace(/^the\s+/i, "")
    .trim();
  return bare ? bare.charAt(0).toUpperCase() + bare.slice(1) : undefined;
}
