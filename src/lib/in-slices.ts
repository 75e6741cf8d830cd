/** Runs long work in slices, and lets others have the thread in between: workerd on one's own machine has a single one for all. */
export async function inSlices<T>(slices: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
