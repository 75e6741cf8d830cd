/** Runs work in order, a few pieces at once, or in pieces that let other requests run. */

/** Each piece of work begins when the one before has ended, whether it succeeded or failed. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>;

export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}

/** As `Promise.allSettled` of the work on each, in order, no more than `atOnce` of it under way. */
export async function runWithLimit<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
  const settled: PromiseSettledResult<R>[] = [];
  let next = 0;
  const goOn = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      [settled[index]] = (await Promise.allSettled([work(items[index] as T)])) as [PromiseSettledResult<R>];
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
  return settled;
}

/** Yields an estimate of the work since the last time, in the units of `WorkBudget`; undefined: other requests should run now. */
export type CooperativeTask<T> = Generator<number | undefined, T, void>;

/** About 5 ms. */
const PIECE = 50_000;

/** Other requests have the thread in between: local workerd has a single one for all. */
export async function runYielding<T>(work: CooperativeTask<T>): Promise<T> {
  let done = 0;
  for (;;) {
    const { done: isOver, value } = work.next();
    if (isOver) return value;
    done += value ?? PIECE;
    if (done < PIECE) continue;
    done = 0;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

export function runBlocking<T>(work: CooperativeTask<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
