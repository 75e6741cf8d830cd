/** A copy of a JSON value with each of its strings made into something else, or left out. Pure. */

/** In place of a string: the member or item that it was is left out. */
export const ABSENT: unique symbol = Symbol("absent");

type Tokens = readonly (string | number)[];

/** @param become given each string that is a value (names of members are none) and where it stands. */
export function mapTexts(value: unknown, become: (text: string, tokens: Tokens) => unknown): unknown {
  return map(value, [], become);
}

function map(value: unknown, tokens: Tokens, become: (text: string, tokens: Tokens) => unknown): unknown {
  if (typeof value === "string") return become(value, tokens);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => map(item, [...tokens, index], become));
    const there = items.filter((item) => item !== ABSENT);
    // A list of nothing but what is left out is left out with it.
    return there.length === 0 && items.length > 0 ? ABSENT : there;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, part]) => [key, map(part, [...tokens, key], become)] as const);
  // `fromEntries` defines properties: a key that a prototype has stays a key.
  return Object.fromEntries(members.filter(([, part]) => part !== ABSENT));
}
