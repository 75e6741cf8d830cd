/** Decisions of a candidate that differ from those in force, from the records of the turns that it judged. */
import type { CandidateAccount } from "../../ports/turns/turn-account.ts";
import type { AuditReader } from "./shards/shards.ts";

/** Reads at most this many recent turns: each record is several KB. */
const TURNS = 2_000;

export interface ComparedTurn {
  readonly id: string;
  readonly at: number;
  readonly candidate: CandidateAccount;
}

/** The newest first. @param from milliseconds since the epoch: when the candidate was set. */
export async function queryCompared(
  db: AuditReader,
  { tenant, digest, from }: { readonly tenant: string; readonly digest: string; readonly from: number },
): Promise<readonly ComparedTurn[]> {
  const { results } = await db
    .prepare(
      `WITH recent AS (SELECT id, at, record FROM turns WHERE tenant = ?1 AND at >= ?2 ORDER BY at DESC, id DESC LIMIT ${TURNS})
       SELECT id, at, json_extract(record, '$.candidate') AS candidate FROM recent
       WHERE json_extract(record, '$.candidate.policy') = ?3`,
    )
    .bind(tenant, from, digest)
    .all<{ id: string; at: number; candidate: string }>();
  return results.map((row) => ({ ...row, candidate: JSON.parse(row.candidate) as CandidateAccount }));
}
