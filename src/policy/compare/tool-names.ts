/**
 * The tools to look at when two policies are compared: all that either names, and those that clients were seen with. A
 * glob stands for the unlisted tools that it matches, since it matches its own text; so does `*`, which no other glob
 * matches and no tool can be called. Pure.
 */
import type { PolicyDocument } from "../document/document.ts";
import { toolFamilies } from "../intent-guard/tool-families.ts";
import { parseSelector } from "../selectors.ts";
import { byCodeUnit } from "./json-fields.ts";

const MAX_NAMES = 2_000;

interface ToolNames {
  readonly all: readonly string[];
  readonly truncated: boolean;
}

export function toolNamesOf(documents: readonly PolicyDocument[], seen: readonly string[]): ToolNames {
  const found = new Set(["*", ...seen]);
  if (documents.some(({ intentGuard }) => intentGuard?.enabled)) {
    for (const name of familyExamples) found.add(name);
  }
  for (const text of documents.flatMap(selectorTexts)) {
    const selector = parseSelector(text);
    if (selector.ok && (selector.value.kind === "name" || selector.value.kind === "glob")) found.add(text);
  }
  const sorted = [...found].sort(byCodeUnit);
  return { all: sorted.slice(0, MAX_NAMES), truncated: sorted.length > MAX_NAMES };
}

/** One of each built-in family, so that a comparison tells what becomes of those tools without naming all of them. */
const familyExamples = Object.values(toolFamilies).flatMap((names: readonly string[]) =>
  names.filter((name) => name.endsWith("_*")).slice(0, 1),
);

function selectorTexts({ tools, rateLimits, modes, intents, families }: PolicyDocument): string[] {
  return [
    ...Object.keys(tools),
    ...Object.keys(rateLimits),
    ...Object.values(modes).flatMap(({ allow, deny }) => [...allow, ...deny]),
    ...Object.values(intents).flatMap((intent) => intent.tools ?? []),
    ...Object.values(families).flat(),
  ];
}
