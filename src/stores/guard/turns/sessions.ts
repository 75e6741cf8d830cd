/** The sessions of one user: read, changed and deleted. */
import type { SessionsPort } from "../../../ports/guard-port.ts";
import type { SessionInfo } from "../../../session/state.ts";
import { type Held, NO_STANDING, type Standing, standingOf } from "../../../session/task.ts";
import { rootSession, sideSessionRange } from "../../../session/thread.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { upsertRow } from "../../objects/sql-rows.ts";
import { cancelOpen, clearOldArguments } from "../approvals/end-approvals.ts";
import type { ObjectContext } from "../object-context.ts";
import { settleLost } from "../plans/ended.ts";
import { forgetPlansOf } from "../plans/save.ts";
import { deleteRunsOf, expireRuns } from "../runs/expiry.ts";
import { first, SESSION_IDLE_MS } from "../schema.ts";
import { deleteCallsOf } from "../stored-calls.ts";

export class SessionsApi implements SessionsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async find(id: string): Promise<SessionInfo | undefined> {
    return this.context.read(({ sql }) => readSession(sql, id));
  }

  async setMode(id: string, mode: string): Promise<SessionInfo | undefined> {
    return this.context.read(({ sql }) => {
      setSessionMode(sql, id, mode);
      return readSession(sql, id);
    });
  }

  async delete(id: string): Promise<boolean> {
    return this.context.change(({ sql, keys, now }) => deleteSession(sql, keys, id, now));
  }
}

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
  /** JSON, the marks of the last reply that reached the client (`replyMarks`). */
  reply: string;
  /** JSON list, sketches of the system prompts (`promptSketch`). */
  prompts: string;
}

/** Its intents and state, as of its current task. */
export function readHeld({ intents, standing, task }: SessionRow): Held {
  const known: Standing = { ...NO_STANDING, ...(JSON.parse(standing) as Partial<Standing>) };
  return { intents: JSON.parse(intents) as string[], standing: standingOf(known, task) };
}

export const promptsOf = ({ prompts }: Pick<SessionRow, "prompts">): number[][] => JSON.parse(prompts) as number[][];

const detectedPart = ({ intents, standing: { detected } }: Held) => ({ intents, detected });

/**
 * As it is shown: of a session and its side sessions the one with the most messages, since a frontend's own request may come
 * before the conversation's first.
 */
function readSession(sql: SqlStorage, id: string): SessionInfo | undefined {
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
    ...detectedPart(readHeld(row)),
    createdAt: row.created,
    seenAt: row.seen,
    pending,
  };
}

export function saveSession(sql: SqlStorage, row: SessionRow): void {
  upsertRow(sql, "sessions", "id", row, ["mode", "intents", "task", "fresh", "pins", "standing", "seen", "prompts"]);
  // The session that the client knows lives as long as its side sessions: their consents hang on it.
  const root = rootSession(row.id);
  if (root !== row.id) sql.exec("UPDATE sessions SET seen = ? WHERE id = ?", row.seen, root);
}

/** Of its side sessions too: it restricts the conversation. */
function setSessionMode(sql: SqlStorage, id: string, mode: string): void {
  sql.exec("UPDATE sessions SET mode = ? WHERE id = ? OR (id > ? AND id < ?)", mode, id, ...sideSessionRange(id));
}

/** By the handshake. The variant belongs to the call of the intent before, and goes with it. */
export function selectIntent(sql: SqlStorage, session: SessionRow, name: string): void {
  const { intents, standing } = readHeld(session);
  const stays = intents.length === 1 && intents[0] === name;
  sql.exec(
    "UPDATE sessions SET intents = ?, standing = ? WHERE id = ?",
    JSON.stringify([name]),
    JSON.stringify(stays ? standing : { ...standing, variant: undefined }),
    session.id,
  );
}

/** A person may still answer a call of the session. */
const IS_AWAITED = "EXISTS (SELECT 1 FROM approvals a WHERE a.session = sessions.id AND a.open = 1 AND a.expires > ?)";

/** Used recently, or with a call that may still be answered. */
export const isAlive = (sql: SqlStorage, id: string, now: number): boolean =>
  first(
    sql.exec(
      `SELECT 1 AS one FROM sessions WHERE id = ? AND (seen >= ? OR ${IS_AWAITED})`,
      id,
      now - SESSION_IDLE_MS,
      now,
    ),
  ) !== undefined;

