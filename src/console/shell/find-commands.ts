/** Finds the commands that match a query of the palette. Pure. */

/** Commands that contain the query's letters in this order; those that begin with it come first. */
export function findCommands<C extends { readonly name: string }>(all: readonly C[], query: string): readonly C[] {
  const wanted = query.trim().toLowerCase();
  const rank = ({ name }: C): number => {
    const words = name.toLowerCase();
    if (words.startsWith(wanted)) return 0;
    if (words.includes(wanted)) return 1;
    return holdsInOrder(words, wanted) ? 2 : 3;
  };
  return all
    .map((command) => [rank(command), command] as const)
    .filter(([rank]) => rank < 3)
    .sort(([one], [other]) => one - other)
    .map(([, command]) => command);
}

function holdsInOrder(words: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = words.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
