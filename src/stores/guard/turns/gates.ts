/** First-time consents of one user. Each function is one transaction. */
import type { Gate } from "../../../approvals/approval.ts";
import type { GatesPort } from "../../../ports/guard-port.ts";
import type { Owner } from "../../../session/principal.ts";
import { rootSession } from "../../../session/thread.ts";
import type { ObjectContext } from "../object-context.ts";
import { readMeta, writeMeta } from "../transaction.ts";
import { isAlive } from "./sessions.ts";

export class GatesApi implements GatesPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async list(): Promise<readonly Gate[]> {
    return listGates(this.context.sql);
  }

  async open(owner: Owner, tool: string, session: string | undefined): Promise<boolean> {
    return this.context.read(({ sql, now }) => openGate(sql, owner, tool, session, now));
  }

  async withdraw(tool: string): Promise<boolean> {
    return this.context.read(({ sql }) => withdrawGate(sql, tool));
  }
}

/** @returns false where the session is unknown: a consent for one that a client has yet to open would wait for it. */
export function openGate(
  sql: SqlStorage,
  { tenant, user }: Owner,
  tool: string,
  session: string | undefined,
  now: number,
): boolean {
  if (session !== undefined && !isAlive(sql, session, now)) return false;
  if (!readMeta(sql, "owner")) writeMeta(sql, "owner", { tenant, user });
  const scope = session === undefined ? "" : rootSession(session);
  sql.exec("INSERT INTO gates (tool, session, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", tool, scope, now);
  return true;
}

/** Withdraws every consent to a tool. Its released calls cannot be recalled, but no retry gets them again. */
function withdrawGate(sql: SqlStorage, tool: string): boolean {
  const withdrawn = sql.exec("DELETE FROM gates WHERE tool = ? RETURNING tool", tool).toArray().length > 0;
  if (withdrawn) sql.exec("UPDATE calls SET withdrawn = 1 WHERE tool = ? AND outcome IS NULL", tool);
  return withdrawn;
}

export const listGates = (sql: SqlStorage): Gate[] =>
  sql
    .exec<{ tool: string; session: string; at: number }>("SELECT * FROM gates ORDER BY tool, session")
    .toArray()
    .map(({ tool, session, at }) => ({ tool, session: session === "" ? null : session, openedAt: at }));
