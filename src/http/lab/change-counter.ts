/** Counts calls that another policy would decide otherwise: what `replay` and the candidate's comparison list. */

interface ChangedCall {
  readonly tool: string;
  /** The effect that it had, and the one that it would have. */
  readonly from: string;
  readonly to: string;
  /** Codes. */
  readonly reasons: readonly string[];
}

interface Example {
  readonly turn: string;
  readonly decision: string;
  readonly at: string;
}

interface Change extends ChangedCall {
  calls: number;
  readonly examples: Example[];
}

/** Of one change. */
const EXAMPLES = 5;

export function changeCounter() {
  const changes = new Map<string, Change>();
  return {
    add(call: ChangedCall, example: Example): void {
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
