/** Adds the pages of a replay up. Pure. */
import type { ReplayView } from "../../api-views/policy-views.ts";

type Change = ReplayView["changes"][number];

export interface Replayed {
  readonly judged: number;
  readonly same: number;
  readonly unjudged: number;
  /** The most calls first. */
  readonly changes: readonly Change[];
}

export function addPage(sum: Replayed | undefined, page: ReplayView): Replayed {
  const changes = new Map((sum?.changes ?? []).map((change) => [keyOf(change), change]));
  for (const change of page.changes) {
    const known = changes.get(keyOf(change));
    const both = known ? { ...known, calls: known.calls + change.calls } : change;
    changes.set(keyOf(change), both);
  }
  const unjudged = Object.values(page.unjudged).reduce((all, count) => all + count, 0);
  return {
    judged: (sum?.judged ?? 0) + page.judged,
    same: (sum?.same ?? 0) + page.same,
    unjudged: (sum?.unjudged ?? 0) + unjudged,
    changes: [...changes.values()].sort((one, other) => other.calls - one.calls),
  };
}

const keyOf = ({ tool, from, to, reasons }: Change): string => JSON.stringify([tool, from, to, reasons]);
