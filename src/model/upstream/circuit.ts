/**
 * Which upstreams have failed lately: they are asked last for a while, so that a dead one does not cost each request
 * its time-out. When the while is over one request asks it in its place; the others wait for how that went. Pure.
 */

/** Upstream (from 0) → until when it is asked last. */
export type Circuit = ReadonlyMap<number, number>;

export const CLOSED: Circuit = new Map();

/** How long an upstream that has failed is asked last. */
export const COOL_MS = 30_000;
/** However long an upstream asks to be left alone. */
const LONGEST_MS = 300_000;

/** The order of `count` upstreams for one request, and what others find. */
export function orderOf(circuit: Circuit, count: number, now: number): { order: number[]; circuit: Circuit } {
  const all = Array.from({ length: count }, (_, index) => index);
  if (circuit.size === 0) return { order: all, circuit };
  const failed = all.filter((index) => (circuit.get(index) ?? 0) > now);
  const asked = all.filter((index) => !failed.includes(index));
  const probed = asked.filter((index) => circuit.has(index));
  return {
    order: [...asked, ...failed],
    circuit:
      probed.length === 0 ? circuit : new Map([...circuit, ...probed.map((index) => [index, now + COOL_MS] as const)]),
  };
}

/** @param holdMs how long the upstream asked to be left alone. */
export function trip(circuit: Circuit, index: number, now: number, holdMs: number): Circuit {
  return new Map([...circuit, [index, now + Math.max(COOL_MS, Math.min(holdMs, LONGEST_MS))]]);
}

export function recover(circuit: Circuit, index: number): Circuit {
  return circuit.has(index) ? new Map([...circuit].filter(([other]) => other !== index)) : circuit;
}
