/**
 * The order of the arguments of a call that has too many to show at once: where it goes, how much, and what it is done to come first, so that
 * a model cannot crowd them out. Pure.
 */
import { guessRole } from "../../policy/origin/roles/roles.ts";
import { toolEffects } from "../../policy/origin/roles/tool-verbs.ts";

/** Fewer are all shown, in their own order. */
export const MAX_VALUES = 10;
/** A guess takes 3 µs. */
const MAX_GUESSED = 500;

interface OrderedNames {
  readonly names: readonly string[];
  /** How many of them, from the first on, are never left out. */
  readonly leading: number;
}

const ranks = { destination: 0, amount: 1, object: 2, content: 3 } as const;
const LAST = ranks.content;

export function authorityFirst(tool: string, names: readonly string[]): OrderedNames {
  if (names.length <= MAX_VALUES) return { names, leading: 0 };
  const effects = toolEffects(tool, undefined);
  const rankOf = (name: string, at: number): number => {
    if (at >= MAX_GUESSED) return LAST;
    const { role, unsure } = guessRole({ tool, effects, name, path: [] });
    return unsure ? LAST : ranks[role];
  };
  const ranked = names.map((name, at) => ({ name, rank: rankOf(name, at) }));
  return {
    names: ranked.toSorted((one, other) => one.rank - other.rank).map(({ name }) => name),
    leading: ranked.filter(({ rank }) => rank < LAST).length,
  };
}
