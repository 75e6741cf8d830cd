/**
 * JSON as other programs read it, by a parser of its own that keeps what `JSON.parse` loses: keys that stand twice, and their
 * spelling. A reader says which of an object's members it takes for a name.
 */

export type Json =
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: Json])[] }
  | { readonly kind: "list"; readonly items: readonly Json[] }
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null };

export function parseJson(text: string): Json {
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`no JSON at ${at}: ${text.slice(at, at + 20)}`);
  };
  const space = (): void => {
    while (/[ \n\r\t]/.test(text.charAt(at))) at += 1;
  };
  const take = (char: string): boolean => {
    space();
    if (text.charAt(at) !== char) return false;
    at += 1;
    return true;
  };
  const expectChar = (char: string): void => {
    if (!take(char)) fail();
  };
  const string = (): string => {
    space();
    const found = /^"(?:[^"\\]|\\.)*"/s.exec(text.slice(at))?.[0] ?? fail();
    at += found.length;
    return JSON.parse(found) as string;
  };
  const all = <T>(end: string, one: () => T): T[] => {
    const found: T[] = [];
    if (take(end)) return found;
    do found.push(one());
    while (take(","));
    expectChar(end);
    return found;
  };
  const value = (): Json => {
    if (take("{")) return { kind: "object", members: all("}", member) };
    if (take("[")) return { kind: "list", items: all("]", value) };
    space();
    if (text.charAt(at) === '"') return { kind: "scalar", value: string() };
    const word = /^[^\s,\]}]+/.exec(text.slice(at))?.[0] ?? fail();
    at += word.length;
    return { kind: "scalar", value: JSON.parse(word) as number | boolean | null };
  };
  const member = (): readonly [string, Json] => {
    const key = string();
    expectChar(":");
    return [key, value()];
  };
  const read = value();
  space();
  return at === text.length ? read : fail();
}

export interface JsonReader {
  readonly name: string;
  /** Of two members that it takes for one. */
  readonly takes: "first" | "last";
  /** What it makes of a key before it compares it. */
  readonly key: (key: string) => string;
}

const exact = (key: string): string => key;
/** Go compares so, and Java: letters that have a capital, or a small letter, in common are one. */
const folding = (key: string): string => key.toUpperCase().toLowerCase();

/** Exact, ignoring case, taking the first or the last, each also normalising keys. */
export const readers: readonly JsonReader[] = [exact, folding].flatMap((fold) =>
  (["first", "last"] as const).flatMap((takes) =>
    [false, true].map((normalises) => ({
      name: `${fold.name}, ${takes} wins${normalises ? ", NFKC" : ""}`,
      takes,
      key: (key: string) => fold(normalises ? key.normalize("NFKC") : key),
    })),
  ),
);

/** An object's member of this name. */
export function memberOf(reader: JsonReader, value: Json | undefined, name: string): Json | undefined {
  if (value?.kind !== "object") return undefined;
  const found = value.members.filter(([key]) => reader.key(key) === name);
  return (reader.takes === "first" ? found[0] : found.at(-1))?.[1];
}

export const itemsOf = (value: Json | undefined): readonly Json[] => (value?.kind === "list" ? value.items : []);

export const scalarOf = (value: Json | undefined): unknown => (value?.kind === "scalar" ? value.value : undefined);

/** The whole value, of keys that are one to the reader the one that it takes, as it is spelled. */
export function plainOf(reader: JsonReader, value: Json): unknown {
  if (value.kind === "scalar") return value.value;
  if (value.kind === "list") return value.items.map((item) => plainOf(reader, item));
  const taken = new Map<string, readonly [string, Json]>();
  for (const member of value.members) {
    const key = reader.key(member[0]);
    if (reader.takes === "last" || !taken.has(key)) taken.set(key, member);
  }
  return Object.fromEntries([...taken.values()].map(([key, item]) => [key, plainOf(reader, item)]));
}
