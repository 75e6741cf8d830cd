/** All APIs of one user's object, over one context. Callers in other isolates reach them through `objects/guard-client.ts`. */
import { approvalsApi } from "./approvals/approvals-api.ts";
import { grantsApi } from "./approvals/grants.ts";
import { connectionsApi } from "./connections.ts";
import { erasureApi } from "./erasure/erasure-api.ts";
import { mailboxApi } from "./mailbox.ts";
import { mcpSessionsApi } from "./mcp-sessions.ts";
import type { ObjectContext } from "./object-context.ts";
import { chainApi } from "./outbox/chain-api.ts";
import { plansApi } from "./plans/plans-api.ts";
import { pushApi } from "./push-subscriptions.ts";
import { changesApi } from "./record-change.ts";
import { repliesApi } from "./replies.ts";
import { resetApi } from "./reset-user.ts";
import { conversationsApi, responsesApi } from "./responses/responses-api.ts";
import { runsApi } from "./runs/finish.ts";
import { callsApi } from "./stored-calls.ts";
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
