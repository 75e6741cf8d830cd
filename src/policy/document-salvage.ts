/**
 * What is left of a document when the members that have the wrong shape are taken out, so that the rest can be checked
 * too and its writer hears of everything at once. Pure. Nothing of it is ever put into force.
 */
import { valueAt } from "./json-path.ts";

type Path = readonly PropertyKey[];

/** Other members are judged by what stands in these. */
const judging = new Set<PropertyKey>(["roles", "handshake", "injection", "intentGuard"]);
/** Sections whose names are referred to: a member of the wrong kind leaves its name behind. */
const named = new Map<PropertyKey, () => unknown>([
  ["tools", () => ({})],
  ["intents", () => ({})],
  ["modes", () => ({})],
  ["families", () => []],
  // Without its pattern an entity would be found by nothing, which is another error.
  ["entities", () => ({ synonyms: {} })],
]);

/** @returns undefined where what is wrong could make the rest look wrong. */
export function salvage(input: unknown, wrong: readonly Path[]): unknown {
  const rest: unknown = structuredClone(input);
  for (const path of wrong) {
    const at = path[0] === "entities" ? path.slice(0, 2) : removable(input, path);
    const [section = "", name = ""] = at;
    if (at.length < 2 || judging.has(section)) return undefined;
    const parent = valueAt(rest, at.slice(0, -1));
    // Taken out already, with another.
    if (typeof parent !== "object" || parent === null) continue;
    const empty = at.length === 2 ? named.get(section) : undefined;
    const key = empty ? name : (at.at(-1) ?? "");
    if (empty) Object.assign(parent, { [key]: empty() });
    else Reflect.deleteProperty(parent, key);
  }
  return rest;
}

/** Whether a tool lost its families with one of these: then nobody knows which families there are. */
export const hidesFamilies = (wrong: readonly Path[]): boolean =>
  wrong.some(([section, , setting]) => section === "tools" && (setting === undefined || setting === "families"));

/** A member that is missing goes with its object; an element with its whole list, or the others would change places. */
function removable(input: unknown, path: Path): Path {
  const present = valueAt(input, path) === undefined ? path.slice(0, -1) : path;
  const list = present.findIndex((_, index) => Array.isArray(valueAt(input, present.slice(0, index))));
  return list < 0 ? present : present.slice(0, list);
}
