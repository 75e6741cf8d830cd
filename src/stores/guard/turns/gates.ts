/** First-time consents of one user. Each function is one transaction. */
import type { Gate } from "../../../approvals/approval.ts";
import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import type { CountedChecks } from "../../../policy/facts.ts";
import type { BoundDestinations, ShownDestinations } from "../../../policy/origin/origin-types.ts";
import { rootSession } from "../../../session/conversation-fingerprint.ts";
import type { Owner } from "../../../session/principal.ts";
import { exists, selectAll } from "../../objects/sql-rows.ts";
import { isLive } from "../stored-calls.ts";
import { type GuardContext, noteOwner, type Transaction } from "../transaction.ts";
import { isAlive } from "./sessions.ts";

export const gatesApi = (context: GuardContext) => ({
  list: async () => listGates(context.sql),
  /** @param session undefined: for every session. @returns false if there is no such session: nothing was stored. */
  open: async (owner: Owner, tool: string, session: string | undefined) =>
    context.read((transaction) => {
      const { sql, now } = transaction;
      // A consent for a session that does not exist yet would wait until a client opens one of that name.
      if (session !== undefined && !isAlive(sql, session, now)) return false;
      noteOwner(sql, owner);
      openGate(transaction, tool, session);
      return true;
    }),
  /** Withdraws every consent to the tool; no retry gets a call of it again. */
  withdraw: async (tool: string) => context.read(({ sql }) => withdrawGate(sql, tool)),
});

interface GateRow {
  readonly tool: string;
  readonly session: string;
  readonly at: number;
  readonly goes_to: string | null;
}

const LISTED = `SELECT tool, session, at, NULL AS goes_to FROM gates
  UNION ALL SELECT tool, session, at, goes_to FROM bound_gates ORDER BY tool, session, at`;

/** A person withdraws a tool's consents together, so they are listed together. */
function listGates(sql: SqlStorage): Gate[] {
  const listed = new Map<string, Gate>();
  for (const { tool, session, at, goes_to: place } of selectAll<GateRow>(sql, LISTED)) {
    const key = JSON.stringify([tool, session]);
    const known = listed.get(key) ?? { tool, session: session === "" ? null : session, openedAt: at, goesTo: [] };
    // A consent without a destination covers the others.
    const goesTo = place === null || known.goesTo === null ? null : [...known.goesTo, readPlace(place)];
    listed.set(key, { ...known, goesTo });
  }
  return [...listed.values()];
}

const readPlace = (json: string): ShownDestinations => JSON.parse(json) as ShownDestinations;

/**
 * @param session undefined: for every one.
 * @param bound the destinations of the call that the consent is given with; absent: it is for the tool, with any destination.
 */
export function openGate(
  { sql, now }: Transaction,
  tool: string,
  session: string | undefined,
  { destinations, goesTo = {} }: BoundDestinations = {},
): void {
  const scope = session === undefined ? "" : rootSession(session);
  if (destinations === undefined) {
    sql.exec("INSERT INTO gates (tool, session, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", tool, scope, now);
    return;
  }
  sql.exec(
    "INSERT INTO bound_gates (tool, session, destinations, at, goes_to) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    tool,
    scope,
    canonicalJson(destinations),
    now,
    JSON.stringify(goesTo),
  );
}

/** @param session the one of the call. */
export function isGateOpen(
  sql: SqlStorage,
  { tool, perSession, destinations }: NonNullable<CountedChecks["gate"]>,
  session: string,
): boolean {
  // A consent for every session has no effect once the policy asks in each.
  const scope = perSession ? session : "";
  const isOf = "tool = ?1 AND session IN (?2, ?3)";
  if (exists(sql, `SELECT 1 AS one FROM gates WHERE ${isOf}`, tool, scope, session)) return true;
  if (destinations === undefined) return false;
  const there = canonicalJson(destinations);
  return exists(
    sql,
    `SELECT 1 AS one FROM bound_gates WHERE ${isOf} AND destinations = ?4`,
    tool,
    scope,
    session,
    there,
  );
}

/** Withdraws every consent to a tool. Its released calls cannot be recalled, but no retry gets them again. */
export function withdrawGate(sql: SqlStorage, tool: string): boolean {
  const isBound = exists(sql, "DELETE FROM bound_gates WHERE tool = ? RETURNING tool", tool);
  const withdrawn = exists(sql, "DELETE FROM gates WHERE tool = ? RETURNING tool", tool) || isBound;
  if (withdrawn) sql.exec(`UPDATE calls SET withdrawn = 1 WHERE tool = ? AND outcome IS NULL AND ${isLive()}`, tool);
  return withdrawn;
}
