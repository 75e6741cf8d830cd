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

/** Undefined where there is no such value. Only own properties count: a prototype's members are not part of the JSON. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return at;
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON object that a text holds; undefined where it holds none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The list that a value is; none where it is no list. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; none where the value is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] => listIn(value).filter(isObject);

/** An own member of an object; undefined where there is none. */
export const memberOf = (value: unknown, name: string): unknown => valueAt(value, [name]);
