/**
 * The outcome of calls, from the decisions on them: a call that a person was asked about has two, the question and the decision after
 * the answer. The gateway's own handshake is no call of the client's tools.
 */
export interface Outcomes {
  readonly allow: number;
  /** A question without a later decision: it waits, or expired. */
  readonly confirm: number;
  readonly deny: number;
}

/** SQL: whether the row of `decisions` is the last one on a call. @param before SQL for the time up to which decisions count. */
export const isOutcome = (row: string, before = ""): string => `json_extract(${row}.record, '$.disposition') <> 'hidden'
  AND NOT (${row}.effect = 'confirm' AND ${row}.approval IS NOT NULL AND EXISTS (
    SELECT 1 FROM decisions later INDEXED BY decisions_by_approval
    WHERE later.tenant = ?1 AND later.approval = ${row}.approval AND later.effect <> 'confirm' ${before}))`;

export function outcomesOf(rows: readonly { readonly effect: keyof Outcomes; readonly calls: number }[]): Outcomes {
  const sum = { allow: 0, confirm: 0, deny: 0 };
  for (const { effect, calls } of rows) sum[effect] += calls;
  return sum;
}
