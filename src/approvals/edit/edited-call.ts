/**
 * A call as a person changes it before it runs, by whatever way the change comes: made whole here, judged by who takes it.
 * Pure.
 */
import { redactArguments } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import type { Answer, Approval } from "../approval.ts";
import { callDigest } from "../call-digest.ts";
import type { Disclosure } from "../disclosure/disclosed.ts";
import { applyChanges, type Changes } from "./edit.ts";
import { fillDefaults } from "./fill-defaults.ts";

/** UTF-16 units of JSON: what a user's object keeps of one call. */
const MAX_ARGUMENTS = 512 * 1024;

type Arguments = Readonly<Record<string, unknown>>;

export interface EditContext {
  readonly redact: readonly string[];
  /** Of the arguments; null where there is none. */
  readonly schema: unknown;
  readonly work: WorkBudget;
}

/**
 * The arguments as they would run, what the schema fills in among them: whoever edits is told of no other call.
 * @returns what is wrong, for a person.
 */
export function editArguments(
  approval: Pick<Approval, "arguments">,
  changes: Changes,
  { redact, schema, work }: EditContext,
): Result<Arguments, string> {
  const merged = applyChanges(JSON.parse(approval.arguments) as Arguments, changes, redact);
  if (!merged.ok) return merged;
  const filled = schema == null ? ok(merged.value) : filledIn(schema, merged.value, work);
  if (!filled.ok) return filled;
  const args = filled.value;
  if (JSON.stringify(args).length <= MAX_ARGUMENTS) return ok(args);
  return err(`the arguments as edited are longer than ${MAX_ARGUMENTS} characters: send shorter ones`);
}

function filledIn(schema: unknown, args: Arguments, work: WorkBudget): Result<Arguments, string> {
  try {
    return ok(fillDefaults(schema, args, work));
  } catch (error) {
    if (error instanceof WorkSpent) return err(`${error.message}: send fewer`);
    throw error;
  }
}

export function editedCall(
  { extra }: Pick<Approval, "extra">,
  args: Arguments,
  redact: readonly string[],
  disclosure: Disclosure,
): NonNullable<Answer["edited"]> {
  return {
    arguments: JSON.stringify(args),
    digest: callDigest(args, extra),
    recorded: redactArguments(args, redact),
    disclosure,
  };
}
