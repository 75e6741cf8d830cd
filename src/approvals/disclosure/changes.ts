/** What a call changes, line by line, where its own arguments hold before and after. Pure. */

import { isObject, pointerKeys, valueAt } from "../../lib/json/json-value.ts";
import { redacted } from "../../lib/redact.ts";
import { type ComparedLine, compareLines } from "../../lib/text/line-differences.ts";
import { beginningOf, shownBlock } from "../../lib/text/visible-text.ts";
import { prettyJson } from "../../lib/text/whole-value.ts";
import type { Category } from "../../policy/selectors.ts";
import type { ChangedLine, Disclosure } from "./disclosed.ts";

type Preview = NonNullable<Disclosure["preview"]>;

type Arguments = Readonly<Record<string, unknown>>;

/** Names of arguments by which many tools replace a text, also in each member of `edits`. */
const pairs: readonly (readonly [before: string, after: string])[] = [
  ["old_string", "new_string"],
  ["old_text", "new_text"],
  ["old_str", "new_str"],
  ["oldText", "newText"],
  ["oldString", "newString"],
  ["before", "after"],
  ["old", "new"],
];
const lists = ["edits", "changes", "replacements"];
const patches = ["diff", "patch", "patchText", "input"];

const MAX_READ = 200_000;
const MAX_COMPARED = 4_000;
const MAX_LINES = 200;
const MAX_LINE = 300;
/** Lines around a difference that are shown with it. */
const CONTEXT = 3;

/** @param more the words for so many more lines. */
export function changesOf(
  { preview, category }: { readonly preview?: Preview | null | undefined; readonly category: Category },
  args: Arguments,
  more: (count: number) => string,
): ChangedLine[] {
  const lines = preview ? byPointers(preview, args) : category === "modification" ? byNames(args) : [];
  const shown = nearDifferences(lines).map(({ kind, text }) => ({ kind, text: shownOf(text) }));
  if (shown.length <= MAX_LINES) return shown;
  return [...shown.slice(0, MAX_LINES), { kind: "same", text: more(shown.length - MAX_LINES) }];
}

interface Line extends ComparedLine {
  /** It stands for itself: the name of a file, or that the rest is left out. */
  readonly isShown?: true;
}

function byPointers({ before, after }: Preview, args: Arguments): Line[] {
  const now = textAt(args, after);
  const was = before === undefined ? undefined : textAt(args, before);
  if (now === undefined || was === redacted || now === redacted) return [];
  return compared(was ?? "", now);
}

function byNames(args: Arguments): Line[] {
  for (const name of patches) {
    const patch = own(args, name);
    if (typeof patch === "string" && isPatch(patch)) return [...linesOf(patch).map(patchLine), ...restOf(patch)];
  }
  const direct = byPair(args);
  if (direct.length > 0) return direct;
  const edits = lists.map((name) => own(args, name)).find((value) => Array.isArray(value));
  if (!Array.isArray(edits)) return [];
  return edits.slice(0, 20).flatMap((edit: unknown) => (isObject(edit) ? byPair(edit) : []));
}

function byPair(args: Arguments): Line[] {
  for (const [before, after] of pairs) {
    const [was, now] = [own(args, before), own(args, after)];
    if (typeof was !== "string" || typeof now !== "string") continue;
    return was === redacted || now === redacted ? [] : compared(was, now);
  }
  return [];
}

/** The unified format, and the one that `apply_patch` takes. */
const isPatch = (text: string): boolean => /^(?:@@|\*\*\* Begin Patch)/m.test(text.slice(0, MAX_READ));

const compared = (was: string, now: string): Line[] => [
  ...compareLines(linesOf(was), linesOf(now)),
  ...(restOf(was).length > 0 ? restOf(was) : restOf(now)),
];

/** A line that names a file which a patch adds, changes, moves or deletes. Programs differ in the blanks before it. */
const NAMES_FILE =
  /^\s*(?:\*\*\* (?:(?:Add|Delete|Update) File|Move to):|(?:---|\+\+\+) |diff |(?:rename|copy) (?:from|to) |(?:deleted|new) file|(?:old|new) mode|Binary )/i;

function patchLine(line: string): Line {
  if (/^(?:\+\+\+ |--- )/.test(line)) return { kind: "same", text: line, isShown: true };
  if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
  if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
  const text = line.startsWith(" ") ? line.slice(1) : line;
  return { kind: "same", text, ...(NAMES_FILE.test(line) ? { isShown: true as const } : {}) };
}

/** Says that a text goes on where it is not read any more. */
const restOf = (text: string): Line[] =>
  text.length > MAX_READ || text.split("\n", MAX_COMPARED + 1).length > MAX_COMPARED
    ? [{ kind: "same", text: "…", isShown: true }]
    : [];

function nearDifferences(lines: readonly Line[]): readonly ComparedLine[] {
  const near = new Set<number>();
  for (const [index, { kind, isShown }] of lines.entries()) {
    const around = kind === "same" ? 0 : CONTEXT;
    if (kind !== "same" || isShown) for (let at = index - around; at <= index + around; at += 1) near.add(at);
  }
  if (near.size === 0) return [];
  const cut = (): ComparedLine => ({ kind: "same", text: "…" });
  const shown = lines.flatMap((line, index): ComparedLine[] => {
    if (!near.has(index)) return [];
    return !near.has(index - 1) && index > 0 ? [cut(), line] : [line];
  });
  return near.has(lines.length - 1) ? shown : [...shown, cut()];
}

/** Whether the lines show all of a text, as it was or as it will be. */
export function tellsAll(changes: readonly ChangedLine[], text: string): boolean {
  const lines = text.split("\n", changes.length + 1).map(shownOf);
  const holds = (left: ChangedLine["kind"]) => {
    const own = changes.filter(({ kind }) => kind !== left);
    return own.length === lines.length && own.every((line, index) => line.text === lines[index]);
  };
  return !lines.some((line) => line.endsWith("…")) && (holds("added") || holds("removed"));
}

/** As the value shows it, with its indentation. */
function shownOf(line: string): string {
  const begun = beginningOf(line, MAX_LINE);
  return shownBlock(begun).text + (begun.length < line.length ? "…" : "");
}

function textAt(args: Arguments, path: string): string | undefined {
  const value = valueAt(args, pointerKeys(path));
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : prettyJson(value);
}

const linesOf = (text: string): string[] =>
  text === "" ? [] : text.slice(0, MAX_READ).split("\n").slice(0, MAX_COMPARED);
const own = (args: Arguments, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);
