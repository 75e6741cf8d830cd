/** The call of a step that was handed to the client, to be told once more. Reads only. */
import type { ReleasedCall } from "../../../ports/turns-port.ts";
import { first } from "../schema.ts";
import { findStep } from "./rows.ts";

interface ReleasedRow extends Record<string, SqlStorageValue> {
  call_id: string;
  tool: string;
  arguments: string;
  extra: string | null;
}

/**
 * As it was decided: made anew it would hold what was filled in since, or what another policy fills in, which nobody has
 * judged. Undefined where none waits for its result, or the consent that it may have needed was withdrawn.
 */
export function toldAgain(sql: SqlStorage, plan: string, name: string): ReleasedCall | undefined {
  const step = findStep(sql, plan, name);
  if (step?.status !== "released") return undefined;
  const row = first(
    sql.exec<ReleasedRow>(
      `SELECT c.call_id, c.tool, c.arguments, c.extra FROM calls c JOIN plans p ON p.session = c.session
       WHERE p.id = ? AND c.decision = ? AND c.outcome IS NULL AND c.withdrawn = 0`,
      plan,
      step.decision,
    ),
  );
  if (!row) return undefined;
  const extra = row.extra === null ? undefined : (JSON.parse(row.extra) as Record<string, unknown>);
  return { id: row.call_id, tool: row.tool, arguments: row.arguments, extra };
}
