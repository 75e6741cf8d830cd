/** Arguments for a tool, found in a text: what its JSON Schema asks for, filled by name, kind and position. Pure. */
import { findBoolean, findNumber } from "./find-scalar.ts";
import { findString, guessString, roleOf, type Taken } from "./find-string.ts";
import { findValues, type Values } from "./find-values.ts";
import { readSchema, type SchemaNode } from "./tool-schema.ts";
import { escapeRegExp, splitWords } from "./words.ts";

type Fields = Record<string, unknown>;

export interface Sources {
  /** The part of the message that the call is for. */
  readonly text: string;
  /** The tool's name. */
  readonly tool?: string;
  /** The whole message: "then delete it" means a path that stood before. */
  readonly context?: string;
  /** Values of earlier results: an `id` that nobody wrote may stand there. */
  readonly known?: ReadonlyMap<string, unknown>;
}

/** Only the schema's own properties; whatever it requires is there, if need be made up. */
export function fillArguments(
  schema: unknown,
  { text, tool = "", context = text, known = new Map() }: Sources,
): Fields {
  const node = readSchema(schema);
  return fillObject(node, { ...findValues(text), tool }, findValues(context), new Set(), known);
}

function fillObject(
  node: SchemaNode,
  values: Values,
  context: Values,
  taken: Taken,
  known: ReadonlyMap<string, unknown>,
): Fields {
  if (node.properties.size === 0) return { ...values.json };
  const found = new Map<string, unknown>();
  const names = [...node.properties.keys()];
  const required = new Set(node.required);
  const find = (name: string, source: Values) => {
    const property = node.properties.get(name);
    if (!property || found.has(name)) return;
    const value = findValue(name, property, source, taken, names);
    if (value !== undefined) found.set(name, value);
  };
  // What must be there takes its pick first: else an optional property could take its value.
  for (const name of [...node.required, ...names]) find(name, values);
  for (const name of node.required) if (!found.has(name) && known.has(name)) found.set(name, known.get(name));
  for (const name of node.required) find(name, context);
  const fields = names.filter((name) => required.has(name) || found.has(name));
  return Object.fromEntries(
    fields.map((name) => {
      const property = node.properties.get(name) as SchemaNode;
      return [name, bound(found.has(name) ? found.get(name) : guess(name, property, values, known), property)];
    }),
  );
}

/** What the text says for a property, and no guess; taken, so that no other property gets it too. */
export function findValue(
  name: string,
  node: SchemaNode,
  values: Values,
  taken: Taken,
  names: readonly string[],
): unknown {
  const value = written(name, node, values, names) ?? recognised(name, node, values, taken);
  for (const item of value === undefined ? [] : [value].flat()) taken.add(String(item));
  return value;
}

/** A value that the text gives by the property's own name: in JSON, or as `name=value`, `name: value`. */
function written(name: string, node: SchemaNode, { json, text }: Values, names: readonly string[]): unknown {
  if (json && Object.hasOwn(json, name)) return json[name];
  const spoken = [name, splitWords(name).join(" ")].map(escapeRegExp).join("|");
  const others = names.map(escapeRegExp).join("|");
  const pair = new RegExp(
    `(?<![\\w/.-])(?:${spoken})\\s*(?:=\\s*|:\\s+)(?:"([^"]*)"|'([^']*)'|\`([^\`]*)\`|(.+?)(?=\\s*$|[;\\n]|,?\\s+(?:and\\s+)?(?:${others})\\s*[=:]))`,
    "im",
  ).exec(text);
  const value = pair?.slice(1).find((group) => group !== undefined);
  if (value === undefined) return undefined;
  const bare = pair?.[4] === undefined ? value : cutAt(value, /=\s*$/.test(pair[0].slice(0, -value.length)), node);
  return coerce(bare, node);
}

/** After `=` an unquoted value ends at white space or a comma; after `:` it may be a phrase. */
function cutAt(value: string, assigned: boolean, { type }: SchemaNode): string {
  if (type === "array") return value;
  if (assigned || type !== "string") return /^[^\s,]*/.exec(value)?.[0] ?? value;
  return value.replace(/(?:,\s.*|[.!?])$/, "");
}

