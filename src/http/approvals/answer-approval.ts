/** `POST /v1/approvals/:id`: takes a person's answer. The first one counts; the same one sent again gets the same reply. */
import type { Context } from "hono";
import * as z from "zod";
import { type ApprovalAnswer, answerFields, checkAnswer, toAnswer } from "../../approvals/answers/answer-schema.ts";
import {
  type Answer,
  type AnswerAction,
  type Approval,
  answerActions,
  type Grant,
  type GrantTerms,
  holdsOrders,
} from "../../approvals/approval.ts";
import type { EditContext } from "../../approvals/edit/check-edit.ts";
import { bindGrant, grantTerms } from "../../approvals/grant-terms.ts";
import type { Deps } from "../../deps.ts";
import { once } from "../../lib/once.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { destinationsOf } from "../../policy/origin/call-authority.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { AppEnv } from "../app-env.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import type { HandlerResult } from "../handler.ts";
import { loadPolicy } from "../load-policy.ts";
import { badRequest, conflict, forbidden, notFound, type Problem } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import { readJson } from "../read-json.ts";
import { acceptedLanguage, readerLanguage } from "../user/reader-language.ts";
import { readTenantQuery } from "./approval-params.ts";
import { editCall } from "./edit-call.ts";
import { type FoundApproval, findApproval } from "./find-approval.ts";
import { grantView } from "./grants.ts";
import { inboxView } from "./inbox-view.ts";
import { operatorAudience } from "./tenant-approvals.ts";

const answerBody = {
  schema: once(() =>
    z
      .strictObject({ ...answerFields(), action: z.enum(answerActions) })
      .superRefine(checkAnswer)
      .transform((fields): PersonsAnswer => ({ ...toAnswer(fields), action: fields.action })),
  ),
  example: '`{ "action": "approve" }`, `"deny"` or `"edit"`',
};

export async function answerApproval(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const { principal } = c.var;
  const tenant = readTenantQuery(c.req, principal);
  if (!tenant.ok) return tenant;
  const answer = await readJson(c.req.raw, deps.limits.maxSmallBodyBytes, answerBody);
  if (!answer.ok) return answer;
  const found = await findApproval(c.req.param("id") ?? "", principal, tenant.value ?? principal.tenant, deps);
  if (!found.ok) return found;
  const { owner, own } = found.value;
  // The policy of the call's user, whoever answers.
  const policy = await loadPolicy(deps, owner.tenant);
  if (!policy.ok) return policy;
  const by = { policy: policy.value, principal };
  const stored = await storeAnswer(found.value, answer.value, by, deps);
  if (!stored.ok) return stored;
  const { approval, grant } = stored.value;
  const { headers } = c.req.raw;
  const audience = own ? "whole" : await operatorAudience(deps, owner.tenant);
  return ok({
    ...inboxView(approval, audience, acceptedLanguage(headers)),
    user: own ? undefined : owner.user,
    grant: grant && grantView(grant, policy.value, readerLanguage(policy.value, headers)),
  });
}

interface StoredAnswer {
  readonly approval: Approval;
  /** Undefined if the answer gave none, or it is withdrawn again. */
  readonly grant: Grant | undefined;
}

async function storeAnswer(
  found: FoundApproval,
  request: PersonsAnswer,
  { policy, principal }: { readonly policy: CompiledPolicy; readonly principal: AuthenticatedPrincipal },
  deps: Deps,
): Promise<Result<StoredAnswer, Problem>> {
  const { approval } = found;
  const problem = mayAnswer(found, request, policy) ?? endedProblem(approval);
  if (problem) return err(problem);
  const caller = request.changes ? await callerOf(found, principal, deps) : ok(undefined);
  if (!caller.ok) return caller;
  const context = { approval, policy, caller: caller.value, by: principal.user, now: deps.now(), work: workBudget() };
  const answer = composeAnswer(request, context);
  if (!answer.ok) return answer;
  const { approvals, grants: granted } = deps.guardOf(found.owner);
  const stored = await orUnavailable(approvals.answer(approval.id, answer.value));
  if (!stored.ok) return stored;
  if (stored.value.kind === "unknown") return err(notFound("approval", "id"));
  const { approval: after } = stored.value;
  if (stored.value.kind === "settled") return err(endedProblem(after) ?? settledProblem(after));
  if (!answer.value.grant) return ok({ approval: after, grant: undefined });
  const grants = await orUnavailable(granted.list());
  if (!grants.ok) return grants;
  return ok({ approval: after, grant: grants.value.find((one) => one.approval === after.id) });
}

