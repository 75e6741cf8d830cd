/** Calls that a repeated request gets again. Part of the transaction of an open. */
import type { OpenRequest } from "../../../ports/turns/open-turn-request.ts";
import type { ReleasedCall } from "../../../wire/call-parts.ts";
import { exists, selectAll } from "../../objects/sql-rows.ts";
import { type LiveLink, liveLinks } from "../connections.ts";
import { RETRY_MS } from "../lifetimes.ts";
import type { RunRow } from "../runs/rows.ts";
import { hasCalls, type SessionTurn, triesOfRequest, turnsIn } from "./session-turns.ts";
import type { SessionRow } from "./sessions.ts";

/**
 * The calls that the same request of this session got, if none of them is settled and the conditions are the same: another role,
 * mode or policy, or a withdrawn consent, needs a new decision. They are marked, so that the first reply's failure returns
 * none of their uses.
 */
export function replayCalls(
  sql: SqlStorage,
  session: SessionRow,
  request: OpenRequest,
  now: number,
): ReleasedCall[] | undefined {
  const since = now - RETRY_MS;
  const turn = triesOfRequest(turnsIn(session), request.digest).find((one) => hasCalls(sql, session.id, one, since));
  if (!turn || !hasSameConditions(sql, turn, session, request, now)) return;
  const ofTurn = [session.id, turn.task, turn.id];
  const calls = selectAll<{ call_id: string; tool: string; arguments: string; extra: string | null; gone: number }>(
    sql,
    `SELECT call_id, tool, COALESCE(arguments, recorded) AS arguments, extra, outcome IS NOT NULL OR withdrawn = 1 AS gone
       FROM calls WHERE session = ? AND task = ? AND turn = ? ORDER BY ordinal`,
    ...ofTurn,
  );
  if (calls.some(({ gone }) => gone === 1)) return;
  sql.exec("UPDATE calls SET replayed = 1 WHERE session = ? AND task = ? AND turn = ?", ...ofTurn);
  return calls.map(({ call_id, tool, arguments: args, extra }) => ({
    id: call_id,
    tool,
    arguments: args,
    extra: extra === null ? undefined : (JSON.parse(extra) as Record<string, unknown>),
  }));
}

/** Another role, mode or policy, or a connection that was made, changed or removed, needs a new decision. */
function hasSameConditions(
  sql: SqlStorage,
  earlier: SessionTurn,
  session: SessionRow,
  { principal, policy, mode }: OpenRequest,
  now: number,
): boolean {
  if (earlier.role !== principal.role || earlier.policy !== policy) return false;
  return earlier.grants === grantsOf(principal, liveLinks(sql, now)) && earlier.mode === (mode ?? session.mode);
}

/** What the rules read of a principal besides the role. */
export function grantsOf({ authenticated, connections }: OpenRequest["principal"], links: readonly LiveLink[]): string {
  const linked = links.map(({ provider, since }) => [provider, since]);
  return JSON.stringify([authenticated, ...[...connections].sort(), ...linked]);
}

/**
 * The runs of the last try in the session's task that has any. It counts for RETRY_MS, from when it was opened and from when a run of
 * it ended, and as long as a run is started. If nothing was started there is nothing to continue from: it may be tried anew.
 *
 * A later change (role, mode, policy, connections, a consent) does not hide them: the run is done, and a model that does not see it
 * would run it again. They allow nothing new, and their results belong to the conversation, like those of any earlier turn. Reads
 * only.
 */
export function runsOfEarlier(sql: SqlStorage, session: SessionRow, request: OpenRequest, now: number): RunRow[] {
  const since = now - RETRY_MS;
  const hasRun = `SELECT 1 FROM runs WHERE holder = ?1 AND status <> 'not_started'
    AND (status = 'started' OR ended > ?2 OR ?3 > ?2)`;
  const earlier = triesOfRequest(turnsIn(session), request.digest).find(
    ({ id, task, reset, at }) => task === session.task && reset === request.reset && exists(sql, hasRun, id, since, at),
  );
  if (!earlier) return [];
  return selectAll<RunRow>(sql, "SELECT * FROM runs WHERE holder = ? ORDER BY step, ordinal", earlier.id);
}

/**
 * Moves the runs to the turn, with the approvals that the earlier turn ended: the next try finds them there. Their steps come before
 * its own, which begin with 0 if it acts on a person's answer. Changes `rows`.
 */
export function moveRuns(sql: SqlStorage, rows: readonly RunRow[], turn: string): void {
  const taken = rows.filter(({ holder }) => holder !== turn);
  const last = Math.max(...taken.map(({ step }) => step));
  for (const earlier of new Set(taken.map(({ holder }) => holder))) {
    sql.exec("UPDATE approvals SET ended_turn = ? WHERE ended_turn = ?", turn, earlier);
  }
  for (const row of taken) {
    Object.assign(row, { holder: turn, step: row.step - last - 1 });
    sql.exec("UPDATE runs SET holder = ?, step = ? WHERE ordinal = ?", row.holder, row.step, row.ordinal);
  }
}
