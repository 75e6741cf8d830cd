/** What an operator withdraws from a user. Each function is one transaction, and leaves a record. */
import { newId } from "../../lib/ids.ts";
import type { ResetPort, UserReset } from "../../ports/guard-port.ts";
import type { ResetRecord } from "../../ports/operator-records.ts";
import { selectAll } from "../objects/sql-rows.ts";
import { withdrawGrant } from "./approvals/grants.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { type GuardContext, readMeta, type Transaction } from "./transaction.ts";
import { withdrawGate } from "./turns/gates.ts";
import { deleteSession } from "./turns/sessions.ts";

export const resetApi = (context: GuardContext): ResetPort => ({
  withdrawGrant: async (id, by) =>
    context.change((transaction) => {
      const withdrawn = withdrawGrant(transaction.sql, id);
      if (withdrawn) record(transaction, { event: "grant_withdrawn", subject: id, ...NOTHING, grants: 1, by });
      return withdrawn;
    }),
  withdrawConsent: async (tool, by) =>
    context.change((transaction) => {
      const withdrawn = withdrawGate(transaction.sql, tool);
      if (withdrawn) record(transaction, { event: "consent_withdrawn", subject: tool, ...NOTHING, consents: 1, by });
      return withdrawn;
    }),
  resetUser: async (by) => context.change((transaction) => resetUser(transaction, by)),
});

const NOTHING: UserReset = { sessions: 0, grants: 0, consents: 0 };

function resetUser(transaction: Transaction, by: string): UserReset {
  const { sql } = transaction;
  // Nothing was ever stored.
  if (readMeta(sql, "owner") === undefined) return NOTHING;
  // Before the sessions: those that are for one session go with it.
  const grants = selectAll<{ id: string }>(sql, "SELECT id FROM grants");
  for (const { id } of grants) withdrawGrant(sql, id);
  const tools = selectAll<{ tool: string }>(sql, "SELECT tool FROM gates UNION SELECT tool FROM bound_gates");
  for (const { tool } of tools) withdrawGate(sql, tool);
  const sessions = selectAll<{ id: string }>(sql, "SELECT id FROM sessions");
  const deleted = sessions.filter(({ id }) => deleteSession(transaction, id));
  const reset = { sessions: deleted.length, grants: grants.length, consents: tools.length };
  record(transaction, { event: "user_reset", subject: null, ...reset, by });
  return reset;
}

type Act = Omit<ResetRecord, "kind" | "id" | "tenant" | "user" | "at">;

const record = (transaction: Transaction, act: Act): void =>
  void appendRecord(transaction, { kind: "reset", id: newId("evt", transaction.now), at: transaction.now, ...act });
