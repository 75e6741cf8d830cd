/** All APIs of one user's object, over one context. Callers in other isolates reach them through `objects/guard-client.ts`. */

import { newId } from "../../lib/ids.ts";
import type { ChangeRecord } from "../../ports/operator-records.ts";
import type { Owner } from "../../session/principal.ts";
import { approvalsApi } from "./approvals/approvals-api.ts";
import { grantsApi } from "./approvals/grants.ts";
import { connectionsApi } from "./connections.ts";
import { erasureApi } from "./erasure/erasure-api.ts";
import { mailboxApi } from "./mailbox.ts";
import { mcpSessionsApi } from "./mcp-sessions.ts";
import type { ObjectContext } from "./object-context.ts";
import { chainApi } from "./outbox/chain-api.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { plansApi } from "./plans/plans-api.ts";
import { pushApi } from "./push-subscriptions.ts";
import { repliesApi } from "./replies.ts";
import { resetApi } from "./reset-user.ts";
import { conversationsApi, responsesApi } from "./responses/responses-api.ts";
import { runsApi } from "./runs/finish.ts";
import { callsApi } from "./stored-calls.ts";
import { type GuardContext, noteOwner } from "./transaction.ts";
import { gatesApi } from "./turns/gates.ts";
import { openTurnsOf } from "./turns/session-turns.ts";
import { sessionsApi } from "./turns/sessions.ts";
import { OpenTurns, turnsApi } from "./turns/turns-api.ts";

export type UserGuardApis = ReturnType<typeof guardApis>;

export function guardApis(context: ObjectContext) {
  const openTurns = new OpenTurns(context.now, () => openTurnsOf(context.sql));
  return {
    turns: turnsApi(context, openTurns),
    sessions: sessionsApi(context),
    gates: gatesApi(context),
    approvals: approvalsApi(context, openTurns),
    grants: grantsApi(context),
    calls: callsApi(context),
    runs: runsApi(context),
    reset: resetApi(context),
    changes: changesApi(context),
    push: pushApi(context),
    connections: connectionsApi(context),
    plans: plansApi(context),
    responses: responsesApi(context),
    conversations: conversationsApi(context),
    mailbox: mailboxApi(context.now),
    mcpSessions: mcpSessionsApi(context),
    replies: repliesApi(context.now),
    chain: chainApi(context),
    erasure: erasureApi(context),
  };
}

/** Records in an admin's own chain what the admin changed for the whole tenant. */
const changesApi = (context: GuardContext) => ({
  /** @param owner the admin, in the tenant that was changed. */
  record: async (owner: Owner, change: Pick<ChangeRecord, "event" | "subject">) =>
    context.change((transaction) => {
      const { sql, now } = transaction;
      noteOwner(sql, owner);
      appendRecord(transaction, { kind: "change", id: newId("evt", now), at: now, ...change, by: owner.user });
    }),
});
