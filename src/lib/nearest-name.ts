/** The name that somebody meant who misspelt one. Pure. */

/** Of the known names the one with the fewest slips, at most one in five characters; undefined where none is that near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(name.length / 5)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const slips = slipsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (slips < fewest) [nearest, fewest] = [candidate, slips];
  }
  return nearest;
}

/** To be put behind a message that names what is not known; empty where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `: did you mean \`${nearest}\`?`;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let [before, previous] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      current[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, previous] = [previous, current];
  }
  return previous[other.length] ?? 0;
}