function coerce(value: string, node: SchemaNode): unknown {
  const chosen = node.enum.find((option) => String(option).toLowerCase() === value.toLowerCase());
  if (node.enum.length > 0) return chosen;
  switch (node.type) {
    case "number":
    case "integer":
      return value.trim() === "" || Number.isNaN(Number(value)) ? undefined : Number(value);
    case "boolean":
      return /^(true|yes|on|1)$/i.test(value) ? true : /^(false|no|off|0)$/i.test(value) ? false : undefined;
    case "array": {
      const items = value.replace(/^\[|\]$/g, "").split(/\s*,\s*(?:and\s+)?|\s+and\s+/);
      return items.map((item) => coerce(item.trim().replace(/^["']|["']$/g, ""), node.items ?? node));
    }
    case "object":
      return undefined;
    default:
      return value;
  }
}

/** A value of the property's kind that stands in the text and is still free. */
function recognised(name: string, node: SchemaNode, values: Values, taken: Taken): unknown {
  if (node.enum.length > 0) {
    const spoken = ` ${splitWords(values.text).join(" ")} `;
    return node.enum.find(
      (option) => typeof option === "string" && spoken.includes(` ${splitWords(option).join(" ")} `),
    );
  }
  switch (node.type) {
    case "string":
      return findString(name, node, values, taken);
    case "integer":
    case "number":
      return findNumber(name, node, values, taken);
    case "boolean":
      return findBoolean(name, values);
    case "array":
      return findList(name, node, values, taken);
    default:
      return undefined;
  }
}

function findList(name: string, { items, minItems }: SchemaNode, values: Values, taken: Taken): unknown {
  if (items && items.type !== "string") {
    const numbers = values.numbers.filter((number) => !taken.has(String(number)));
    return /number|integer/.test(items.type) && numbers.length > Math.max(1, minItems) ? numbers : undefined;
  }
  const all = { path: values.paths, url: values.urls, email: values.emails } as Readonly<
    Record<string, readonly string[]>
  >;
  const singular = name.replace(/s$/, "");
  const own = all[roleOf(singular, { ...readSchema({}), format: items?.format ?? "" })] ?? values.hashtags;
  const free = own.filter((value) => !taken.has(value));
  if (free.length > 0) return free;
  const quoted = values.quoted.filter((value) => !taken.has(value));
  if (quoted.length > 1) return quoted;
  const named = new RegExp(`\\b${escapeRegExp(name)}:?\\s+((?:[\\w-]+,\\s*)*[\\w-]+(?:,?\\s+and\\s+[\\w-]+)?)`, "i");
  return named.exec(values.prose)?.[1]?.split(/,?\s+and\s+|,\s*/);
}

function guess(name: string, node: SchemaNode, values: Values, known: ReadonlyMap<string, unknown>): unknown {
  if (node.default !== undefined) return node.default;
  if (node.enum.length > 0) return node.enum[0];
  switch (node.type) {
    case "object":
      return fillObject(node, { ...values, json: {} }, values, new Set(), known);
    case "array": {
      const listed = /:\s*(.+)$/s.exec(values.text)?.[1]?.split(/,\s*(?:and\s+)?|\n\s*[-*]?\s*/) ?? [values.text];
      const texts = node.items?.type === "string" ? listed.filter((item) => item !== "") : [values.text];
      return node.items ? texts.map((text) => guess(name, node.items as SchemaNode, findValues(text), known)) : [];
    }
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return guessString(name, node, values);
  }
}

/** Into the schema's bounds. A string that a `pattern` refuses stays: nothing better is known. */
function bound(value: unknown, node: SchemaNode): unknown {
  if (typeof value === "number") {
    const bounded = Math.min(Math.max(value, node.minimum ?? -Infinity), node.maximum ?? Infinity);
    return node.type === "integer" ? Math.round(bounded) : bounded;
  }
  if (typeof value === "string") return value.slice(0, node.maxLength).padEnd(node.minLength, ".");
  return value;
}
