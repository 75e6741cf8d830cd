/** The strings of a step's input and where they stand. Pure. */
import { toPointer } from "../lib/json/json-pointer.ts";
import { readTemplate, type TemplatePart } from "./template.ts";

export interface Place {
  readonly tokens: readonly string[];
  /** JSON pointer into the input. */
  readonly path: string;
  readonly parts: readonly TemplatePart[];
  /** The name of a member and not its value: nothing is ever put in there. */
  readonly key?: true;
}

/** Those with double braces, in the order in which they stand. */
export function templatePlaces(input: unknown): readonly Place[] {
  const places: Place[] = [];
  visit(input, [], places);
  return places;
}

function visit(value: unknown, tokens: readonly string[], places: Place[]): void {
  if (typeof value === "string") note(value, tokens, places);
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const inside = [...tokens, key];
    if (!Array.isArray(value)) note(key, inside, places, true);
    visit(part, inside, places);
  }
}

function note(text: string, tokens: readonly string[], places: Place[], key?: true): void {
  if (!text.includes("{{")) return;
  const place = { tokens, path: toPointer(tokens), parts: readTemplate(text) };
  places.push(key ? { ...place, key } : place);
}

/** The one reference or placeholder that the place is nothing but; what it stands for keeps its type. */
export function soleUse({ parts }: Pick<Place, "parts">) {
  const [part, other] = parts;
  if (other !== undefined || part === undefined) return undefined;
  return part.kind === "placeholder" || part.kind === "reference" ? part : undefined;
}
