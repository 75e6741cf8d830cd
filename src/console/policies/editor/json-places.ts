/** Positions in the text of a JSON document: the path at a position, and the position of a JSON pointer. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

const textOf = (state: EditorState, { from, to }: { readonly from: number; readonly to: number }): string =>
  state.sliceDoc(from, to);

function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  try {
    return name ? String(JSON.parse(textOf(state, name))) : "";
  } catch {
    return "";
  }
}

/** Keys and indexes from the root to the value that a node is in. */
export function pathOf(state: EditorState, node: SyntaxNode): readonly string[] {
  const path: string[] = [];
  for (let at: SyntaxNode | null = node; at?.parent; at = at.parent) {
    const { parent }: SyntaxNode = at;
    if (at.name === "Property") path.unshift(nameOf(state, at));
    else if (parent?.name === "Array" && isValue(at)) path.unshift(String(indexOf(parent, at)));
  }
  return path;
}

/** Names that an object already has. */
export function namesIn(state: EditorState, object: SyntaxNode): ReadonlySet<string> {
  return new Set(object.getChildren("Property").map((property) => nameOf(state, property)));
}

/** Position of a JSON pointer: the property's name, or the deepest part of the path that exists. */
export function placeOf(state: EditorState, pointer: string): { readonly from: number; readonly to: number } {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let value = syntaxTree(state).topNode.firstChild;
  let place: { readonly from: number; readonly to: number } = { from: 0, to: Math.min(1, state.doc.length) };
  for (const key of keys) {
    const child = value?.name === "Array" ? valuesOf(value)[Number(key)] : propertyOf(state, value, key);
    if (!child) return place;
    place = child.getChild("PropertyName") ?? child;
    value = child.name === "Property" ? child.lastChild : child;
  }
  return { from: place.from, to: place.to };
}

const isValue = ({ name }: SyntaxNode): boolean => !["[", "]", "{", "}", ",", "⚠"].includes(name);

function valuesOf(array: SyntaxNode): readonly SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling) if (isValue(child)) values.push(child);
  return values;
}

const indexOf = (array: SyntaxNode, value: SyntaxNode): number =>
  valuesOf(array).findIndex(({ from }) => from === value.from);

const propertyOf = (state: EditorState, object: SyntaxNode | null, key: string): SyntaxNode | undefined =>
  object?.getChildren("Property").find((property) => nameOf(state, property) === key);
