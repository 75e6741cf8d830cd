/** The piece of a text that a string property asks for, told by the property's name, description and format. Pure. */

import { latePattern } from "../../lib/once.ts";
import { findReplacement, sideOf } from "./find-replacement.ts";
import type { Values } from "./find-values.ts";
import type { SchemaNode } from "./tool-schema.ts";
import { splitWords } from "./words.ts";

/** Values already given to a property: none is given twice. */
export type Taken = Set<string>;

export type Role =
  | "count"
  | "url"
  | "email"
  | "path"
  | "date"
  | "command"
  | "query"
  | "content"
  | "title"
  | "place"
  | "id"
  | "other";

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ["count", /^(limit|max|count|n|top|size|results|num|amount)$/],
  ["url", /^(url|uri|link|href|website|endpoint)$/],
  ["email", /^(email|mail|recipient|recipients|cc|bcc)$/],
  ["path", /^(path|file|filename|filepath|dir|directory|folder|cwd|source|destination|src|dest)$/],
  ["date", /^(date|day|due|deadline|since|until|datetime)$/],
  ["command", /^(command|cmd|script|code)$/],
  ["query", /^(query|q|search|pattern|term|terms|keyword|keywords|regex|question|topic)$/],
  ["title", /^(title|name|subject|label|heading|summary)$/],
  ["place", /^(city|location|place|town|country|destination)$/],
  ["id", /^(id|uuid|key|number|issue|ticket)$/],
  ["content", /^(content|contents|text|body|message|note|prompt|description|comment|value|input|task|todo)$/],
];

const FORMATS: Readonly<Record<string, Role>> = { uri: "url", url: "url", email: "email", date: "date", uuid: "id" };

export function roleOf(name: string, { format, description }: SchemaNode): Role {
  const own = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (own) return own;
  if (format === "date-time") return "date";
  if (/^to$/i.test(name) && /mail|recipient|address/i.test(`${format} ${description}`)) return "email";
  const words = splitWords(name).reverse();
  // A compound's last word says what it is: `file_path`, `note_id`, `sourceUrl`.
  for (const word of words) {
    const role = ROLES.find(([, pattern]) => pattern.test(word));
    if (role) return role[0];
  }
  return "other";
}

const PLACE = latePattern(String.raw`\b(?:in|for|at|from|to|near)\s+(\p{Lu}[\p{L}-]*(?:\s\p{Lu}[\p{L}-]*)*)`, "gu");

/** What the text says for it, surely; `undefined` where only a guess is left. */
export function findString(name: string, node: SchemaNode, values: Values, taken: Taken): string | undefined {
  const side = sideOf(name);
  const replaced = side && findReplacement(values.text)?.[side];
  if (replaced !== undefined) return replaced;
  const role = roleOf(name, node);
  const quotes = [...values.quoted, ...values.code];
  const place = [...values.prose.matchAll(PLACE())];
  const candidates: Record<Role, readonly (string | undefined)[]> = {
    url: values.urls,
    email: values.emails,
    path: values.paths,
    date: values.dates,
    command: [...values.code, ...values.quoted, after(values.text, "run|execute|exec|command:")],
    query: [...quotes, after(values.prose, "for|about|named|called|matching|containing|mention(?:s|ing)?|where is")],
    content: [
      after(values.text, "that says|saying|says|with (?:the )?(?:content|contents|text|body)|reading|content:|text:"),
    ],
    title: [after(values.text, "called|named|titled|entitled|title|subject", CLAUSE)],
    place: place.map((match) => match[1]),
    id: [...values.ids, ...values.numbers.map(String)],
    count: [],
    other: [],
  };
  const free = candidates[role].find((value) => value !== undefined && value !== "" && !taken.has(value));
  if (free !== undefined) return free;
  const quoted = values.quoted.find((value) => !taken.has(value));
  // A quoted string is meant for something; for these kinds it would have been recognised.
  return role === "content" || role === "title" || role === "other" || role === "place" ? quoted : undefined;
}

/** What is left of the text for a property that must have something. */
export function guessString(name: string, node: SchemaNode, values: Values): string {
  const topic = after(values.text, "about|on|regarding|concerning", CLAUSE);
  const bare = afterColon(values.text) ?? withoutRequest(values.text);
  switch (roleOf(name, node)) {
    case "url":
      return "https://example.com/";
    case "email":
      return "demo@example.com";
    case "date":
      return node.format === "date-time" ? "2030-01-01T00:00:00Z" : "2030-01-01";
    case "path":
      if (/file/i.test(name)) return "demo.txt";
      if (!/dir|folder|list|glob|search|cwd|find/i.test(`${name} ${values.tool ?? ""}`)) return "demo.txt";
      return (
        /\b(?:in|under|inside|of)\s+(?:the\s+)?(?!the\b|this\b|file|director|folder)([\w.-]*\w)/i.exec(
          values.prose,
        )?.[1] ?? "."
      );
    case "id":
      return node.format === "uuid" ? "00000000-0000-4000-8000-000000000000" : "1";
    case "title":
      return (topic ?? after(values.text, CONTENT) ?? bare).split(/\s+/).slice(0, 8).join(" ");
    case "content":
      return after(values.text, CONTENT) ?? topic ?? bare;
    default:
      return topic ?? bare;
  }
}

const CONTENT = "that says|saying|that|to say|to";
const CLAUSE = /\s+(?:that says|saying|says|with|and|in|to|about)\s|[,;:]\s|[.!?](?:\s|$)|\n/;

/** What stands after one of these words, up to the end of the sentence or to `stop`; quotes around it are off. */
export function after(text: string, words: string, stop: RegExp = /[.!?](?:\s|$)|\n/): string | undefined {
  const match = new RegExp(`(?<![\\w])(?:${words})(?![\\w]):?\\s+`, "i").exec(text);
  if (!match) return undefined;
  const rest = text.slice(match.index + match[0].length);
  const quoted = /^["“'`]([^"”'`\n]+)["”'`]/.exec(rest);
  const end = rest.search(stop);
  const piece = quoted?.[1] ?? (end < 0 ? rest : rest.slice(0, end));
  // Where a value was taken out of the prose, the word before it is left over.
  const clean = piece.trim().replace(/\s+(?:in|at|from|to|of|on|with|under)$/, "");
  return clean === "" ? undefined : clean;
}

const afterColon = (text: string) => /:\s+(\S[\s\S]*)$/.exec(text)?.[1]?.trim();

/** The text without what only asks: politeness, the verb, the article. */
function withoutRequest(text: string): string {
  const bare = text
    .trim()
    .replace(/^(?:(?:hi|hello|hey|please|now|then|first|finally)\b[\s,!]*)+/i, "")
    .replace(/^(?:can|could|would|will) you\s+(?:please\s+)?/i, "")
    .replace(/^(?:i (?:want|need)(?: you)? to|i'd like(?: you)? to)\s+/i, "")
    .replace(/^[a-z]+\s+(?:(?:me|us|for|the|a|an|my|all|up)\s+)*/i, "")
    .replace(/[\s.!?]+$/, "");
  return bare === "" ? text.trim() : bare;
}
