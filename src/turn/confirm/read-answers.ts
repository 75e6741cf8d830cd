/**
 * Reads what a request answers to the calls that wait, in the user's message or in the body's field `toolgate.approvals`. Changes nothing.
 */

import type { WrittenAnswer } from "../../approvals/answers/read-answer.ts";
import { resolveAnswers } from "../../approvals/answers/resolve-answers.ts";
import {
  type Answer,
  type AnswerAction,
  type AnsweredVia,
  type Approval,
  type GrantTerms,
  holdsOrders,
} from "../../approvals/approval.ts";
import { checkEdit } from "../../approvals/edit/check-edit.ts";
import { type Changes, editedCall } from "../../approvals/edit/edit.ts";
import { bindGrant, grantTerms } from "../../approvals/grant-terms.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { destinationsOf } from "../../policy/origin/call-authority.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { type Ending, requestFault } from "../../ports/turns/ending.ts";
import type { NativeAnswer } from "../../wire/approval-answers.ts";
import type { CurrentOffer } from "../call/complete-call.ts";
import { discloseFor, schemaOf } from "../call/disclose-call.ts";
import type { InlineAnswer } from "../open/user-message.ts";
import type { Arguments } from "../step/read-arguments.ts";
import type { Turn } from "../turn.ts";
import { type AnsweredApproval, toAnsweredApprovals, vetWaitingCall } from "./decide-answered.ts";
import { askPeople, awaitingEnding } from "./question.ts";
import { typedCodeOf } from "./question-frame.ts";

/** @returns the calls to act on now; or the reply to an answer that could not be taken, which changes nothing. */
export function readAnswers(
  turn: Turn,
  current: CurrentOffer,
  waiting: readonly Approval[],
  now: number,
): Result<readonly AnsweredApproval[], Ending> {
  const { answers } = turn.input.request;
  // An earlier try already applied this answer, since it ran calls: it is not read again.
  const isTaken = turn.opened.runs !== undefined;
  const read = answers
    ? readNative(turn, current, waiting, answers, now)
    : turn.answer && !isTaken
      ? readInline(turn, current, waiting, turn.answer, now)
      : ok([]);
  if (!read.ok) return read;
  const answered = new Set(read.value.map(({ approval }) => approval.id));
  const elsewhere = waiting.filter(
    ({ id, status, usedBy }) => status !== "pending" && usedBy === null && !answered.has(id),
  );
  return ok([...read.value, ...toAnsweredApprovals(elsewhere)]);
}

/** An answer counts for the calls whose codes the user saw with it. */
function readInline(
  turn: Turn,
  current: CurrentOffer,
  waiting: readonly Approval[],
  { codes, before, parts }: InlineAnswer,
  now: number,
): Result<readonly AnsweredApproval[], Ending> {
  const answerable = waiting.filter(({ code }) => codes.includes(code));
  const [first] = answerable;
  if (!first) return ok([]);
  const { grants } = turn.input.policy.confirmation;
  const resolution = resolveAnswers(parts, answerable, {
    ...typedCodeOf(turn, waiting, { codes, before }),
    language: first.disclosure.language,
    now,
    grants: grants.enabled,
    longestGrant: grants.longest,
  });
  if (resolution.kind === "reply") return err(awaitingEnding(resolution.text));
  const answered: AnsweredApproval[] = [];
  for (const { approval, action, ...given } of resolution.answers) {
    if (action === undefined) {
      answered.push({ approval, refusal: refusalSince(parts, approval) });
      continue;
    }
    const { changes, ...others } = given;
    const edited = changes && editedAnswer(turn, current, approval, changes);
    if (edited && !edited.ok) return err(askPeople(turn, turn.log.waiting, now, { notice: edited.error, brief: true }));
    answered.push(take(turn, approval, "inline", { action, edited: edited?.value, ...others }));
  }
  return ok(answered);
}

/** The user may still refuse here what was approved elsewhere; an edit needs a call that is not approved yet. */
function refusalSince(parts: WrittenAnswer, { status, code, tool }: Approval): Reason | undefined {
  if (status !== "approved") return undefined;
  const against = parts.find(
    ({ action, codes }) => refuses.has(action) && (codes.length === 0 || codes.includes(code)),
  );
  if (!against) return undefined;
  if (against.action === "edit") return { code: "approval_mismatch", tool };
  return { code: "approval_denied", tool, reason: against.reason };
}

const refuses: ReadonlySet<string> = new Set(["deny", "edit"]);