/**
 * For an edit by the conversation's user: the chat would judge it under this role and mode, and a person learns at once what the
 * policy refuses.
 */
async function callerOf(
  { approval, owner, own }: FoundApproval,
  { role }: AuthenticatedPrincipal,
  deps: Deps,
): Promise<Result<EditContext["caller"], Problem>> {
  const session = await orUnavailable(deps.guardOf(owner).sessions.find(approval.session));
  if (!session.ok) return session;
  return ok({ role: own ? role : undefined, mode: session.value && (session.value.mode ?? "default") });
}

/** The field that would allow future calls, which no person has seen yet. In another user's name that is refused. */
function lastingField({ grant, enables, endorses }: PersonsAnswer): "grant" | "enable" | "endorse" | undefined {
  if (grant !== undefined) return "grant";
  if (enables) return "enable";
  return endorses ? "endorse" : undefined;
}

/** An operator may stop any call of the tenant. Only the user of the conversation may let one run, unless the policy says otherwise. */
function mayAnswer(
  { own }: FoundApproval,
  answer: PersonsAnswer,
  { confirmation }: CompiledPolicy,
): Problem | undefined {
  if (own || answer.action === "deny") return undefined;
  if (confirmation.approvers !== "userOrOperator") {
    const message = "the policy lets only the user who is asked approve; an operator can deny";
    return forbidden("approval_not_yours", message, "action");
  }
  const lasting = lastingField(answer);
  if (lasting === undefined) return undefined;
  return forbidden(
    "approval_not_yours",
    `only the user who is asked can allow later calls: leave \`${lasting}\` out`,
    lasting,
  );
}

/** Why an answer comes too late; undefined if it does not. */
function endedProblem({ status, plan }: Approval): Problem | undefined {
  switch (status) {
    case "expired":
      return conflict("approval_expired", "the approval has expired: the call was not run; ask the assistant again");
    case "cancelled":
      return conflict("approval_cancelled", `the approval was cancelled: ${cancellation(plan)}`);
    default:
      return undefined;
  }
}

function cancellation(plan: Approval["plan"]): string {
  if (!plan) return "the conversation went on without the call";
  if (plan.cancelled) return `the plan \`${plan.id}\` was cancelled, and the call with it; make another plan`;
  return `the plan \`${plan.id}\` was changed since, or is not kept any more; if it is, run it to be asked anew`;
}

function settledProblem({ status, answer }: Approval): Problem {
  const how = answer?.action === "edit" ? "approved with changes" : status;
  return conflict(
    "approval_settled",
    `the approval is ${how} already, and the first answer stands: GET it to see which`,
  );
}

interface PersonsAnswer extends ApprovalAnswer {
  readonly action: AnswerAction;
}

interface AnswerContext {
  readonly approval: Approval;
  /** The policy in force. */
  readonly policy: CompiledPolicy;
  /** The owner of the call, as far as it is known. */
  readonly caller: EditContext["caller"];
  /** The user id of whoever answers. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The request's signal. */
  readonly work: WorkBudget;
}

function composeAnswer(request: PersonsAnswer, context: AnswerContext): Result<Answer, Problem> {
  const { action, changes, reason, grant, enables, endorses } = request;
  const { by, approval } = context;
  if (enables && !approval.asks.includes("first_use")) {
    const message = "this call asks for no first use, so there is nothing to enable: leave `enable` out";
    return err(badRequest("enable", message, "approval_enables_nothing"));
  }
  if (endorses && !approval.endorsable) {
    const why = holdsOrders(approval)
      ? "the result holds what looks like instructions to the model, so its values cannot be endorsed"
      : "this call names no result that can be endorsed";
    const message = `${why}: leave \`endorse\` out, and answer this call alone`;
    return err(badRequest("endorse", message, "approval_endorses_nothing"));
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
    edited: edited?.value,
    grant: given?.value,
    enables: enables || undefined,
    endorses: endorses || undefined,
  });
}

/** @param edited the arguments that the same answer changes: a grant is for the call that runs. */
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
  const traits = traitsOf(policy, approval.tool);
  const terms = grantTerms(grant, { grants, args, redact: traits.redact, now, work });
  if (!terms.ok) return err(badRequest("grant", terms.error));
  if (edited === undefined) return ok(bindGrant(terms.value, approval));
  // An edit may send the call elsewhere.
  const definition = { parameters: approval.schema };
  return ok(bindGrant(terms.value, destinationsOf({ traits, definition }, args, work)));
}
