/** Reads from the audit trail in D1 how the tasks of the two arms went, side by side. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Arm } from "../../session/arm.ts";
import {
  COUNT_ARMED,
  EDGES,
  OF_DECISIONS,
  OF_ENDINGS,
  OF_RUNS,
  OF_TASKS,
  OF_TURNS,
  UNDER_MODELS,
  UNDER_POLICIES,
} from "./experiment-sql.ts";

/** Turns with an arm in one range. Every statement reads each: some seconds of the database, which does nothing else meanwhile. */
export const MAX_TURNS = 25_000;
export const MAX_INTENTS = 100;
/** Both arms of one more than are told, and of all. */
const MAX_ROWS = 2 * (MAX_INTENTS + 2);
/** Policies, and models, of one answer. */
const MAX_UNDER = 20;

export interface ExperimentFilter {
  /** Milliseconds since the epoch: `from` ≤ at < `to`. */
  readonly from: number;
  readonly to: number;
  /** Of tasks that began with it. */
  readonly intent?: string | undefined;
  /** Digest of the document that they began under. */
  readonly policy?: string | undefined;
}

/** Of one arm, with one intent, or all of them where `whole` is 1. */
export interface Scoped {
  readonly whole: 0 | 1;
  readonly intent: string | null;
  readonly arm: Arm;
}

export interface Times {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
}

/** Sums; tokens are null where no turn told them. */
export interface TurnFigures extends Scoped, Times {
  readonly turns: number;
  readonly tasks: number;
  readonly users: number;
  readonly calls: number;
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  /** Turns that called the model and did not tell what that used. */
  readonly untold: number;
  readonly errors: number;
}

/** Of each task the last that system-first execution came to in it: together they are the tasks. */
export interface OutcomeFigures {
  readonly came_to_ran: number;
  readonly came_to_asked_person: number;
  readonly came_to_refused: number;
  readonly came_to_denied_by_person: number;
  readonly came_to_asked_values: number;
  readonly came_to_left: number;
  readonly came_to_none: number;
}

/** `told`: tasks of which every turn told what it used; tokens are their means. */
export interface TaskFigures extends Scoped, Times, OutcomeFigures {
  readonly told: number;
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly total: number | null;
  /** Tasks in which the gateway asked for values, whatever they came to. */
  readonly questioned: number;
}

export interface DecisionFigures extends Scoped {
  readonly decisions: number;
  /** By the rules. */
  readonly refused: number;
  readonly denied_by_person: number;
  readonly asked: number;
  readonly by_system: number;
}

export interface RunFigures extends Scoped {
  readonly runs: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly unknown: number;
  readonly not_started: number;
}

export interface EndingCount extends Scoped {
  readonly stop_reason: string;
  readonly turns: number;
}

/** What tasks began under, and how many of each arm. */
export interface Under {
  readonly name: string;
  readonly llm_first: number;
  readonly system_first: number;
}

export interface ExperimentFigures {
  readonly turns: readonly TurnFigures[];
  readonly tasks: readonly TaskFigures[];
  readonly decisions: readonly DecisionFigures[];
  readonly runs: readonly RunFigures[];
  readonly endings: readonly EndingCount[];
  readonly policies: readonly Under[];
  readonly models: readonly Under[];
  /** Users who were in both arms with one intent. */
  readonly inBoth: number;
  /** Turns of tasks that began before the range: not among the figures. */
  readonly begunBefore: number;
  /** Tasks of the range whatever the filter says, of its intent alone, and under its policy alone. */
  readonly found: { readonly all: number; readonly intent: number; readonly policy: number };
}

interface Edges {
  readonly in_both: number;
  readonly begun_before: number;
  readonly of_all: number;
  readonly of_intent: number;
  readonly of_policy: number;
}

/** The range holds more turns than are compared at once. */
export type TooManyTurns = "too_many_turns";

export async function queryExperiments(
  db: D1Database,
  tenant: string,
  { from, to, intent, policy }: ExperimentFilter,
  atMost = MAX_TURNS,
): Promise<Result<ExperimentFigures, TooManyTurns>> {
  const counted = await db.prepare(COUNT_ARMED).bind(tenant, from, to, atMost).first<{ n: number }>();
  if ((counted?.n ?? 0) > atMost) return err("too_many_turns");
  const read = (sql: string, limit: number) =>
    db.prepare(sql).bind(tenant, from, to, intent ?? null, policy ?? null, limit);
  // One transaction: what is delivered meanwhile is in all of them, or in none.
  const found = await db.batch([
    ...[OF_TURNS, OF_TASKS, OF_DECISIONS, OF_RUNS, OF_ENDINGS].map((sql) => read(sql, MAX_ROWS)),
    ...[UNDER_POLICIES, UNDER_MODELS].map((sql) => read(sql, MAX_UNDER)),
    read(EDGES, 1),
  ]);
  const rows = <T>(place: number) => (found[place]?.results ?? []) as T[];
  const [edge] = rows<Edges>(7);
  return ok({
    turns: rows<TurnFigures>(0),
    tasks: rows<TaskFigures>(1),
    decisions: rows<DecisionFigures>(2),
    runs: rows<RunFigures>(3),
    endings: rows<EndingCount>(4),
    policies: rows<Under>(5),
    models: rows<Under>(6),
    inBoth: edge?.in_both ?? 0,
    begunBefore: edge?.begun_before ?? 0,
    found: { all: edge?.of_all ?? 0, intent: edge?.of_intent ?? 0, policy: edge?.of_policy ?? 0 },
  });
}
