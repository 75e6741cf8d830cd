/**
 * Calls that the turn has released to the program and that have not run yet. A tool runs only calls in this ledger, each once: whatever
 * a framework makes of the model's answer, the arguments that run are those that were vetted.
 */
import type { ReleasedCall } from "../../wire/call-parts.ts";

/** More than any program leaves without running them. */
const MAX_CALLS = 1_000;

export interface CallLedger {
  release(calls: readonly ReleasedCall[]): void;
  isReleased(id: string, tool: string): boolean;
  /** @param fits whether these arguments are the ones that are to run. @returns whether the call may run now. */
  take(id: string, tool: string, fits: (args: string) => Promise<boolean>): Promise<boolean>;
}

export function callLedger(): CallLedger {
  let released: ReleasedCall[] = [];
  const named = (id: string, tool: string) => released.filter((call) => call.id === id && call.tool === tool);
  return {
    release(calls) {
      released = [...released, ...calls].slice(-MAX_CALLS);
    },
    isReleased: (id, tool) => named(id, tool).length > 0,
    async take(id, tool, fits) {
      for (const call of named(id, tool)) {
        if (!(await fits(call.arguments))) continue;
        // Another run may have taken it meanwhile.
        if (!released.includes(call)) continue;
        released = released.filter((one) => one !== call);
        return true;
      }
      return false;
    },
  };
}
