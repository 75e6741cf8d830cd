/** Drafts of form fields: what the user has entered so far, as text, and how it is read into JSON values. Pure. */
import { isObject, toPointer } from "../../lib/json/json-value.ts";
import { parseStrictJson, survivesRoundTrip } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type Field, HIDDEN, type Input } from "./field.ts";

export interface Draft {
  /** `hidden`: the value is redacted and stays unchanged. */
  readonly state: "given" | "null" | "absent" | "hidden";
  /** A text, a number, JSON, or the index of a choice. */
  readonly text: string;
  /** The items of a list, each as text. */
  readonly items: readonly string[];
  /** The members of a group. */
  readonly members: Drafts;
}

export type Drafts = Readonly<Record<string, Draft>>;

export function draftsOf(fields: readonly Field[], values: Readonly<Record<string, unknown>>): Drafts {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      draftOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined),
    ]),
  );
}

function draftOf({ input }: Field, value: unknown): Draft {
  const empty = { text: emptyText(input), items: [], members: membersOf(input, {}) };
  if (value === undefined) return { ...empty, state: "absent" };
  if (value === null) return { ...empty, state: "null" };
  if (value === HIDDEN) return { ...empty, state: "hidden" };
  switch (input.kind) {
    case "list":
      return {
        ...empty,
        state: "given",
        items: (value as readonly unknown[]).map((one) => scalarText(input.item, one)),
      };
    case "group":
      return { ...empty, state: "given", members: membersOf(input, isObject(value) ? value : {}) };
    case "json":
      return { ...empty, state: "given", text: JSON.stringify(value, null, 2) };
    default:
      return { ...empty, state: "given", text: scalarText(input, value) };
  }
}

function membersOf(input: Input, value: Readonly<Record<string, unknown>>): Drafts {
  return input.kind === "group" ? draftsOf(input.fields, value) : {};
}

function scalarText(input: Input, value: unknown): string {
  return input.kind === "choice" ? String(input.options.indexOf(value as never)) : String(value);
}

/** The draft of a field that was just added. */
function emptyText(input: Input): string {
  if (input.kind === "choice") return "0";
  return input.kind === "truth" ? "false" : "";
}

type FieldFault = "number" | "whole" | "digits" | "json" | "missing";

interface FieldProblem {
  /** JSON pointer. */
  readonly path: string;
  readonly fault: FieldFault;
}

type Read = Result<unknown, readonly FieldProblem[]>;

/** Undefined if the field is left out. */
function readDraft(field: Field, draft: Draft, path: string): Read {
  switch (draft.state) {
    case "absent":
      return field.required ? wrong(path, "missing") : ok(undefined);
    case "null":
      return ok(null);
    case "hidden":
      return ok(HIDDEN);
    case "given":
      return readInput(field.input, draft, path);
  }
}

function readMembers(
  fields: readonly Field[],
  drafts: Drafts,
  path: string,
): Result<Readonly<Record<string, unknown>>, readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const members: [string, unknown][] = [];
  for (const field of fields) {
    const draft = drafts[field.name];
    if (!draft) continue;
    const read = readDraft(field, draft, path + toPointer([field.name]));
    if (!read.ok) problems.push(...read.error);
    else if (read.value !== undefined) members.push([field.name, read.value]);
  }
  return problems.length > 0 ? err(problems) : ok(Object.fromEntries(members));
}

function readInput(input: Input, draft: Draft, path: string): Read {
  switch (input.kind) {
    case "list": {
      const read = draft.items.map((text, index) => readText(input.item, text, `${path}/${index}`));
      const problems = read.flatMap((one) => (one.ok ? [] : one.error));
      return problems.length > 0 ? err(problems) : ok(read.map((one) => (one.ok ? one.value : undefined)));
    }
    case "group":
      return readMembers(input.fields, draft.members, path);
    default:
      return readText(input, draft.text, path);
  }
}

function readText(input: Input, text: string, path: string): Read {
  switch (input.kind) {
    case "number":
      return readNumber(text.trim(), input.whole, path);
    case "truth":
      return ok(text === "true");
    case "choice":
      return ok(input.options[Number(text)]);
    case "json":
      return readJson(text, path);
    default:
      return ok(text);
  }
}

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Refuses a number that JavaScript cannot represent exactly: the user would approve another one. */
function readNumber(text: string, whole: boolean, path: string): Read {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) return wrong(path, "number");
  if (!survivesRoundTrip(text)) return wrong(path, "digits");
  return whole && !Number.isSafeInteger(value) ? wrong(path, "whole") : ok(value);
}

function readJson(text: string, path: string): Read {
  const parsed = parseStrictJson(text);
  if (parsed.ok) return parsed;
  switch (parsed.error.problem) {
    case "number":
      return wrong(path, "digits");
    // The value is unchanged, or the gateway reports the error.
    case "proto_key":
    case "depth":
      return ok(JSON.parse(text));
    default:
      return wrong(path, "json");
  }
}

const wrong = (path: string, fault: FieldFault): Read => err([{ path, fault }]);

export interface Changes {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

/** Undefined if nothing is changed. A hidden value that is not replaced is not sent: the gateway has it. */
export function changesOf(
  fields: readonly Field[],
  drafts: Drafts,
  original: Readonly<Record<string, unknown>>,
): Result<Changes | undefined, readonly FieldProblem[]> {
  const read = readMembers(fields, drafts, "");
  if (!read.ok) return read;
  const set = Object.entries(read.value).filter(
    ([name, value]) => value !== HIDDEN && !(Object.hasOwn(original, name) && same(original[name], value)),
  );
  const unset = Object.keys(original).filter((name) => !Object.hasOwn(read.value, name));
  return ok(set.length + unset.length === 0 ? undefined : { arguments: Object.fromEntries(set), unset });
}

/** Equal as JSON; the order of members does not count. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, sorted(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
