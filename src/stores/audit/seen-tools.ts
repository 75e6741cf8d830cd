/** The tools that a tenant's clients have sent recently, from the audit trail. */

import { within } from "../../lib/deadline.ts";
import { describeError, log } from "../../lib/log.ts";

const TURNS = 50;
const MAX_NAMES = 500;
const ANSWER_MS = 5_000;

/** Names in alphabetical order; none where D1 fails or is slow: they only add detail to a comparison. */
export async function seenTools(db: D1Database, tenant: string): Promise<readonly string[]> {
  try {
    const asking = db
      .prepare(
        `WITH recent AS (SELECT record FROM turns WHERE tenant = ?1 ORDER BY at DESC, id DESC LIMIT ${TURNS})
         SELECT value AS name FROM recent, json_each(record, '$.offered')
         UNION SELECT json_extract(value, '$.name') FROM recent, json_each(record, '$.withheld')
         ORDER BY name LIMIT ${MAX_NAMES}`,
      )
      .bind(tenant)
      .all<{ name: unknown }>();
    const { results } = await within(ANSWER_MS, asking);
    return results.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  } catch (error) {
    log("warn", "seen_tools_unreadable", describeError(error));
    return [];
  }
}
