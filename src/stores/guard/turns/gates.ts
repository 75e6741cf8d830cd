/** First-time consents of one user. Each function is one transaction. */
import type { Gate } from "../../../approvals/approval.ts";
import type { GatesPort } from "../../../ports/guard-port.ts";
import { rootSession } from "../../../session/thread.ts";
import { exists, selectAll } from "../../objects/sql-rows.ts";
import { type GuardContext, noteOwner, type Transaction } from "../transaction.ts";
import { isAlive } from "./sessions.ts";

export const gatesApi = (context: GuardContext): GatesPort => ({
  list: async () =>
    selectAll<GateRow>(context.sql, "SELECT * FROM gates ORDER BY tool, session").map(
      ({ tool, session, at }): Gate => ({ tool, session: session === "" ? null : session, openedAt: at }),
    ),
  open: async (owner, tool, session) =>
    context.read((transaction) => {
      const { sql, now } = transaction;
      // A consent for a session that a client has yet to open would wait for it.
      if (session !== undefined && !isAlive(sql, session, now)) return false;
      noteOwner(sql, owner);
      openGate(transaction, tool, session);
      return true;
    }),
  withdraw: async (tool) => context.read(({ sql }) => withdrawGate(sql, tool)),
});

interface GateRow {
  readonly tool: string;
  readonly session: string;
  readonly at: number;
}

/** @param session undefined: for every one. */
export function openGate({ sql, now }: Transaction, tool: string, session: string | undefined): void {
  const scope = session === undefined ? "" : rootSession(session);
  sql.exec("INSERT INTO gates (tool, session, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", tool, scope, now);
}

/** Withdraws every consent to a tool. Its released calls cannot be recalled, but no retry gets them again. */
function withdrawGate(sql: SqlStorage, tool: string): boolean {
  const withdrawn = exists(sql, "DELETE FROM gates WHERE tool = ? RETURNING tool", tool);
  if (withdrawn) sql.exec("UPDATE calls SET withdrawn = 1 WHERE tool = ? AND outcome IS NULL", tool);
  return withdrawn;
}
