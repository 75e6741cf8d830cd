/** As `Promise.allSettled` of the work on each, in order, no more than `atOnce` of it under way. */
export async function settleFew<T, R>(
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
