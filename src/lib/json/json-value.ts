/** JSON pointers (RFC 6901), and values found by a path of keys. Pure. */

/** Writes a path of keys as a pointer: `""` for the whole document. */
export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The keys of a pointer. Text before its first slash is ignored. */
export const pointerKeys = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Undefined if there is no such value. Only own properties count, and only the items of a list: its `length` is an own property too. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    if (key === "length" && Array.isArray(at)) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return at;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The texts in a value, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") found.push(one);
    else if (typeof one === "object" && one !== null) for (const part of Object.values(one)) open.push(part);
  }
  return found;
}

/** The JSON object that a text holds; undefined if it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The value if it is a list, else an empty one. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects in a list; none if the value is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] => listIn(value).filter(isObject);

/** An own member of an object; undefined if there is none. */
export const memberOf = (value: unknown, name: string): unknown => valueAt(value, [name]);
