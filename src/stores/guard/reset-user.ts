/** What an operator withdraws from a user. Each act is one transaction, and is recorded with its author (`by`). */
import { newId } from "../../lib/ids.ts";
import type { ResetRecord } from "../../ports/operator-records.ts";
import { selectAll } from "../objects/sql-rows.ts";
import { withdrawGrant } from "./approvals/grants.ts";
import { appendRecord } from "./outbox/record-chain.ts";
import { type GuardContext, readMeta, type Transaction } from "./transaction.ts";
import { withdrawGate } from "./turns/gates.ts";
import { deleteSession } from "./turns/sessions.ts";

export const resetApi = (context: GuardContext) => ({
  /** @returns false if there is no such grant. */
  withdrawGrant: async (id: string, by: string) =>
    context.change((transaction) => {
      const withdrawn = withdrawGrant(transaction.sql, id);
      if (withdrawn) record(transaction, { event: "grant_withdrawn", subject: id, ...NOTHING, grants: 1, by });
      return withdrawn;
    }),
  /** Withdraws every consent to the tool. @returns false if there is none. */
  withdrawConsent: async (tool: string, by: string) =>
    context.change((transaction) => {
      const withdrawn = withdrawGate(transaction.sql, tool);
      if (withdrawn) record(transaction, { event: "consent_withdrawn", subject: tool, ...NOTHING, consents: 1, by });
      return withdrawn;
    }),
  /** Deletes all sessions with what is pending in them, all grants and all consents. Rate windows, connections and records stay. */
  resetUser: async (by: string) => context.change((transaction) => resetUser(transaction, by)),
});

/** How many of each there were. */
export interface UserReset {
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
}

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

type ResetAct = Omit<ResetRecord, "kind" | "id" | "tenant" | "user" | "at">;

const record = (transaction: Transaction, act: ResetAct): void =>
  void appendRecord(transaction, { kind: "reset", id: newId("evt", transaction.now), at: transaction.now, ...act });
