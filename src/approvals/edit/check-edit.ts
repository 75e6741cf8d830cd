/**
 * Checks a person's edit of a call: the new arguments must be complete, fit the schema, be unambiguous for every JSON reader, not look
 * like an attack, and meet no condition that the person has not read. Pure. All edits (in the chat, in the request's body, by the route)
 * are checked by this one function; the turn that releases the call vets it again.
 */
import { findAmbiguity } from "../../lib/json/find-ambiguity.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { oneForm } from "../../lib/text/languages.ts";
import { type WorkBudget, WorkSpent } from "../../lib/work-budget.ts";
import { compileSchema } from "../../policy/arguments/argument-schema.ts";
import { findInjection, type InjectionHit } from "../../policy/arguments/injection.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import type { Condition } from "../../policy/document/rule-parts.ts";
import type { ArgumentIssue, Reason } from "../../policy/reasons.ts";
import { matchingConditions } from "../../policy/rules/conditions.ts";
import { type ToolTraits, traitsOf } from "../../policy/traits.ts";
import type { Approval } from "../approval.ts";
import { isWritten } from "../disclosure/disclosure.ts";
import { type Changes, editArguments } from "./edit.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface EditContext {
  readonly approval: Approval;
  /** The policy in force; its demands apply to edited arguments too. */
  readonly policy: CompiledPolicy;
  /** The schema of the arguments; null if there is none. */
  readonly schema: unknown;
  /** Role and mode of the call's user. An absent one is not known here: conditions on it are judged when the call is released. */
  readonly caller?: { readonly role?: string | undefined; readonly mode?: string | undefined } | undefined;
  /** The request's budget: an edit that is too costly to check is refused. */
  readonly work: WorkBudget;
}

interface CheckedEdit {
  /** The arguments that would run, with the schema's defaults. */
  readonly arguments: Arguments;
  /** A pattern of an attack, accepted because the question was about such a pattern. */
  readonly suspicious: InjectionHit | undefined;
}

/** Why an edit is refused: `message`, for a person, if the changes cannot be made; else the reasons against the new arguments. */
type EditFault = { readonly message: string } | { readonly reasons: readonly Reason[] };

export function checkEdit(changes: Changes, context: EditContext): Result<CheckedEdit, EditFault> {
  const { approval, policy, schema, work } = context;
  const { tool } = approval;
  const traits = traitsOf(policy, tool);
  const edited = editArguments(approval, changes, { redact: traits.redact, schema, work });
  if (!edited.ok) return err({ message: edited.error });
  const args = edited.value;
  try {
    const ambiguity = findAmbiguity(args, work);
    const issues = [...(ambiguity ? [ambiguity] : []), ...schemaIssues(schema, args, work)];
    const suspicious = findInjection(args, traits.injection, policy.injection.custom, work);
    const reasons: readonly Reason[] = [
      ...(issues.length > 0 ? [{ code: "arguments_invalid", tool, issues } as const] : []),
      ...(suspicious ? injectionReasons(suspicious, traits, approval) : []),
      ...conditionReasons(traits, args, context),
    ];
    return reasons.length > 0 ? err({ reasons }) : ok({ arguments: args, suspicious });
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    return err({ reasons: [{ code: "arguments_invalid", tool, issues: [{ path: "", message: error.message }] }] });
  }
}

function schemaIssues(schema: unknown, args: Arguments, work: WorkBudget): readonly ArgumentIssue[] {
  if (schema == null) return [];
  const compiled = compileSchema(schema, work);
  return compiled.ok ? compiled.value.validate(args, work) : [{ path: "", message: compiled.error }];
}

/** A suspicious pattern is accepted only if the question was about one: the person's own words may contain it. */
function injectionReasons(
  { set, path }: InjectionHit,
  { injection }: ToolTraits,
  { tool, asks }: Approval,
): readonly Reason[] {
  if (injection.action === "ask" && asks.includes("arguments_suspicious")) return [];
  return [{ code: "arguments_suspicious", tool, set, path }];
}

/** Conditions that refuse the edit: those that deny, and those that ask and were not part of the question that the person read. */
function conditionReasons(
  { conditions }: ToolTraits,
  args: Arguments,
  { approval, caller: { role, mode } = {}, work }: EditContext,
): readonly Reason[] {
  const { tool } = approval;
  const judged = conditions.filter(
    ({ roles, modes }) => (!roles || role !== undefined) && (!modes || mode !== undefined),
  );
  const found = matchingConditions(judged, { role: role ?? "", mode: mode ?? "" }, args, work);
  if (!found.ok) return [{ code: "arguments_invalid", tool, issues: [{ path: "", message: found.error }] }];
  const denials = found.value.filter(({ effect }) => effect === "deny").map(({ say }) => oneForm(say));
  const unread = found.value
    .filter(({ effect, say }) => effect === "ask" && !wasRead(approval, say))
    .map(({ say }) => oneForm(say));
  return [
    ...(denials.length > 0 ? [{ code: "condition_denies", tool, say: denials } as const] : []),
    ...(unread.length > 0 ? [{ code: "condition_asks", tool, say: unread } as const] : []),
  ];
}

const wasRead = (approval: Approval, say: Condition["say"]): boolean =>
  shownConditions(approval)?.includes(oneForm(say)) === true;

/** The conditions that the question named; undefined if that is not known. */
export const shownConditions = ({ disclosure }: Approval): readonly string[] | undefined =>
  isWritten(disclosure) ? undefined : disclosure.conditions?.map(oneForm);
