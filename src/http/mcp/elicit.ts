/**
 * The question about a call, put to the person by the client itself (elicitation). Its id is the approval's: whichever isolate the
 * answer reaches, it finds the approval. Pure, except for taking an answer.
 */
import type { Answer, Approval } from "../../approvals/approval.ts";
import { describeApproval, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import type { Deps } from "../../deps.ts";
import { isObject, type JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Principal } from "../../session/principal.ts";
import type { Elicitation } from "./mcp-session.ts";

const YES = "yes";
const NO = "no";
const ENABLE = "yes, and from now on";

/** What the person sees, and the words of the answer. There is no default: a client that fills in defaults answers nothing. */
export function formFor(approval: Approval): JsonObject {
  const { firstUse, title } = describeApproval(approval, "whole");
  const answers = firstUse === null ? [YES, NO] : [YES, ENABLE, NO];
  const answer = { type: "string", title, enum: answers };
  return {
    mode: "form",
    message: messageFor(approval),
    requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
  };
}

/** A page that answers, for a client that opens it without showing it to its model. */
export const pageFor = (approval: Approval, url: string): JsonObject => ({
  mode: "url",
  message: messageFor(approval),
  url,
  elicitationId: approval.id,
});

const messageFor = (approval: Approval): string => disclosureText(describeApproval(approval, "whole"));

interface ElicitedAnswer {
  readonly action: "approve" | "deny";
  readonly enables: boolean;
}

/**
 * What the client sent for the person: only a plain yes counts as one.
 * @param result undefined if the client could not ask.
 * @returns undefined if it answers nothing: a page was opened, which will.
 */
export function readElicited(result: unknown, { form }: Pick<Elicitation, "form">): ElicitedAnswer | undefined {
  const { action, content } = isObject(result) ? result : {};
  if (!form && action === "accept") return undefined;
  const answer = action === "accept" && isObject(content) ? content.answer : undefined;
  return { action: answer === YES || answer === ENABLE ? "approve" : "deny", enables: answer === ENABLE };
}

interface ElicitationResult {
  readonly approval: string;
  /** The session of the call. */
  readonly session: string;
  readonly answer: ElicitedAnswer | undefined;
  /** Absent: any question of the session. */
  readonly tool?: string;
}

/** The first answer counts; an answer to no question of the session is dropped. */
export async function takeElicited(
  deps: Deps,
  principal: Principal,
  { approval: id, session, answer, tool }: ElicitationResult,
): Promise<void> {
  if (answer === undefined) return;
  const { approvals } = deps.guardOf(principal);
  try {
    const approval = await approvals.find(id);
    if (approval?.session !== session || (tool !== undefined && approval.tool !== tool)) return;
    const enables = answer.enables && approval.asks.includes("first_use");
    const given: Answer = { action: answer.action, via: "native", by: principal.user, reason: null };
    await approvals.answer(id, enables ? { ...given, enables } : given);
  } catch (error) {
    // The question stays open: the person may answer elsewhere.
    log("error", "elicited_answer_lost", describeError(error));
  }
}
