/** Reads the changes of one tool as a gateway, perhaps of another version, returns them. Pure. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects in a list; none if it is no list. */
export const listsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

export const nameOf = ({ tool }: Fields): string => String(tool);
const side = (value: unknown): Fields => (isFields(value) ? value : {});
export const before = (one: Fields, field: string): unknown => side(one.before)[field];
export const after = (one: Fields, field: string): unknown => side(one.after)[field];
export const fieldsOf = (one: Fields): string[] => [
  ...new Set([...Object.keys(side(one.before)), ...Object.keys(side(one.after))]),
];
export const changed = (one: Fields, field: string): boolean => fieldsOf(one).includes(field);

/** Names in a line: more are counted. */
const NAMES = 6;

export const list = (names: readonly string[]): string =>
  names.length <= NAMES ? names.join(", ") : `${names.slice(0, NAMES).join(", ")} and ${names.length - NAMES} more`;
