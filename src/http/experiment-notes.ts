/** What of a comparison of the two arms cannot be taken at its word. Pure. */
import type { ExperimentFigures, Under } from "../stores/d1-experiments.ts";

export interface Note {
  readonly code: string;
  readonly message: string;
}

export function experimentNotes({
  turns,
  tasks,
  decisions,
  policies,
  models,
  inBoth,
  begunBefore,
}: ExperimentFigures): readonly Note[] {
  const untold = turns.reduce((sum, row) => sum + (row.whole === 1 ? row.untold : 0), 0);
  const askedValues = tasks.reduce((sum, row) => sum + (row.whole === 1 ? row.questioned : 0), 0);
  const asked = decisions.some((row) => row.whole === 1 && row.asked > 0);
  const notes: (Note | undefined)[] = [
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