/**
 * The session and all that belongs to it; its pending approvals are cancelled. Rate windows stay: they are the user's. An open turn
 * stays for its record; it decides nothing more, not even in a new session of the same id.
 */
export function deleteSessionRows(sql: SqlStorage, keys: AuditKeys, id: string, now: number): boolean {
  cancelOpen(sql, keys, id, { turn: null, now });
  sql.exec("DELETE FROM turns WHERE session = ? AND open = 0", id);
  sql.exec("UPDATE turns SET task = -1 WHERE session = ?", id);
  for (const table of ["pairs", "calls", "exchanges", "gates", "grants"])
    sql.exec(`DELETE FROM ${table} WHERE session = ?`, id);
  settleLost({ sql, keys, now });
  deleteRunsOf(sql, id);
  return sql.exec("DELETE FROM sessions WHERE id = ? RETURNING id", id).toArray().length > 0;
}

/**
 * At the user's request: nothing of it stays, nor of the plan whose session it is. A session that idles out leaves the calls that
 * can be undone, and its plan: steps that were released or waited for a person have failed, and can be run again.
 */
export function deleteSession(sql: SqlStorage, keys: AuditKeys, id: string, now: number): boolean {
  const range = sideSessionRange(id);
  const sides = sql.exec<{ id: string }>("SELECT id FROM sessions WHERE id > ? AND id < ?", ...range).toArray();
  for (const side of sides) deleteSession(sql, keys, side.id, now);
  deleteCallsOf(sql, id);
  const planned = forgetPlansOf({ sql, keys, now }, id);
  return deleteSessionRows(sql, keys, id, now) || planned;
}

/** Per user: a backend may send everybody's requests under one name. The sessions seen last stay. */
export const MAX_SESSIONS = 10_000;
/** Per alarm: each takes a dozen statements. */
const MAX_EXPIRED = 200;

/** Deletes what no rule needs any more. @returns whether there is more of it. */
export function expireSessions(sql: SqlStorage, keys: AuditKeys, now: number): boolean {
  const over = sessionsOver(sql, now);
  for (const id of over) deleteSessionRows(sql, keys, id, now);
  settleLost({ sql, keys, now });
  clearOldArguments(sql, now);
  expireRuns(sql, now);
  expireSettledCalls(sql, now);
  sql.exec("DELETE FROM uses WHERE ends < ?", now);
  return over.length >= MAX_EXPIRED;
}

/** Idle sessions, else those above the maximum. A session that waits for a person stays. */
function sessionsOver(sql: SqlStorage, now: number): string[] {
  const idle = sql.exec<{ id: string }>(
    `SELECT id FROM sessions WHERE seen < ? AND NOT ${IS_AWAITED} ORDER BY seen LIMIT ${MAX_EXPIRED}`,
    now - SESSION_IDLE_MS,
    now,
  );
  const ids = idle.toArray().map(({ id }) => id);
  if (ids.length > 0) return ids;
  const tooMany = sql.exec<{ id: string }>(
    `SELECT id FROM (SELECT id FROM sessions ORDER BY seen DESC LIMIT ${MAX_EXPIRED} OFFSET ${MAX_SESSIONS}) AS sessions
     WHERE NOT ${IS_AWAITED}`,
    now,
  );
  return tooMany.toArray().map(({ id }) => id);
}

/** Ordinals follow time: the search ends at the first young call. */
function expireSettledCalls(sql: SqlStorage, now: number): void {
  let young = Number.MAX_SAFE_INTEGER;
  for (const { ordinal, at } of sql.exec<{ ordinal: number; at: number }>(
    "SELECT ordinal, at FROM calls ORDER BY ordinal",
  )) {
    if (at < now - SESSION_IDLE_MS) continue;
    young = ordinal;
    break;
  }
  sql.exec("DELETE FROM calls WHERE ordinal < ? AND outcome IS NOT NULL", young);
}

/** When the first session becomes idle. Old uses expire with sessions, and alone only where there is none. */
export function sessionsDueAt(sql: SqlStorage): number | undefined {
  const { seen, ends } = sql
    .exec<{ seen: number | null; ends: number | null }>(
      "SELECT (SELECT MIN(seen) FROM sessions) AS seen, (SELECT MAX(ends) FROM uses) AS ends",
    )
    .one();
  if (seen !== null) return seen + SESSION_IDLE_MS + 1;
  return ends === null ? undefined : ends + 1;
}
