/** Makes arguments for a tool: those that its JSON Schema requires, from the texts of a message, by the arguments' names. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import type { MessageValues } from "./message-values.ts";

export type Json = Readonly<Record<string, unknown>>;

interface FillState {
  readonly values: MessageValues;
  /** No value is given to two arguments. */
  readonly used: Set<string>;
  readonly missing: (name: string) => string;
}

/**
 * @param missing used in place of a text that the message does not give: the message itself by default.
 * @returns also how many values the message gives.
 */
export function fillArguments(schema: unknown, values: MessageValues, missing = (_name: string) => values.text) {
  const filling: FillState = { values, used: new Set(), missing };
  return { arguments: fillObject(objectOf(schema), filling), given: filling.used.size };
}

function fillObject(schema: Json, filling: FillState): Record<string, unknown> {
  const properties = objectOf(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const filled = Object.fromEntries(required.map((name) => [name, fill(String(name), properties[name], filling)]));
  for (const [name, property] of Object.entries(properties)) {
    const given = name in filled || objectOf(property).type !== "string" ? undefined : take(name, filling);
    if (given !== undefined) filled[name] = given;
  }
  return filled;
}

function fill(name: string, schema: unknown, filling: FillState): unknown {
  const node = plainNode(schema);
  const { text, numbers } = filling.values;
  if (Array.isArray(node.enum)) return node.enum.find((option) => text.includes(String(option))) ?? node.enum[0];
  if (node.default !== undefined) return node.default;
  const type = [node.type].flat()[0] ?? (node.properties ? "object" : "string");
  if (type === "object") return fillObject(node, filling);
  if (type === "array") return fillList(name, node, filling);
  if (type === "boolean") return false;
  if (type === "number" || type === "integer")
    return Math.min(Math.max(Math.round(numbers[0] ?? 1), Number(node.minimum ?? 0)), Number(node.maximum ?? Infinity));
  const found = take(name, filling) ?? MADE_UP[String(node.format)] ?? filling.missing(name);
  return found.slice(0, Number(node.maxLength ?? found.length)).padEnd(Number(node.minLength ?? 0), ".");
}

/** All the values of a kind that the message gives, else one item. */
function fillList(name: string, { items, maxItems }: Json, filling: FillState): unknown[] {
  const list = [fill(name, items, filling)];
  while (candidates(name, filling).length > 0 && list.length < Math.min(10, Number(maxItems ?? 10)))
    list.push(fill(name, items, filling));
  return list;
}

/** Valid addresses that belong to no user. */
const MADE_UP: Json & Readonly<Record<string, string>> = { uri: "https://example.com/", email: "demo@example.com" };

/** The kind of value that an argument takes, by the last word of its name (`file_path`, `sourceUrl`). */
const KINDS: readonly (readonly [RegExp, (values: MessageValues) => readonly string[]])[] = [
  [/^(old|from|source)|^old_/, ({ replacement, paths }) => [...replacement.slice(0, 1), ...paths]],
  [/^(new|destination)|^new_/, ({ replacement, paths }) => [...replacement.slice(1), ...paths]],
  [/(path|file|folder|dir|directory)$/, ({ paths }) => paths],
  [/(url|uri|link)$/, ({ urls }) => urls],
  [/^(to|cc)$|(mail|recipients?)$/, ({ emails, paths }) => (emails.length > 0 ? emails : paths.slice(1))],
  [/(command|cmd|script)$/, ({ code, quoted }) => [...code, ...quoted]],
  [/(query|pattern|search|question)$/, ({ quoted, code, topics }) => [...quoted, ...code, ...topics]],
  [/(title|name|subject)$/, ({ titles, quoted }) => [...quoted, ...titles]],
  [/(content|text|body|message|note)$/, ({ contents, quoted }) => [...contents, ...quoted]],
  [/(city|place|location)$/, ({ places }) => places],
];

function candidates(name: string, { values, used }: FillState): readonly string[] {
  const kind = KINDS.find(([names]) => names.test(name.toLowerCase()));
  return (kind?.[1](values) ?? []).filter((value) => !used.has(value));
}

function take(name: string, filling: FillState): string | undefined {
  const [value] = candidates(name, filling);
  if (value !== undefined) filling.used.add(value);
  return value;
}

/** The first of the alternatives that is not null. */
function plainNode(schema: unknown): Json {
  const node = objectOf(schema);
  const alternatives = [node.anyOf, node.oneOf].find(Array.isArray);
  return { ...objectOf(alternatives?.find((one) => objectOf(one).type !== "null")), ...node };
}

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
