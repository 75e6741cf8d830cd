/**
 * Selectors: `*`, a name, a name with `*`, `category:…`, `family:…`, `class:…`. Pure.
 * They mean the same everywhere in a policy document. Names come from clients and models, so they are
 * looked up in Sets and never as keys of an object.
 */
import { err, ok, type Result } from "../lib/result.ts";

export type Category = "read_only" | "note_taking" | "modification" | "external";
export type ToolClass = "safe" | "destructive";

/** Least careful first; the order in which a group may raise a category. */
export const categories: readonly Category[] = ["read_only", "note_taking", "modification", "external"];
export const toolClasses: readonly ToolClass[] = ["safe", "destructive"];

/** A selector as read; names and families are compared exactly, including case. */
export type Selector =
  | { readonly kind: "all" }
  | { readonly kind: "name"; readonly name: string }
  /** The literal pieces between the stars; the first and the last are anchored. */
  | { readonly kind: "glob"; readonly pieces: readonly string[] }
  | { readonly kind: "category"; readonly category: Category }
  | { readonly kind: "family"; readonly family: string }
  | { readonly kind: "class"; readonly class: ToolClass };

/** The parts of a tool that selectors compare. */
export interface Selectable {
  readonly name: string;
  readonly category: Category;
  readonly class: ToolClass;
  readonly families: ReadonlySet<string>;
}

const name = /^[^\s*:]{1,128}$/;
const glob = /^[^\s:]{1,128}$/;

/** @returns the selector, or what is wrong with the text, for the policy's author. */
export function parseSelector(text: string): Result<Selector, string> {
  if (text === "*") return ok({ kind: "all" });
  const colon = text.indexOf(":");
  if (colon < 0) {
    if (name.test(text)) return ok({ kind: "name", name: text });
    if (glob.test(text)) return ok({ kind: "glob", pieces: text.split("*") });
    return err("must be `*`, a name, a name with `*`, or `category:…`, `family:…`, `class:…`");
  }
  const [prefix, rest] = [text.slice(0, colon), text.slice(colon + 1)];
  if (prefix === "category") {
    const category = categories.find((known) => known === rest);
    return category ? ok({ kind: "category", category }) : err(`unknown category, use one of ${categories.join(", ")}`);
  }
  if (prefix === "class") {
    const known = toolClasses.find((one) => one === rest);
    return known ? ok({ kind: "class", class: known }) : err("unknown class, use safe or destructive");
  }
  // The only names with a colon: tools that the provider runs.
  if (prefix === "hosted" && /^[\w.:*-]{1,120}$/.test(rest))
    return ok(rest.includes("*") ? { kind: "glob", pieces: text.split("*") } : { kind: "name", name: text });
  if (prefix === "family" && name.test(rest)) return ok({ kind: "family", family: rest });
  return err("unknown kind of selector, use `category:…`, `family:…` or `class:…`");
}

/** Undefined for a text that is no selector. */
export function selectorKind(text: string): Selector["kind"] | undefined {
  const selector = parseSelector(text);
  return selector.ok ? selector.value.kind : undefined;
}

/** One scan from left to right, each piece at its first place: no backtracking, whatever name a client sends. */
export function matchesGlob(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? "";
  const last = pieces[pieces.length - 1] ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** Whether one selector means this tool. */
export function selects(selector: Selector, tool: Selectable): boolean {
  switch (selector.kind) {
    case "all":
      return true;
    case "name":
      return selector.name === tool.name;
    case "glob":
      return matchesGlob(selector.pieces, tool.name);
    case "category":
      return selector.category === tool.category;
    case "family":
      return tool.families.has(selector.family);
    case "class":
      return selector.class === tool.class;
  }
}

/** Many selectors as one: names in a Set, so that a list of a thousand names costs one look-up. */
export interface SelectorSet {
  readonly names: ReadonlySet<string>;
  /** All that are not plain names. */
  readonly patterns: readonly Selector[];
}

/** @param texts selectors that were checked; one that does not parse selects nothing. */
export function compileSelectors(texts: readonly string[]): SelectorSet {
  const parsed = [...new Set(texts)].flatMap((text) => {
    const selector = parseSelector(text);
    return selector.ok ? [selector.value] : [];
  });
  return {
    names: new Set(parsed.flatMap((selector) => (selector.kind === "name" ? [selector.name] : []))),
    patterns: parsed.filter((selector) => selector.kind !== "name"),
  };
}

/** Whether any of them means this tool; an empty list means none. */
export function selectsAny(set: SelectorSet, tool: Selectable): boolean {
  return set.names.has(tool.name) || set.patterns.some((selector) => selects(selector, tool));
}
