/** What the log's line for a turn tells of its managed calls: no argument, no result, no text of a tool's. Pure. */
import type { RunFacts } from "./request-facts.ts";
import { shortName } from "./safe-words.ts";

/** A model may ask for many in one turn. */
const MAX_UNDONE = 32;

export interface RunLine {
  /** Those that the turn ran, and those of an earlier try of the request that it waited for. */
  readonly count: number;
  readonly awaited?: number;
  /** Those that did not start count too. */
  readonly failed: number;
  readonly unknown: number;
  /** Of each, added up; `ms.tools` is what the reply waited. */
  readonly ms: number;
  readonly undone?: readonly { readonly tool: string; readonly status: string; readonly failure?: string }[];
}

/** @returns undefined for a turn without any. */
export function runLine(runs: readonly RunFacts[]): RunLine | undefined {
  if (runs.length === 0) return undefined;
  const undone = runs.filter(({ status }) => status !== "succeeded");
  const failed = undone.filter(({ status }) => status === "failed" || status === "not_started");
  return {
    count: runs.length,
    awaited: runs.filter(({ awaited }) => awaited).length || undefined,
    failed: failed.length,
    unknown: undone.length - failed.length,
    ms: runs.reduce((sum, { beganAt, endedAt = beganAt }) => sum + endedAt - beganAt, 0),
    undone:
      undone.length === 0
        ? undefined
        : undone.slice(0, MAX_UNDONE).map(({ tool, status, failure }) => ({ tool: shortName(tool), status, failure })),
  };
}
