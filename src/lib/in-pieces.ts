/**
 * Long work that lets others have their turn: a generator that yields, and whoever runs it to its end at once or in pieces.
 * An isolate has one thread; what takes a tenth of a second would hold up every request in it.
 */

/** Yields about how much was done since the last time, in the units of `WorkBudget`. */
export type Piecework<T> = Generator<number, T, void>;

/** About 5 ms. */
const PIECE = 50_000;

export async function inPieces<T>(work: Piecework<T>): Promise<T> {
  let done = 0;
  for (;;) {
    const { done: isOver, value } = work.next();
    if (isOver) return value;
    done += value;
    if (done < PIECE) continue;
    done = 0;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

export function atOnce<T>(work: Piecework<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
