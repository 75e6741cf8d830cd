/** Counts calls that another policy would decide otherwise: what `replay` and the candidate's comparison list. */
import type { ReplayView } from "../../api-views/policy-views.ts";

type Change = ReplayView["changes"][number];
type Example = Change["examples"][number];

/** Per change. */
const EXAMPLES = 5;

export function changeCounter() {
  const changes = new Map<string, Change & { calls: number; readonly examples: Example[] }>();
  return {
    /** @param call `from` is the effect that it had, `to` the one that it would have; reasons by code. */
    add(call: Omit<Change, "calls" | "examples">, example: Example): void {
      const key = JSON.stringify([call.tool, call.from, call.to, call.reasons]);
      const change = changes.get(key) ?? { ...call, calls: 0, examples: [] };
      change.calls += 1;
      if (change.examples.length < EXAMPLES) change.examples.push(example);
      changes.set(key, change);
    },
    /** The most frequent first. */
    byCalls: (): readonly Change[] => [...changes.values()].sort((a, b) => b.calls - a.calls),
  };
}
