/** The ledger of managed calls as rows, and as runs. */
import type { StoredRun } from "../../../ports/calls-port.ts";
import type { RunEntry, RunOutcome, RunStatus } from "../../../tools/run.ts";
import { selectOne } from "../../objects/sql-rows.ts";

export interface RunRow extends Record<string, SqlStorageValue> {
  ordinal: number;
  decision: string;
  session: string;
  task: number;
  epoch: number | null;
  families: string;
  soft: number;
  turn: string;
  holder: string;
  request: string;
  step: number;
  call_id: string;
  tool: string;
  arguments: string;
  extra: string | null;
  at: number;
  policy: string;
  entry: string;
  deadline: number;
  status: string;
  outcome: string | null;
  ended: number | null;
}

export const findRun = (sql: SqlStorage, decision: string): RunRow | undefined =>
  selectOne<RunRow>(sql, "SELECT * FROM runs WHERE decision = ?", decision);

/** UTF-16 units of the runs in the answer of one open, which has at most 32 MB. */
const MAX_UNITS = 4 * 1024 * 1024;
const LEFT_OUT = "the result is too long to be told again";

/** All runs, without the results beyond the limit: a turn cannot continue from more. */
export function toRunsWithinLimit(rows: readonly RunRow[]): StoredRun[] {
  let units = 0;
  return rows.map(toRun).map((run) => {
    units += run.arguments.length + (run.outcome?.text.length ?? 0);
    return units <= MAX_UNITS || !run.outcome
      ? run
      : { ...run, outcome: { ...run.outcome, text: LEFT_OUT, cut: true } };
  });
}

export const toRun = (row: RunRow): StoredRun => {
  const { madeBy, ...entry } = JSON.parse(row.entry) as RunEntry & Pick<StoredRun, "madeBy">;
  return {
    id: row.decision,
    callId: row.call_id,
    tool: row.tool,
    arguments: row.arguments,
    extra: row.extra === null ? undefined : (JSON.parse(row.extra) as Record<string, unknown>),
    step: row.step,
    ordinal: row.ordinal,
    status: row.status as RunStatus,
    entry,
    ...(madeBy ? { madeBy } : {}),
    outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as RunOutcome),
  };
};

/** The key of a run's uses: negative, since runs and released calls number their ordinals separately. */
export const usesOf = (ordinal: number): number => -ordinal;
