/** The sessions of one user: read, changed and forgotten. */

import type { SessionInfo } from "../../session/session-info.ts";
import { type Held, NO_STANDING, type Standing, standingOf } from "../../session/standing.ts";
import { rootSession, sideSessionRange } from "../../session/thread.ts";
import type { AuditKeys } from "../audit-keys.ts";
import { cancelOpen } from "./approvals/end.ts";
import { tidyAfterSessions } from "./approvals/keep.ts";
import { forgetCallsOf } from "./kept-calls.ts";
import { settleLost } from "./plans/ended.ts";
import { forgetPlansOf } from "./plans/keep.ts";
import { forgetRunsOf, sweepRuns } from "./runs/keep.ts";
import { first, SESSION_IDLE_MS } from "./schema.ts";

export interface SessionRow extends Record<string, SqlStorageValue> {
  id: string;
  mode: string | null;
  intents: string;
  task: number;
  opening: string;
  fresh: number;
  pins: string;
  standing: string;
  created: number;
  seen: number;
  /** JSON, what the last reply that reached the client is known by (`replyMarks`). */
  reply: string;
  /** JSON list, sketches of the system prompts (`promptSketch`). */
  prompts: string;
}

/** What it holds, as of the task that it is in. */
export function readHeld({ intents, standing, task }: SessionRow): Held {
  const known: Standing = { ...NO_STANDING, ...(JSON.parse(standing) as Partial<Standing>) };
  return { intents: JSON.parse(intents) as string[], standing: standingOf(known, task) };
}

export const promptsOf = ({ prompts }: SessionRow): number[][] => JSON.parse(prompts) as number[][];

const toldOf = ({ intents, standing: { detected } }: Held) => ({ intents, detected });

/**
 * As it is shown: of a session and its side sessions the one in which most was said, since a frontend's own request may come
 * before the conversation's first.
 */
export function readSession(sql: SqlStorage, id: string): SessionInfo | undefined {
  const range = sideSessionRange(id);
  const row = first(
    sql.exec<SessionRow>(
      "SELECT * FROM sessions WHERE id = ? OR (id > ? AND id < ?) ORDER BY task DESC, id LIMIT 1",
      id,
      ...range,
    ),
  );
  if (!row) return undefined;
  const pending = sql
    .exec<{ n: number }>(
      "SELECT COUNT(*) AS n FROM calls WHERE (session = ? OR (session > ? AND session < ?)) AND outcome IS NULL",
      id,
      ...range,
    )
    .one().n;
  return {
    id,
    mode: row.mode ?? undefined,
    ...toldOf(readHeld(row)),
    createdAt: row.created,
    seenAt: row.seen,
    pending,
  };
}

export function saveSession(sql: SqlStorage, row: SessionRow): void {
  sql.exec(
    `INSERT INTO sessions (id, mode, intents, task, opening, fresh, pins, standing, created, seen, reply, prompts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET mode = excluded.mode, intents = excluded.intents, task = excluded.task,
       fresh = excluded.fresh, pins = excluded.pins, standing = excluded.standing, seen = excluded.seen, prompts = excluded.prompts`,
    row.id,
    row.mode,
    row.intents,
    row.task,
    row.opening,
    row.fresh,
    row.pins,
    row.standing,
    row.created,
    row.seen,
    row.reply,
    row.prompts,
  );
  // The session that the client knows lives as long as its side sessions: their consents hang on it.
  const root = rootSession(row.id);
  if (root !== row.id) sql.exec("UPDATE sessions SET seen = ? WHERE id = ?", row.seen, root);
}

/** Of its side sessions too: it restricts the conversation. */
export function setSessionMode(sql: SqlStorage, id: string, mode: string): void {
  sql.exec("UPDATE sessions SET mode = ? WHERE id = ? OR (id > ? AND id < ?)", mode, id, ...sideSessionRange(id));
}

/** By the handshake. The arm is that of the call which the intent before could have had. */
export function selectIntent(sql: SqlStorage, session: SessionRow, name: string): void {
  const { intents, standing } = readHeld(session);
  const stays = intents.length === 1 && intents[0] === name;
  sql.exec(
    "UPDATE sessions SET intents = ?, standing = ? WHERE id = ?",
    JSON.stringify([name]),
    JSON.stringify(stays ? standing : { ...standing, arm: undefined }),
    session.id,
  );
}

/** Touched lately, or with a call that may still be answered. */
const ALIVE = `(seen >= ? OR EXISTS (SELECT 1 FROM approvals a WHERE a.session = sessions.id AND a.open = 1 AND a.expires > ?))`;

export const isAlive = (sql: SqlStorage, id: string, now: number): boolean =>
  first(sql.exec(`SELECT 1 AS one FROM sessions WHERE id = ? AND ${ALIVE}`, id, now - SESSION_IDLE_MS, now)) !==
  undefined;

/**
 * The session and all that hangs on it. What waits for a person in it is cancelled. Rate windows stay: they are the user's, not the session's. So does a turn that
 * still runs, for its record; it decides nothing more, not even in a session opened since under the same id.
 */
export function forgetSession(sql: SqlStorage, keys: AuditKeys, id: string, now: number): boolean {
  cancelOpen(sql, keys, id, { turn: null, now });
  sql.exec("DELETE FROM turns WHERE session = ? AND open = 0", id);
  sql.exec("UPDATE turns SET task = -1 WHERE session = ?", id);
  for (const table of ["pairs", "calls", "exchanges", "gates", "grants"])
    sql.exec(`DELETE FROM ${table} WHERE session = ?`, id);
  settleLost({ sql, keys, now });
  forgetRunsOf(sql, id);
  return sql.exec("DELETE FROM sessions WHERE id = ? RETURNING id", id).toArray().length > 0;
}

/**
 * As the user wishes: nothing of it is kept, nor of the plan whose calls are made in it. One that idles out leaves the calls that
 * can be undone, and the plan: what that had handed out, or asked for, has failed, and can be run again.
 */
export function deleteSession(sql: SqlStorage, keys: AuditKeys, id: string, now: number): boolean {
  const range = sideSessionRange(id);
  const sides = sql.exec<{ id: string }>("SELECT id FROM sessions WHERE id > ? AND id < ?", ...range).toArray();
  for (const side of sides) deleteSession(sql, keys, side.id, now);
  forgetCallsOf(sql, id);
  const planned = forgetPlansOf({ sql, keys, now }, id);
  return forgetSession(sql, keys, id, now) || planned;
}

/** Forgets what no rule can ask for any more. */
export function sweep(sql: SqlStorage, keys: AuditKeys, now: number): void {
  sql.exec(`DELETE FROM sessions WHERE NOT ${ALIVE}`, now - SESSION_IDLE_MS, now);
  tidyAfterSessions(sql, keys, now);
  for (const table of ["pairs", "calls", "exchanges"]) {
    sql.exec(`DELETE FROM ${table} WHERE session NOT IN (SELECT id FROM sessions)`);
  }
  settleLost({ sql, keys, now });
  sweepRuns(sql, now);
  sql.exec("DELETE FROM gates WHERE session <> '' AND session NOT IN (SELECT id FROM sessions)");
  sql.exec("DELETE FROM uses WHERE ends < ?", now);
  sql.exec("DELETE FROM calls WHERE outcome IS NOT NULL AND at < ?", now - SESSION_IDLE_MS);
}

/** Whether there is anything that a sweep will find. */
export function isInUse(sql: SqlStorage): boolean {
  const any = ["sessions", "uses", "turns", "runs"].map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  return sql.exec<{ used: number }>(`SELECT ${any.join(" OR ")} AS used`).one().used === 1;
}
