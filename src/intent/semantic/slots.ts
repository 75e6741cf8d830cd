/** A hash table of 32-bit hashes, by open addressing and at most half full. Pure. */

/** Finds the index that a hash has in `hashes`, or -1; of equal hashes the first. */
export function slotsOf(hashes: Uint32Array): (hash: number) => number {
  let size = 16;
  while (size < hashes.length * 2) size *= 2;
  const mask = size - 1;
  const slots = new Int32Array(size);
  const slotOf = (hash: number): number => {
    let slot = hash & mask;
    for (;;) {
      const taken = slots[slot] as number;
      if (taken === 0 || hashes[taken - 1] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  };
  for (let i = 0; i < hashes.length; i++) {
    const slot = slotOf(hashes[i] as number);
    if (slots[slot] === 0) slots[slot] = i + 1;
  }
  return (hash) => (slots[slotOf(hash)] as number) - 1;
}
