/** One after the other: each piece of work begins when the one before has ended, well or not. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>;

export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}
