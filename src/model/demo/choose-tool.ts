/** Which of the offered tools fits a text: named outright, or by the words they share. Pure. */

import { type Role, roleOf } from "./find-string.ts";
import { findValues, type Values } from "./find-values.ts";
import { type DemoTool, readSchema } from "./tool-schema.ts";
import { type Action, escapeRegExp, readWords, type Words } from "./words.ts";

/** What a tool must score to be called: a noun of its name, or its action and more. */
const FIT = 4;

/** Actions near enough to stand in for each other; any other mismatch tells against a tool. */
const NEAR: readonly (readonly Action[])[] = [
  ["read", "list", "search", "fetch"],
  ["write", "edit"],
];

const CHANGES: ReadonlySet<Action> = new Set(["write", "edit", "delete", "run", "send"]);

export interface Mention {
  readonly tool: DemoTool;
  /** Where the name stands in the text. */
  readonly at: number;
}

/** The tools that a text names, in the order in which it does. A plain word counts only as `use read` or in backticks. */
export function findMentions(text: string, tools: readonly DemoTool[]): readonly Mention[] {
  const mentions = tools.flatMap((tool) => {
    const name = escapeRegExp(tool.name);
    const plain = /^\p{L}+$/u.test(tool.name) && !/[a-z][A-Z]/.test(tool.name);
    const asName = `\`${name}\``;
    const anywhere = plain
      ? `\\b(?:use|using|call|invoke|with)\\s+(?:the\\s+)?${name}\\b|\\b${name}\\s+tool\\b`
      : `(?<![\\w-])${name}(?![\\w-])`;
    const at = text.search(new RegExp(`${asName}|${anywhere}`, plain ? "i" : ""));
    return at < 0 ? [] : [{ tool, at }];
  });
  return mentions.sort((a, b) => a.at - b.at);
}

/** Whether a text asks for a tool by a name that none of these has. */
export function namesAbsentTool(text: string, tools: readonly DemoTool[]): boolean {
  const named = text.matchAll(/\b(?:use|using|call|invoke)\s+(?:the\s+)?`?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`?/gi);
  return [...named].some(([, name]) => !tools.some((tool) => tool.name === name));
}

/** The tool that fits best, or none that fits. The first of equals. */
export function chooseTool(text: string, tools: readonly DemoTool[], least = FIT): DemoTool | undefined {
  const values = findValues(text);
  // "add a todo: write the docs" asks for a todo: what stands after a request's colon is its content.
  const request = readWords(values.prose.split(/:\s/, 1)[0] ?? "");
  const wanted = request.actions.length > 0 ? request : readWords(values.prose);
  let best: { tool: DemoTool; score: number } | undefined;
  for (const tool of tools) {
    const score = rate(tool, values, wanted);
    if (score >= least && score > (best?.score ?? Number.NEGATIVE_INFINITY)) best = { tool, score };
  }
  return best?.tool;
}

/** The tool that reads a file which the text names. */
export function findReader(text: string, tools: readonly DemoTool[]): DemoTool | undefined {
  if (findValues(text).paths.length === 0) return undefined;
  const readers = tools.filter(({ name, schema }) => {
    const takesPath = [...readSchema(schema).properties].some(([property, node]) => roleOf(property, node) === "path");
    return takesPath && readWords(name).actions[0] === "read";
  });
  return chooseTool(text.replace(/\p{L}+/u, "read"), readers, Number.NEGATIVE_INFINITY);
}

function rate({ name, description = "", schema }: DemoTool, values: Values, wanted: Words): number {
  const own = readWords(name);
  const told = readWords(description);
  const shared = (words: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...words].filter((w) => others.has(w)).length;
  // What a tool's name leaves open, its description's first verb says.
  const does = own.actions.length > 0 ? own.actions : told.actions.slice(0, 1);
  const roles = [...readSchema(schema).properties].map(([property, node]) => roleOf(property, node));
  const takes = (role: Role, given: readonly string[]) =>
    Math.min(roles.filter((r) => r === role).length, given.length);
  return (
    5 * shared(wanted.nouns, own.nouns) +
    Math.min(3, shared(wanted.nouns, told.nouns)) +
    agreement(wanted.actions, does, own.actions.length > 0 ? 3 : 2) +
    2 * shared(wanted.verbs, own.verbs) +
    shared(wanted.verbs, told.verbs) / 2 +
    5 * takes("url", values.urls) +
    2 * takes("path", values.paths) +
    2 * takes("command", values.code) +
    takes("query", values.quoted) +
    3 * takes("email", values.emails) +
    (values.numbers.length > 0 && roles.includes("count") ? 1.5 : 0)
  );
}

function agreement(wanted: readonly Action[], does: readonly Action[], sure: number): number {
  if (wanted.length === 0 || does.length === 0) return 0;
  // Whoever asks for a change is not served by a look.
  if (CHANGES.has(wanted[0] as Action) && !CHANGES.has(does[0] as Action)) return -20;
  const at = wanted.findIndex((action) => does.includes(action));
  // The first verb of a message is what it asks for; the others mostly tell about it.
  if (at >= 0) return at === 0 ? sure : sure / 2;
  const near = NEAR.some((group) => group.some((a) => wanted.includes(a)) && group.some((a) => does.includes(a)));
  return near ? -0.5 : -5;
}
