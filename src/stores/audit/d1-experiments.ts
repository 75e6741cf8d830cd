/** Compares in D1 how turns ended in which the model decides first with how those ended in which the system does. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Variant } from "../../session/variant.ts";
import type { AuditReader } from "./shards/shards.ts";

/** The query reads each of them: some seconds of the database, which does nothing else meanwhile. */
export const MAX_TURNS = 25_000;
/** Both variants of a hundred intents. */
export const MAX_ROWS = 200;

export interface ExperimentFilter {
  /** Milliseconds since the epoch: `from` ≤ at < `to`. */
  readonly from: number;
  readonly to: number;
  /** The intent that the turn began with. */
  readonly intent?: string | undefined;
  /** Digest of the policy document. */
  readonly policy?: string | undefined;
}

/** The turns of one variant that began with one intent. */
interface ExperimentRow {
  readonly intent: string | null;
  readonly arm: Variant;
  readonly tasks: number;
  readonly turns: number;
  /** Turns that ended well, without a refused call. */
  readonly succeeded: number;
  readonly failed: number;
  /** Turns in which the rules refused a call. A person's denial is not counted. */
  readonly refused: number;
  /** Calls of the model. */
  readonly mean_steps: number;
  /** Among the turns whose upstream reported its usage. */
  readonly mean_tokens: number | null;
  readonly mean_ms: number;
}

const IN_RANGE = "FROM armed_turns a WHERE tenant = ?1 AND at >= ?2 AND at < ?3";
const COUNT_TURNS = `SELECT COUNT(*) AS n FROM (SELECT 1 ${IN_RANGE} LIMIT ?4)`;

const HAS_REFUSED_CALL = `EXISTS (SELECT 1 FROM decisions d INDEXED BY decisions_by_turn
  WHERE d.tenant = ?1 AND d.turn = a.id AND json_extract(d.record, '$.disposition') = 'refused' AND NOT EXISTS
    (SELECT 1 FROM decision_reasons r WHERE r.decision_id = d.id AND r.code = 'approval_denied'))`;

export const COMPARE_VARIANTS = `SELECT intent, arm, SUM(begins) AS tasks, COUNT(*) AS turns,
  SUM(result IS 'succeeded') AS succeeded, SUM(result IS 'failed') AS failed, SUM(result IS 'refused') AS refused,
  AVG(calls) AS mean_steps, AVG(CASE WHEN calls = 0 THEN 0 ELSE total END) AS mean_tokens, AVG(ms) AS mean_ms
FROM (SELECT *, CASE WHEN failed OR stop_reason = 'intent_execution_failed' THEN 'failed'
    WHEN stop_reason = 'tool_policy_blocked' OR ${HAS_REFUSED_CALL} THEN 'refused'
    WHEN stop_reason = 'completed' THEN 'succeeded' END AS result
  ${IN_RANGE} AND (?4 IS NULL OR intent = ?4) AND (?5 IS NULL OR policy = ?5))
GROUP BY intent, arm ORDER BY intent, arm LIMIT ?6`;

/** @returns at most `MAX_ROWS` rows and one more, or an error if the range has more than `maxTurns` turns. */
export async function queryExperiments(
  db: AuditReader,
  tenant: string,
  { from, to, intent, policy }: ExperimentFilter,
  maxTurns = MAX_TURNS,
): Promise<Result<readonly ExperimentRow[], "too_many_turns">> {
  const range = [tenant, from, to];
  const counted = await db
    .prepare(COUNT_TURNS)
    .bind(...range, maxTurns + 1)
    .first<{ n: number }>();
  if ((counted?.n ?? 0) > maxTurns) return err("too_many_turns");
  const found = db.prepare(COMPARE_VARIANTS).bind(...range, intent ?? null, policy ?? null, MAX_ROWS + 1);
  return ok((await found.all<ExperimentRow>()).results);
}
