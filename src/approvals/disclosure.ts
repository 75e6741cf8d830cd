/**
 * What a person is shown before a tool is used: what will happen, with which arguments, where data goes, and whether it
 * can be undone. Pure. Source: reference/human-centered-tool-calling.md.
 *
 * Only the policy's words are used, never the client's description of its tool: whoever wrote the tool would otherwise
 * write the question too. Arguments come from the model, so each stays on one line and cannot imitate the frame.
 */
import type { Category } from "../policy/selectors.ts";

export interface Disclosed {
  readonly tool: string;
  readonly category: Category;
  /** The policy's own. */
  readonly description?: string;
  readonly destination?: string;
  readonly sensitive: boolean;
  readonly reversible: boolean;
  readonly undo?: { readonly tool: string };
  readonly arguments: Readonly<Record<string, unknown>>;
}

const maxShown = 20;
const maxValue = 300;

/** The text for a call that a person must confirm; several lines, without the question itself. */
export function disclose(call: Disclosed): string {
  return [headline(call), ...consequences(call), ...undoing(call), ...argumentLines(call.arguments)].join("\n");
}

/** The same for a tool whose first use needs consent. */
export function discloseFirstUse(call: Disclosed): string {
  return [
    `This is the first use of \`${oneLine(call.tool)}\`.`,
    headline(call),
    ...consequences(call),
    ...undoing(call),
    ...argumentLines(call.arguments),
  ].join("\n");
}

const does: Readonly<Record<Category, string>> = {
  read_only: "It looks something up.",
  note_taking: "It creates something new and changes nothing that exists.",
  modification: "It changes or removes existing work, or runs something.",
  external: "It uses an external service.",
};

function headline({ tool, category, description }: Disclosed): string {
  const what = description ? sentence(oneLine(description)) : does[category];
  return `The assistant wants to use \`${oneLine(tool)}\`. ${what}`;
}

function consequences({ category, destination, sensitive }: Disclosed): string[] {
  const lines: string[] = [];
  if (destination) lines.push(`The data below will be sent to ${oneLine(destination)}.`);
  else if (category === "external") lines.push("The data below will leave this system.");
  if (sensitive) lines.push("It is marked as sensitive.");
  return lines;
}

function undoing({ category, reversible, undo }: Disclosed): string[] {
  if (reversible && undo) return [`It can be undone with \`${oneLine(undo.tool)}\`.`];
  if (reversible) return ["It can be undone."];
  if (category === "read_only") return [];
  return [category === "external" ? "What is sent cannot be taken back." : "It may not be possible to undo this."];
}

function argumentLines(args: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return [];
  const lines = entries.slice(0, maxShown).map(([name, value]) => `  ${oneLine(name)}: ${shown(value)}`);
  const more = entries.length - lines.length;
  return ["With:", ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** JSON, so that a line break or a closing frame in a value shows as text. */
function shown(value: unknown): string {
  const text = oneLine(JSON.stringify(value) ?? "nothing", maxValue + 1);
  return text.length > maxValue
    ? `${text.slice(0, maxValue)}… (${JSON.stringify(value)?.length ?? 0} characters)`
    : text;
}

/** Line breaks, other control characters and those that turn the direction of writing are shown as a space. */
function oneLine(text: string, max = 200): string {
  return text
    .slice(0, max)
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim();
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
