/** What of a comparison of the two arms cannot be taken at its word. Pure. */
import type { Arm } from "../../session/arm.ts";
import type { ExperimentFigures, ExperimentFilter, TurnFigures, Under } from "../../stores/audit/d1-experiments.ts";

/** Intents that one note names. */
const MAX_NAMED = 5;
/** Tasks that each arm must have before the two are set in proportion: with fewer, chance speaks. */
export const ENOUGH_TASKS = 20;

export interface Note {
  readonly code: string;
  readonly message: string;
}

export function experimentNotes(
  { turns, tasks, decisions, policies, models, inBoth, begunBefore, found }: ExperimentFigures,
  tenant: string,
  filter: ExperimentFilter,
): readonly Note[] {
  const untold = turns.reduce((sum, row) => sum + (row.whole === 1 ? row.untold : 0), 0);
  const askedValues = tasks.reduce((sum, row) => sum + (row.whole === 1 ? row.questioned : 0), 0);
  const asked = decisions.some((row) => row.whole === 1 && row.asked > 0);
  const notes: (Note | undefined)[] = [
    turns.length === 0 ? nothingFound(found, tenant, filter) : tooFewTasks(turns),
    mixed("several_policies", "policy versions (`policies`)", "compare them one by one with `policy`", policies),
    mixed("several_models", "models (`models`)", "see that both arms have them in like parts", models),
    inBoth > 0
      ? {
          code: "users_in_both_arms",
          message: `${inBoth} of the users were in both arms with one intent: the share, or the strategy, changed within the range`,
        }
      : undefined,
    untold > 0
      ? {
          code: "usage_untold",
          message: `${untold} turns called the model and told no usage: tokens per task are of the other tasks`,
        }
      : undefined,
    askedValues > 0
      ? {
          code: "values_asked",
          message: `in ${askedValues} tasks the gateway asked for values: its question and the answer are one task there, and where the model asked the answer is a task of its own or of no arm, so that figures per task are not per wish: they are too low where the model asked`,
        }
      : undefined,
    asked
      ? {
          code: "waiting_within",
          message: "where a reply was held for a person's answer, its wait is within its turn's time",
        }
      : undefined,
    begunBefore > 0
      ? {
          code: "begun_before",
          message: `${begunBefore} turns belong to tasks that began before the range: they are left out`,
        }
      : undefined,
  ];
  return notes.filter((note) => note !== undefined);
}

function mixed(code: string, what: string, how: string, under: readonly Under[]): Note | undefined {
  if (under.length < 2) return undefined;
  return { code, message: `the tasks began under several ${what}: a difference may be theirs, not the arms'; ${how}` };
}

/** Which part of what was asked for matched nothing: a misspelt name reads as an experiment without effect. */
function nothingFound(
  { all, intent: ofIntent, policy: ofPolicy }: ExperimentFigures["found"],
  tenant: string,
  { intent, policy }: ExperimentFilter,
): Note {
  const of = "of the tenant's tasks in the range";
  const parts = [
    all === 0 ? `the tenant \`${tenant}\` has no task with an arm that began in the range` : undefined,
    all > 0 && intent !== undefined && ofIntent === 0 ? `${of} none began with the intent \`${intent}\`` : undefined,
    all > 0 && policy !== undefined && ofPolicy === 0 ? `${of} none began under the policy \`${policy}\`` : undefined,
  ].filter((part) => part !== undefined);
  const message = parts.length > 0 ? parts.join("; ") : `${of} some match \`intent\`, some \`policy\`, and none both`;
  return { code: "nothing_found", message };
}

/** Of all tasks together, or, where those are enough, of single intents. */
function tooFewTasks(turns: readonly TurnFigures[]): Note | undefined {
  const tasksOf = (arm: Arm, intent: string | undefined) =>
    turns.find((row) => row.arm === arm && (intent === undefined ? row.whole === 1 : row.intent === intent))?.tasks ??
    0;
  const fewOf = (intent: string | undefined) => {
    const [llm, system] = [tasksOf("llm_first", intent), tasksOf("system_first", intent)];
    return Math.min(llm, system) < ENOUGH_TASKS ? `${llm} and ${system}` : undefined;
  };
  const rule = `\`ratios\` are null where \`llm_first\` or \`system_first\` has fewer than ${ENOUGH_TASKS} tasks`;
  const note = (which: string) => ({ code: "too_few_tasks", message: `${rule}; they have ${which}` });
  const all = fewOf(undefined);
  if (all !== undefined) return note(all);
  const intents = new Set(turns.flatMap(({ intent }) => intent ?? []));
  const few = [...intents].flatMap((intent) => {
    const tasks = fewOf(intent);
    return tasks === undefined ? [] : `${tasks} with \`${intent}\``;
  });
  if (few.length === 0) return undefined;
  const more = few.length > MAX_NAMED ? ` (and too few with ${few.length - MAX_NAMED} intents more)` : "";
  return note(`${few.slice(0, MAX_NAMED).join(", ")}${more}`);
}
