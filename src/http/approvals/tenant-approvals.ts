/**
 * Approvals of a whole tenant as operators see them. The audit trail finds them; the objects of their users return their current
 * state. If an object cannot be reached, or has forgotten one, the trail's record is returned.
 */
import { argumentView } from "../../approvals/approval-view.ts";
import type { Consequence, Language } from "../../approvals/disclosure/disclosed.ts";
import { type Audience, describeArgument } from "../../approvals/disclosure/disclosure.ts";
import type { Deps } from "../../deps.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redacted } from "../../lib/redact.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import type { ApprovalRecord } from "../../ports/audit-record.ts";
import type { IndexedApproval } from "../../stores/audit/d1-approvals.ts";
import { loadPolicy } from "../load-policy.ts";
import { orUnavailable } from "../reach.ts";
import { inboxView } from "./inbox-view.ts";

type View = Readonly<Record<string, unknown>>;

/** The reader, and what of the calls they may see. */
export interface ApprovalReader {
  readonly audience: Audience;
  readonly language: Language | undefined;
}

/** An operator sees the values of others' calls only if the policy has operators approve them. */
export async function operatorAudience(deps: Deps, tenant: string): Promise<Audience> {
  const policy = await loadPolicy(deps, tenant);
  return policy.ok && policy.value.confirmation.approvers === "userOrOperator" ? "whole" : "recorded";
}

/** In the given order; one call to each user's object. */
export async function tenantViews(
  tenant: string,
  indexed: readonly IndexedApproval[],
  deps: Pick<Deps, "guardOf">,
  { audience, language }: ApprovalReader,
): Promise<readonly View[]> {
  const byUser = Map.groupBy(indexed, ({ user }) => user);
  const known = new Map<string, View>();
  await Promise.all(
    [...byUser].map(async ([user, some]) => {
      const ids = some.map(({ id }) => id);
      // A wait of 0 ms returns them as they are.
      const found = await orUnavailable(deps.guardOf({ tenant, user }).approvals.wait(ids, 0));
      for (const one of found.ok ? found.value : []) known.set(one.id, { ...inboxView(one, audience, language), user });
    }),
  );
  return indexed.map((one) => known.get(one.id) ?? trailView(one));
}

function trailView({ id, user, status, question, ended }: IndexedApproval): Readonly<Record<string, unknown>> {
  return {
    object: "approval",
    id,
    user,
    code: null,
    status,
    tool: question.tool,
    call_id: question.callId,
    session_id: question.session,
    turn_id: question.turn,
    channel: question.channel,
    asks: question.asks,
    arguments: (ended?.event === "edited" ? ended : question).arguments,
    disclosure: question.disclosure ?? "",
    user_words: null,
    question: "",
    details: detailsOf(question),
    reversible: false,
    first_use: null,
    schema: null,
    editable: false,
    grantable: false,
    endorsable: null,
    created_at: isoTime(question.at),
    expires_at: isoTime(question.expiresAt),
    answered_at: ended?.via ? isoTime(ended.at) : null,
    answer: ended ? answerOf(ended) : null,
    settled_by: null,
  };
}

/**
 * The text's lines and the arguments: the disclosure's parts are not recorded. Otherwise a call with values would be shown as one
 * without.
 */
function detailsOf({ disclosure, arguments: args }: ApprovalRecord): Readonly<Record<string, unknown>> {
  const [summary = "", ...others] = disclosure === null ? [] : disclosure.split("\n");
  return {
    language: "en",
    category: null,
    summary,
    effects: others.map((text): Consequence => ({ kind: "note", text })),
    arguments: Object.entries(isObject(args) ? args : {}).map(([name, value]) =>
      argumentView(describeArgument(name, value, value === redacted, false)),
    ),
    more: 0,
    changes: [],
    destination: null,
    learn_more: null,
  };
}

/** Null if it ended without an answer. */
function answerOf({ event, via, by, reason }: ApprovalRecord): Readonly<Record<string, unknown>> | null {
  if (via === null) return null;
  return { action: event === "edited" ? "edit" : event === "denied" ? "deny" : "approve", via, by, reason };
}
