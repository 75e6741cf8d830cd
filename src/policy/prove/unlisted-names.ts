/**
 * Finds names that represent all unlisted tools: clients and servers choose names, and a policy distinguishes them only by its globs. Pure.
 *
 * Each representative meets as few globs as a name that meets its own can: the text between their pieces holds a letter that no glob
 * has. Three globs are enough to loosen: one of a mode, one of an intent's tools, one of a family.
 */
import type { CompiledPolicy } from "../compile.ts";
import { toolFamilies } from "../intent-guard/tool-families.ts";
import { matchesGlob, type Selector, selectorKind } from "../selectors.ts";

type Pieces = readonly string[];

const MOST_AT_ONCE = 3;

interface NamePattern {
  readonly pieces: Pieces;
  readonly name: string;
}

/**
 * @param named names and globs that the policy holds.
 * @returns undefined if there are more combinations of the globs than `most`.
 */
export function unlistedNames(
  policy: CompiledPolicy,
  named: readonly string[],
  most: number,
): readonly string[] | undefined {
  const texts = [...new Set([...named, ...builtInTexts(policy)])];
  const filler = fillerFor(texts);
  const whole = texts.filter((text) => !text.includes("*"));
  const pool = texts.filter((text) => text.includes("*")).map((text) => text.split("*"));
  const found = new Map<string, NamePattern>();
  const add = (pieces: Pieces): NamePattern | undefined => {
    const name = pieces.join(filler);
    if (name.length > 128 || policy.tools.has(name) || found.has(name)) return undefined;
    const added = { pieces, name };
    found.set(name, added);
    return added;
  };
  let last: NamePattern[] = [{ pieces: ["", ""], name: filler }];
  found.set(filler, { pieces: ["", ""], name: filler });
  for (let depth = 0; depth < MOST_AT_ONCE && last.length > 0; depth++) {
    const next: NamePattern[] = [];
    for (const one of last)
      for (const glob of pool) {
        if (matchesGlob(glob, one.name)) continue;
        for (const joined of intersections(one.pieces, glob)) {
          const added = add(joined);
          if (added) next.push(added);
        }
        if (found.size > most) return undefined;
      }
    last = next;
  }
  return [...found.keys(), ...whole.filter((name) => !policy.tools.has(name))];
}

/** The built-in families distinguish names too. One glob and one whole name represent each family. */
const builtInTexts = ({ intentGuard }: CompiledPolicy): readonly string[] =>
  intentGuard === undefined
    ? []
    : Object.values(toolFamilies).flatMap((texts: readonly string[]) => [
        ...texts.filter((text) => text.includes("*")).slice(0, 1),
        ...texts.filter((text) => !text.includes("*")).slice(0, 1),
      ]);

/** A text that matches no glob: it has a letter that no glob has. */
function fillerFor(texts: readonly string[]): string {
  const used = new Set(texts.join(""));
  const letter = [..."zqxjkvwyubfgpmhldcrnoistae0123456789"].find((one) => !used.has(one)) ?? "zqxjk";
  return `${letter}${letter}`;
}

/** Names that meet both: the longer beginning and end, and the pieces between in either order. */
function intersections(one: Pieces, other: Pieces): readonly Pieces[] {
  const [head, otherHead] = [one[0] ?? "", other[0] ?? ""];
  const [tail, otherTail] = [one.at(-1) ?? "", other.at(-1) ?? ""];
  if (!head.startsWith(otherHead) && !otherHead.startsWith(head)) return [];
  if (!tail.endsWith(otherTail) && !otherTail.endsWith(tail)) return [];
  const [begin, end] = [longer(head, otherHead), longer(tail, otherTail)];
  const [inner, otherInner] = [one.slice(1, -1), other.slice(1, -1)];
  const first = [begin, ...inner, ...otherInner, end];
  if (inner.length === 0 || otherInner.length === 0) return [first];
  return [first, [begin, ...otherInner, ...inner, end]];
}

const longer = (one: string, other: string): string => (one.length >= other.length ? one : other);

/** The globs of a list of selectors. */
export const globsAmong = (patterns: readonly Selector[]): readonly string[] =>
  patterns.flatMap((one) => (one.kind === "glob" ? [one.pieces.join("*")] : []));

export const namesMeant = (text: string | undefined): readonly string[] =>
  text !== undefined && ["name", "glob"].includes(selectorKind(text) ?? "") ? [text] : [];
