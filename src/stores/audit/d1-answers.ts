/** People's answers to questions about each tool. */
import type { AuditReader } from "./shards/shards.ts";

/** The last answers of a tenant that are read. */
const ANSWERS = 5_000;

export interface ToolAnswer {
  readonly tool: string;
  readonly user: string;
  readonly at: number;
  readonly event: "approved" | "edited" | "denied" | "expired";
  /** As recorded: redacted, or null. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
}

/** The newest first. @param from milliseconds since the epoch. */
export async function queryAnswers(db: AuditReader, tenant: string, from: number): Promise<readonly ToolAnswer[]> {
  const { results } = await db
    .prepare(
      `SELECT tool, user, at, event, json_extract(record, '$.arguments') AS arguments
       FROM approvals INDEXED BY approvals_by_time
       WHERE tenant = ?1 AND at >= ?2 AND seq > 0 AND event IN ('approved', 'edited', 'denied', 'expired')
       ORDER BY at DESC, id DESC LIMIT ${ANSWERS}`,
    )
    .bind(tenant, from)
    .all<Omit<ToolAnswer, "arguments"> & { arguments: string | null }>();
  return results.map((row) => ({ ...row, arguments: row.arguments === null ? null : JSON.parse(row.arguments) }));
}
