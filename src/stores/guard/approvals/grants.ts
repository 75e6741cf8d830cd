/** Grants, which allow calls without another question: stored, matched, listed and withdrawn. Parts of a transaction. */
import type { Grant, GrantTerms } from "../../../approvals/approval.ts";
import { grantCovers, withoutConditions } from "../../../approvals/grant-terms.ts";
import { newId } from "../../../lib/ids.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { type WorkBudget, withinBudget } from "../../../lib/work-budget.ts";
import type { Destinations } from "../../../policy/origin/origin-types.ts";
import { riskProfileOf } from "../../../policy/vet.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import { insertReturning, selectAll, selectOne } from "../../objects/sql-rows.ts";
import { isLive } from "../stored-calls.ts";
import type { GuardContext } from "../transaction.ts";
import { type ApprovalRow, bodyOf } from "./rows.ts";

export const grantsApi = (context: GuardContext) => ({
  list: async () =>
    selectAll<GrantRow>(
      context.sql,
      "SELECT * FROM grants WHERE expires IS NULL OR expires > ? ORDER BY ordinal DESC",
      context.now(),
    ).map(toGrant),
  /** @returns false if there is no such grant. */
  withdraw: async (id: string) => context.read(({ sql }) => withdrawGrant(sql, id)),
});

/** Per user; the oldest is dropped. */
const MAX_GRANTS = 500;

interface GrantRow extends Record<string, SqlStorageValue> {
  id: string;
  tool: string;
  session: string;
  conditions: string;
  created: number;
  expires: number | null;
  approval: string;
  nature: string | null;
  goes_to: string | null;
}

/** @param terms hold no value that the policy redacts, since they are shown (`grantTerms` sees to it). */
export function giveGrant(sql: SqlStorage, row: ApprovalRow, terms: GrantTerms, now: number): Grant {
  const grant = insertReturning<GrantRow>(sql, "grants", {
    id: newId("grant", now),
    tool: row.tool,
    session: terms.session ? rootSession(row.session) : "",
    conditions: JSON.stringify(terms.arguments),
    created: now,
    expires: terms.expiresAt,
    approval: row.id,
    nature: natureOf(riskProfileOf(bodyOf(row).disclosure), terms.destinations),
    goes_to: terms.goesTo === undefined ? null : JSON.stringify(terms.goesTo),
  });
  sql.exec(
    "DELETE FROM grants WHERE ordinal <= (SELECT ordinal FROM grants ORDER BY ordinal DESC LIMIT 1 OFFSET ?)",
    MAX_GRANTS,
  );
  return toGrant(grant);
}

/** The column `nature`: what the tool is, and the destinations of the call in question. */
const natureOf = (riskProfile: string, destinations: Destinations = {}): string =>
  Object.keys(destinations).length === 0 ? riskProfile : `${riskProfile} ${canonicalJson(destinations)}`;

interface GrantQuery {
  readonly tool: string;
  readonly session: string;
  /** JSON of the arguments. */
  readonly args: string;
  /** As in `CountedChecks`. */
  readonly riskProfile: string | undefined;
  readonly destinations: Destinations | undefined;
  /** The step's budget: a person may have given hundreds, each with its patterns. */
  readonly work: WorkBudget;
}

/** The grant that covers the call; none if the policy has changed what the tool is since. */
export function findGrant(
  sql: SqlStorage,
  { tool, session, args, riskProfile, destinations = {}, work }: GrantQuery,
  now: number,
): string | undefined {
  const rows = selectAll<GrantRow>(
    sql,
    `SELECT * FROM grants WHERE tool = ?1 AND session IN ('', ?2) AND (expires IS NULL OR expires > ?3) ORDER BY ordinal`,
    tool,
    session,
    now,
  );
  if (rows.length === 0) return undefined;
  const call = { args: JSON.parse(args) as Record<string, unknown>, work, texts: new Map() };
  const isSame = ({ nature }: GrantRow, { arguments: conditions }: Grant) =>
    riskProfile === undefined || nature === natureOf(riskProfile, withoutConditions(destinations, conditions));
  const covers = (row: GrantRow): boolean => {
    const grant = toGrant(row);
    return isSame(row, grant) && grantCovers(grant, call);
  };
  return withinBudget(
    () => rows.find(covers)?.id,
    () => undefined,
  );
}

/** Released calls cannot be recalled, but no retry gets them again. */
export function withdrawGrant(sql: SqlStorage, id: string): boolean {
  const grant = selectOne<GrantRow>(sql, "DELETE FROM grants WHERE id = ? RETURNING *", id);
  if (!grant) return false;
  sql.exec(`UPDATE calls SET withdrawn = 1 WHERE tool = ? AND outcome IS NULL AND ${isLive()}`, grant.tool);
  return true;
}

const toGrant = (row: GrantRow): Grant => ({
  id: row.id,
  tool: row.tool,
  session: row.session === "" ? null : row.session,
  arguments: JSON.parse(row.conditions) as Grant["arguments"],
  createdAt: row.created,
  expiresAt: row.expires,
  approval: row.approval,
  goesTo: row.goes_to === null ? undefined : (JSON.parse(row.goes_to) as Grant["goesTo"]),
});
