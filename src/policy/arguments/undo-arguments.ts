/**
 * The arguments of a call that undoes another: from the policy's templates, or found by name. Pure.
 *
 * A tool's result is untrusted text. So a template reads own properties only and fills one argument: no result can add
 * an argument that the undo tool does not declare, or choose the tool.
 */

import { valueAt } from "../../lib/json/json-value.ts";
import { holdsInexact, parseMarkingNumbers } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { UndoSettings } from "../traits.ts";

/** The call that is to be undone. */
export interface CallDone {
  readonly tool: string;
  /** As released; undefined if they were too long to store. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** The result's text; undefined if it was too long to store, or there was none. */
  readonly result: string | undefined;
}

type Source = "result" | "arguments";

/** @param schema the undo tool's, for arguments that are found by name. The error is for a person. */
export function undoArguments(
  undo: UndoSettings,
  schema: unknown,
  done: CallDone,
): Result<Readonly<Record<string, unknown>>, string> {
  const filled = undo.arguments ? Object.entries(undo.arguments).map(fillOne(done)) : byName(undo.tool, schema, done);
  if (!Array.isArray(filled)) return err(filled);
  const entries: (readonly [string, unknown])[] = [];
  for (const one of filled) {
    if (!one.ok) return one;
    entries.push(one.value);
  }
  return ok(Object.fromEntries(entries));
}

type Filled = Result<readonly [name: string, value: unknown], string>;

const reference = /\{\{\s*([^{}]*?)\s*\}\}/g;
const alone = /^\s*\{\{\s*([^{}]*?)\s*\}\}\s*$/;

const fillOne =
  (done: CallDone) =>
  ([name, template]: [string, string]): Filled => {
    const only = alone.exec(template)?.[1];
    if (only !== undefined) {
      const value = referencedValue(only, done);
      return value.ok ? ok([name, value.value]) : value;
    }
    let missing: string | undefined;
    const text = template.replace(reference, (_, path: string) => {
      const value = referencedValue(path, done);
      if (value.ok && ["string", "number", "boolean"].includes(typeof value.value)) return String(value.value);
      missing ??= value.ok ? `\`${path}\` of the call to \`${done.tool}\` is no text` : value.error;
      return "";
    });
    return missing === undefined ? ok([name, text]) : err(missing);
  };

/** `result.note.id`: names and indices, own properties only. */
function referencedValue(path: string, done: CallDone): Result<unknown, string> {
  const [source, ...steps] = path.split(".");
  const root = source === "result" || source === "arguments" ? sourceOf(source, done) : err(unknownReference(path));
  if (!root.ok) return root;
  const value = valueAt(root.value, steps);
  if (value === undefined) return err(`the call to \`${done.tool}\` has no \`${path}\``);
  return holdsInexact(value) ? err(inexact(path, done)) : ok(value);
}

function sourceOf(source: Source, { tool, arguments: args, result }: CallDone): Result<unknown, string> {
  if (source === "arguments") return args ? ok(args) : err(`the arguments of \`${tool}\` were too long to keep`);
  if (result === undefined) return err(`the result of \`${tool}\` was not kept`);
  const parsed = parseMarkingNumbers(result);
  // Text that is not JSON, or that two readers could read differently, stays text.
  return ok(parsed.ok ? parsed.value : result);
}

/** A list has items only: its `length` is an own property too, and is not one of them. */
function ownValue(value: unknown, name: string): { readonly value: unknown } | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined;
  return { value: (value as Record<string, unknown>)[name] };
}

/**
 * The arguments that the undo tool requires, and its optional ids: from the result's top level, else from the call's
 * arguments. A tool that has arguments is not called without any, unless the policy sets `arguments: {}`.
 */
function byName(tool: string, schema: unknown, done: CallDone): Filled[] | string {
  if (typeof schema !== "object" || schema === null) {
    return `nothing says what \`${tool}\` takes: give it \`parameters\` in the policy, or the undo its \`arguments\``;
  }
  const listed = ownValue(schema, "required")?.value;
  const required = Array.isArray(listed) ? listed.filter((name) => typeof name === "string") : [];
  const properties = ownValue(schema, "properties")?.value;
  const optional = Object.keys(properties ?? {}).filter((name) => !required.includes(name));
  const result = sourceOf("result", done);
  const find = (name: string) => (result.ok && ownValue(result.value, name)) || ownValue(done.arguments, name);
  const filled = required.map((name): Filled => {
    const found = find(name);
    return found ? filledBy(name, found.value, done) : err(missing([name], done));
  });
  for (const name of optional) {
    const found = idName.test(name) ? find(name) : undefined;
    if (found && ["string", "number", "symbol"].includes(typeof found.value))
      filled.push(filledBy(name, found.value, done));
  }
  if (filled.length > 0 || optional.length === 0) return filled;
  const ids = optional.filter((name) => idName.test(name));
  if (ids.length > 0) return missing(ids, done);
  return `nothing says what ${named(optional)} of \`${tool}\` must be: give the undo its \`arguments\` in the policy`;
}

const filledBy = (name: string, value: unknown, done: CallDone): Filled =>
  holdsInexact(value) ? err(inexact(name, done)) : ok([name, value]);

const inexact = (path: string, { tool }: CallDone): string =>
  `\`${path}\` of the call to \`${tool}\` holds a number that cannot be sent back exactly`;

const idName = /^(?:.+_)?id$/;

const missing = (names: readonly string[], { tool }: CallDone): string =>
  `neither the result nor the arguments of \`${tool}\` have ${named(names)}`;

const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(" or ");

const unknownReference = (path: string): string =>
  `\`{{${path}}}\` has no meaning, use \`{{result.…}}\` or \`{{arguments.…}}\``;

/** What is wrong with a template for every call; undefined if nothing is. */
export function templateFault(template: string): string | undefined {
  for (const [, path = ""] of template.matchAll(reference)) {
    const [source, ...steps] = path.split(".");
    if ((source !== "result" && source !== "arguments") || steps.includes("")) return unknownReference(path);
  }
  return undefined;
}