function readNative(
  turn: Turn,
  current: CurrentOffer,
  waiting: readonly Approval[],
  answers: readonly NativeAnswer[],
  now: number,
): Result<readonly AnsweredApproval[], Ending> {
  const answered: AnsweredApproval[] = [];
  for (const [index, answer] of answers.entries()) {
    const at = `toolgate.approvals[${index}]`;
    const approval = waiting.find(({ id }) => id === answer.id);
    if (!approval) return err(unknownApprovals([answer.id]));
    const refuse = (message: string, code: string, status = 400) => err(requestFault(status, message, code, at));
    // The turn has begun with its outcome.
    if (wasRun(turn, approval)) continue;
    const { id, status, usedBy } = approval;
    if (status !== "pending" && answer.action && !isSame(approval, answer.action))
      return refuse(`the approval \`${id}\` is ${status} already`, "approval_settled", 409);
    // Its call was given once. The same request, sent again within a minute, gets it again.
    if (status === "approved" && usedBy !== null)
      return refuse(`the approval \`${id}\` was used already`, "approval_settled", 409);
    if (!answer.action || status !== "pending") continue;
    if (answer.action === "edit" && !approval.editable)
      return refuse(`the arguments of \`${approval.tool}\` cannot be edited`, "approval_not_editable");
    const edited = answer.changes && editedAnswer(turn, current, approval, answer.changes);
    if (edited && !edited.ok) return refuse(edited.error, "approval_edit_invalid");
    const grant = readGrant(turn, { ...approval, ...edited?.value }, answer, now);
    if (!grant.ok) return refuse(`\`${at}.grant\` ${grant.error}`, "approval_grant_invalid");
    if (answer.enables && !approval.asks.includes("first_use"))
      return refuse(`\`${at}.enable\` is for a first use, and this call asks for none`, "approval_enables_nothing");
    if (answer.endorses && !approval.endorsable) {
      const which = holdsOrders(approval)
        ? "a result without instructions to the model"
        : "a result that can be endorsed";
      return refuse(`\`${at}.endorse\` needs ${which}: leave it out`, "approval_endorses_nothing");
    }
    const enables = answer.enables ? (true as const) : undefined;
    const endorses = answer.endorses ? (true as const) : undefined;
    const { action, reason } = answer;
    const given = { action, reason, edited: edited?.value, grant: grant.value, enables, endorses };
    answered.push(take(turn, approval, "native", given));
  }
  return ok(answered);
}

/** An earlier try of this request acted on the answer, and ran the call. */
export const wasRun = ({ opened }: Turn, { usedBy }: Approval): boolean =>
  usedBy !== null && opened.runs?.some(({ id }) => id === usedBy) === true;

/** The same answer was sent twice, or in another way too: the first counts. */
const isSame = ({ answer, status }: Approval, action: AnswerAction): boolean =>
  answer?.action === action || (status === "denied" && action === "deny");

/** @param approval with the arguments that the same answer makes: a grant is for the call that runs. */
function readGrant(
  { input }: Turn,
  approval: Approval,
  { grant }: NativeAnswer,
  now: number,
): Result<GrantTerms | undefined, string> {
  if (grant === undefined) return ok(undefined);
  if (!approval.grantable) return err("cannot be given: each use of the tool is asked about");
  const { policy, work } = input;
  const { redact } = traitsOf(policy, approval.tool);
  const args = JSON.parse(approval.arguments) as Arguments;
  return grantTerms(grant, { grants: policy.confirmation.grants, args, redact, now, work });
}

type AnswerToTake = Pick<Answer, "action"> & Partial<Answer>;

function take(
  turn: Turn,
  approval: Approval,
  via: AnsweredVia,
  { action, reason = null, edited, grant, enables, endorses }: AnswerToTake,
): AnsweredApproval {
  const by = turn.input.principal.user;
  const given = grant && boundGrant(turn, approval, edited, grant);
  const extra = { ...(edited ? { edited } : {}), ...(given ? { grant: given } : {}) };
  const more = { ...(enables ? { enables } : {}), ...(endorses ? { endorses } : {}) };
  return { approval, answer: { action, via, by, reason, ...extra, ...more } };
}

/** For the destination of the edited call, which the edit may have changed. */
function boundGrant(turn: Turn, approval: Approval, edited: Answer["edited"], grant: GrantTerms): GrantTerms {
  if (!edited) return bindGrant(grant, approval);
  const { policy, work } = turn.input;
  const definition = turn.tools.find(({ name }) => name === approval.tool) ?? { parameters: approval.schema };
  const traits = traitsOf(policy, approval.tool);
  return bindGrant(grant, destinationsOf({ traits, definition }, JSON.parse(edited.arguments) as Arguments, work));
}

export function unknownApprovals(ids: readonly string[]): Ending {
  const named = ids.map((id) => `\`${id.slice(0, 64)}\``).join(", ");
  const message = `no call of this conversation waits under ${named}; it may have been settled, or cancelled by a message since`;
  return requestFault(400, message, "approval_unknown", "toolgate.approvals");
}

/** @returns what is wrong with the new arguments, for the person. Other objections to the call become its refusal. */
function editedAnswer(
  turn: Turn,
  current: CurrentOffer,
  approval: Approval,
  changes: Changes,
): Result<NonNullable<Answer["edited"]>, string> {
  const { policy, work } = turn.input;
  const traits = traitsOf(policy, approval.tool);
  const schema = schemaOf(turn, approval.tool) ?? approval.schema;
  const caller = { role: current.facts.principal.role, mode: current.facts.mode };
  const checked = checkEdit(changes, { approval, policy, schema, caller, work });
  if (!checked.ok) {
    const fault = checked.error;
    return err("message" in fault ? fault.message : fault.reasons.map(textForClient).join("; "));
  }
  const args = checked.value.arguments;
  const { reasons } = vetWaitingCall(turn, current, approval, args);
  return ok(editedCall(approval, args, traits.redact, discloseFor(turn, traits, reasons)));
}
