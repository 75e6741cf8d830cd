/** What a person has made of a field so far: text, until it is read. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import { type Field, HIDDEN, type Input } from "./field.ts";

export interface Draft {
  /** `hidden`: it stays as it is, unseen. */
  readonly state: "given" | "null" | "absent" | "hidden";
  /** Of a text, a number, JSON, or the index of a choice. */
  readonly text: string;
  /** Of a list, each as text. */
  readonly items: readonly string[];
  /** Of a group. */
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

/** What a field begins with when a person adds it. */
function emptyText(input: Input): string {
  if (input.kind === "choice") return "0";
  return input.kind === "truth" ? "false" : "";
}
