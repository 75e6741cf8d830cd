/** Finds the families of a tool: the policy's, else the built-in ones by its name. Pure. */

import { once } from "../lib/once.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import { toolFamilies, unknownFamily } from "./intent-guard/tool-families.ts";
import { matchesGlob, type Selectable, selectsAny } from "./selectors.ts";

/**
 * Families that the policy sets, on the tool or for the document, replace the built-in family. The built-in ones apply only
 * if `intentGuard` is in force.
 */
export function familiesOf(
  policy: CompiledPolicy,
  tool: Selectable,
  own: ToolSettings | undefined,
): ReadonlySet<string> {
  const members = policy.families.filter((family) => selectsAny(family.members, tool)).map((family) => family.name);
  const set = new Set([...(own?.families ?? []), ...members]);
  if (policy.intentGuard === undefined || set.size > 0) return set;
  return new Set([own?.families === undefined ? builtInFamilyOf(tool.name) : unknownFamily]);
}

interface FamilyGlob {
  readonly family: string;
  readonly pieces: readonly string[];
  readonly letters: number;
}

const members = () =>
  Object.entries(toolFamilies).flatMap(([family, texts]) => texts.map((text) => ({ family, text })));

const byName = once(
  (): ReadonlyMap<string, string> =>
    new Map(
      members()
        .filter(({ text }) => !text.includes("*"))
        .map(({ family, text }) => [text, family]),
    ),
);

/** The most specific first; among equals the family that is named first. */
const globs = once((): readonly FamilyGlob[] =>
  members()
    .filter(({ text }) => text.includes("*"))
    .map(({ family, text }) => ({ family, pieces: text.split("*"), letters: text.length - 1 }))
    .sort((a, b) => b.letters - a.letters),
);

/** No honest name is longer. */
const maxName = 256;

/** @returns `unknown` if no built-in name fits. */
export function builtInFamilyOf(tool: string): string {
  if (tool.length > maxName) return unknownFamily;
  for (const name of spellings(tool)) {
    const family = byName().get(name) ?? globs().find(({ pieces }) => matchesGlob(pieces, name))?.family;
    if (family !== undefined) return family;
  }
  return unknownFamily;
}

/**
 * `WebFetch`, `web-fetch` and `web.fetch` are `web_fetch`. If a server precedes the tool (`mcp__github__list_commits`,
 * `fs/read_file`), the two together are tried first, since the server says more than the tool's own name.
 */
function spellings(tool: string): readonly string[] {
  const parts = tool
    .split(/__|[./:]/u)
    .map(snakeCase)
    .filter((part) => part !== "" && part !== "mcp");
  const last = parts.at(-1) ?? "";
  const whole = parts.join("_");
  return whole === last ? [whole] : [whole, last];
}

const snakeCase = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[-\s_]+/g, "_")
    .replace(/^_|_$/g, "");
