/** The comparison of the two arms, as the API tells it. Pure. */
import type { Arm } from "../../session/arm.ts";
import {
  type ExperimentFigures,
  type ExperimentFilter,
  MAX_INTENTS,
  type Scoped,
  type TaskFigures,
  type Times,
  type TurnFigures,
} from "../../stores/audit/d1-experiments.ts";
import { ENOUGH_TASKS, experimentNotes } from "./experiment-notes.ts";

type ArmFigures = ReturnType<typeof armView>;

export function experimentsView(figures: ExperimentFigures, tenant: string, filter: ExperimentFilter) {
  const { from, to, intent } = filter;
  const intents = [...new Set(figures.turns.flatMap((row) => (row.whole === 0 ? (row.intent ?? []) : [])))];
  const told = intent === undefined ? [null, ...intents.slice(0, MAX_INTENTS)] : [intent];
  return {
    object: "list",
    data: told.map((name) => experiment(figures, name)),
    has_more: intent === undefined && intents.length > MAX_INTENTS,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    enough_tasks: ENOUGH_TASKS,
    policies: figures.policies.map(({ name, ...tasks }) => ({ policy: name, tasks })),
    models: figures.models.map(({ name, ...tasks }) => ({ model: name, tasks })),
    notes: experimentNotes(figures, tenant, filter),
  };
}

/** @param intent null: all of them. */
function experiment(figures: ExperimentFigures, intent: string | null) {
  const [llm, system] = [armView(figures, intent, "llm_first"), armView(figures, intent, "system_first")];
  return {
    object: "experiment",
    intent,
    arms: { llm_first: llm, system_first: system },
    ratios: ratios(llm, system),
  };
}

function armView({ turns, tasks, decisions, runs, endings }: ExperimentFigures, intent: string | null, arm: Arm) {
  const own = (row: Scoped) =>
    row.arm === arm && (intent === null ? row.whole === 1 : row.whole === 0 && row.intent === intent);
  const [turn, task, decided, ran] = [turns.find(own), tasks.find(own), decisions.find(own), runs.find(own)];
  const perTask = (n: number | undefined) => (turn?.tasks ? rounded((n ?? 0) / turn.tasks) : null);
  const stopReasons = endings.filter(own).map((row) => [row.stop_reason, row.turns] as const);
  return {
    tasks: turn?.tasks ?? 0,
    turns: turn?.turns ?? 0,
    users: turn?.users ?? 0,
    model_calls: { total: turn?.calls ?? 0, per_task: perTask(turn?.calls) },
    tokens: tokensView(turn, task),
    latency_ms: { turn: times(turn), task: times(task) },
    decisions: {
      total: decided?.decisions ?? 0,
      refused: decided?.refused ?? 0,
      denied_by_person: decided?.denied_by_person ?? 0,
      asked: decided?.asked ?? 0,
      made_by_system: decided?.by_system ?? 0,
      refused_per_task: perTask(decided?.refused),
    },
    runs: {
      total: ran?.runs ?? 0,
      succeeded: ran?.succeeded ?? 0,
      failed: ran?.failed ?? 0,
      unknown: ran?.unknown ?? 0,
      not_started: ran?.not_started ?? 0,
    },
    tasks_by_outcome: {
      ran: task?.came_to_ran ?? 0,
      asked_person: task?.came_to_asked_person ?? 0,
      refused: task?.came_to_refused ?? 0,
      denied_by_person: task?.came_to_denied_by_person ?? 0,
      asked_values: task?.came_to_asked_values ?? 0,
      left: task?.came_to_left ?? 0,
      // The system had nothing to do, as in every task of the other arm, or did not get to it.
      none: task?.came_to_none ?? 0,
    },
    stop_reasons: Object.fromEntries(stopReasons),
    errors: turn?.errors ?? 0,
  };
}

/** Those of a task are told of tasks of which every turn told what it used: of the others they would be too few. */
function tokensView(turn: TurnFigures | undefined, task: TaskFigures | undefined) {
  const { prompt = null, completion = null, total = null } = turn ?? {};
  return {
    prompt,
    completion,
    total,
    turns_untold: turn?.untold ?? 0,
    tasks_told: task?.told ?? 0,
    per_task: {
      prompt: rounded(task?.prompt ?? null),
      completion: rounded(task?.completion ?? null),
      total: rounded(task?.total ?? null),
    },
  };
}

const times = (row: Times | undefined) => ({
  mean: rounded(row?.mean ?? null),
  p50: row?.p50 ?? null,
  p95: row?.p95 ?? null,
});

/** System first over model first: below 1 is less. Null where an arm has too few tasks, or there is nothing to divide by. */
function ratios(llm: ArmFigures, system: ArmFigures) {
  const over = (of: (arm: ArmFigures) => number | null, tasks = (arm: ArmFigures) => arm.tasks) => {
    const [base, other] = [of(llm), of(system)];
    if (Math.min(tasks(llm), tasks(system)) < ENOUGH_TASKS || base === null || other === null) return null;
    return base === 0 ? null : rounded(other / base);
  };
  const told = (arm: ArmFigures) => arm.tokens.tasks_told;
  return {
    model_calls_per_task: over((arm) => arm.model_calls.per_task),
    tokens_per_task: over((arm) => arm.tokens.per_task.total, told),
    task_ms_mean: over((arm) => arm.latency_ms.task.mean),
    task_ms_p50: over((arm) => arm.latency_ms.task.p50),
    task_ms_p95: over((arm) => arm.latency_ms.task.p95),
    refused_per_task: over((arm) => arm.decisions.refused_per_task),
  };
}

/** Thousandths are more than such figures can tell. */
function rounded(value: number): number;
function rounded(value: number | null): number | null;
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
