/** From what a person asks for to the answer that is taken, or why it cannot be. Pure. */
import type { ApprovalAnswer } from "../../approvals/answers/answer-schema.ts";
import type { Answer, AnswerAction, Approval, GrantTerms } from "../../approvals/approval.ts";
import { grantTerms } from "../../approvals/grant-terms.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import { badRequest, type Problem } from "../problem.ts";
import { editCall } from "./edit-call.ts";

export interface PersonsAnswer extends ApprovalAnswer {
  readonly action: AnswerAction;
}

export interface AnswerContext {
  readonly approval: Approval;
  /** The one in force. */
  readonly policy: CompiledPolicy;
  /** The user id of whoever answers. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of the request. */
  readonly work: WorkBudget;
}

export function composeAnswer(asked: PersonsAnswer, context: AnswerContext): Result<Answer, Problem> {
  const { action, changes, reason, grant, enables } = asked;
  const { by, approval } = context;
  if (enables && !approval.asks.includes("first_use")) {
    const message = "this call asks for no first use, so there is nothing to enable: leave `enable` out";
    return err(badRequest("enable", message, "approval_enables_nothing"));
  }
  const edited = changes && editCall(changes, context);
  if (edited && !edited.ok) return edited;
  const given = grant === undefined ? undefined : readGrant(grant, edited?.value.arguments, context);
  if (given && !given.ok) return given;
  return ok({
    action,
    via: "api",
    by,
    reason,
    ...(edited ? { edited: edited.value } : {}),
    ...(given ? { grant: given.value } : {}),
    ...(enables ? { enables } : {}),
  });
}

/** @param edited the arguments that the same answer makes: a grant is for the call that runs. */
function readGrant(
  grant: unknown,
  edited: string | undefined,
  { approval, policy, now, work }: AnswerContext,
): Result<GrantTerms, Problem> {
  if (!approval.grantable) {
    const message = "a grant cannot be given for this call: leave `grant` out, and answer this call alone";
    return err(badRequest("grant", message, "approval_not_grantable"));
  }
  const args = JSON.parse(edited ?? approval.arguments) as Record<string, unknown>;
  const { grants } = policy.confirmation;
  const { redact } = traitsOf(policy, approval.tool);
  const terms = grantTerms(grant, { grants, args, redact, now, work });
  return terms.ok ? terms : err(badRequest("grant", terms.error));
}
