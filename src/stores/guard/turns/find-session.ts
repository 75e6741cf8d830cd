/**
 * Finds the session of a request. Part of the transaction of an open.
 *
 * The client names a session, or it is found by its first message and first reply. A request that does not continue that conversation
 * (`session/conversation-fingerprint.ts`) belongs to a side session of it: a task, intents and waiting calls of its own, under the
 * same mode, pinned definitions and consents.
 */
import { newId } from "../../../lib/ids.ts";
import type { OpenRequest } from "../../../ports/turns/open-turn-request.ts";
import {
  conversationKeyOf,
  knowsPrompt,
  rootSession,
  sideSessionKey,
  sideSessionRange,
} from "../../../session/conversation-fingerprint.ts";
import { insertRow, selectAll, selectOne } from "../../objects/sql-rows.ts";
import { sessionOfAnswer } from "../approvals/waiting.ts";
import { RETRY_MS, SESSION_IDLE_MS } from "../lifetimes.ts";
import type { Transaction } from "../transaction.ts";
import { hasCalls, releasedIn, type SessionTurn, triesOfRequest, turnsIn } from "./session-turns.ts";
import { deleteSessionRows, isAlive, promptsOf, readHeld, type SessionRow } from "./sessions.ts";

interface FoundSession {
  readonly session: SessionRow;
  /** Whether the session existed before this request. */
  readonly known: boolean;
  /** The request holds something that only this session's replies contained. */
  readonly isReturning: boolean;
  /** Whether one was found that had expired: it is deleted. */
  readonly forgot: boolean;
}

export function findSession(transaction: Transaction, request: OpenRequest): FoundSession {
  const { sql, now } = transaction;
  const { id } = request.session;
  const again = id === undefined ? resentOrAnswering(sql, request, now) : undefined;
  if (again) return { session: again, known: true, isReturning: false, forgot: false };
  const named = id === undefined ? byConversationKey(transaction, request.session) : byId(sql, id);
  if (!named) return { session: newSession(request, now), known: false, isReturning: false, forgot: false };
  if (!isAlive(sql, named.id, now)) {
    deleteSessionRows(transaction, named.id);
    return { session: newSession(request, now), known: false, isReturning: false, forgot: true };
  }
  const session = continued(sql, named, request, now);
  if (session) return { session, known: true, isReturning: true, forgot: false };
  return { session: sideSession(named, request, now), known: false, isReturning: false, forgot: false };
}

const byId = (sql: SqlStorage, id: string): SessionRow | undefined =>
  selectOne<SessionRow>(sql, "SELECT * FROM sessions WHERE id = ?", id);

function byConversationKey(
  transaction: Transaction,
  { conversationKey, firstMessageDigest }: OpenRequest["session"],
): SessionRow | undefined {
  if (conversationKey === undefined) return undefined;
  const { sql } = transaction;
  return (
    selectOne<SessionRow>(sql, "SELECT * FROM sessions WHERE pair = ?", conversationKey) ??
    selectOne<SessionRow>(
      sql,
      "SELECT s.* FROM pairs p JOIN sessions s ON s.id = p.session WHERE p.pair = ?",
      conversationKey,
    ) ??
    byReleased(transaction, conversationKey, firstMessageDigest)
  );
}

/** The calls of its first reply have reached the client, and the turn is not closed yet, or never will be. */
function byReleased(
  transaction: Transaction,
  conversationKey: string,
  firstMessageDigest: string,
): SessionRow | undefined {
  const { sql } = transaction;
  // `+seen` disables the index of all sessions on purpose: few are open. "IS NOT NULL" would find no index.
  const open = "SELECT * FROM sessions WHERE opened > 0 AND fresh = 1 AND opening = ? ORDER BY +seen DESC";
  const found = selectAll<SessionRow>(sql, open, firstMessageDigest).find((session) =>
    turnsIn(session).some((turn) => turn.open && releasedPair(sql, session, turn) === conversationKey),
  );
  if (found)
    sql.exec("UPDATE sessions SET pair = ? WHERE id = ?", pairOf(transaction, conversationKey, found), found.id);
  return found;
}

/** The pair that the calls of a turn make; undefined if it released none. */
export function releasedPair(
  sql: SqlStorage,
  { id, opening }: Pick<SessionRow, "id" | "opening">,
  turn: SessionTurn,
): string | undefined {
  const released = releasedIn(sql, id, turn);
  return released.length > 0 ? conversationKeyOf(opening, released, "") : undefined;
}

/**
 * A first request that the client marks as sent again belongs to the session of its first try, also while that is under way. Without
 * the mark it opens its own session, even if the same request runs at the same time: two tabs may begin alike, and must not share
 * intents, counters and answers. A session that was opened in vain does no harm: the client's next request holds the reply that leads
 * to the right one.
 */
function resentOrAnswering(sql: SqlStorage, request: OpenRequest, now: number): SessionRow | undefined {
  const row =
    (request.clientRetry ? sessionOfRequest(sql, request.digest, now) : undefined) ??
    sessionOfAnswer(sql, request) ??
    waitingAsData(sql, request.digest);
  return row && isAlive(sql, row.id, now) ? row : undefined;
}

/** A client of native approvals sends the same request again once a person has answered. `+ordinal` disables the index: few are open. */
const waitingAsData = (sql: SqlStorage, digest: string): SessionRow | undefined =>
  selectOne<SessionRow>(
    sql,
    `SELECT s.* FROM approvals a JOIN sessions s ON s.id = a.session
       WHERE a.open = 1 AND a.channel = 'native' AND a.request = ? ORDER BY +a.ordinal DESC LIMIT 1`,
    digest,
  );

/**
 * The session that the very same request was opened in last, a moment ago, or waits in. @param root the conversation that it must
 * belong to; absent: any.
 */
function sessionOfRequest(sql: SqlStorage, digest: string, now: number, root?: string): SessionRow | undefined {
  const since = now - RETRY_MS;
  const waiting = selectAll<SessionAt>(
    sql,
    `SELECT session, asked AS at FROM approvals WHERE request = ?1 AND open = 1
       UNION ALL SELECT session, at FROM runs WHERE request = ?1 AND (status = 'started' OR ended > ?2)`,
    digest,
    since,
  );
  const opened = (root === undefined ? usedSince(sql, since) : turnsOfFamily(sql, root)).flatMap((row) =>
    triesOfRequest(turnsIn(row), digest)
      .filter((turn) => turn.at > since || hasCalls(sql, row.id, turn, since))
      .map(({ at }) => ({ session: row.id, at })),
  );
  const found = [...opened, ...waiting]
    .filter(({ session }) => root === undefined || rootSession(session) === root)
    .sort((one, other) => other.at - one.at);
  for (const { session } of found) {
    const row = byId(sql, session);
    if (row) return row;
  }
  return undefined;
}

interface SessionAt {
  readonly session: string;
  readonly at: number;
}

type TurnsOfSession = Pick<SessionRow, "id" | "turn_list">;

/** A held reply releases its calls long after it was opened. Ordinals of calls follow time. */
const usedSince = (sql: SqlStorage, since: number): TurnsOfSession[] =>
  selectAll<TurnsOfSession>(
    sql,
    `SELECT id, turn_list FROM sessions WHERE seen > ?1 OR opened > 0
       OR id IN (SELECT session FROM calls WHERE ordinal > ?2 AND at > ?1)`,
    since,
    since * 1000,
  );

const turnsOfFamily = (sql: SqlStorage, root: string): TurnsOfSession[] =>
  selectAll<TurnsOfSession>(
    sql,
    "SELECT id, turn_list FROM sessions WHERE id = ? OR (id > ? AND id < ?)",
    root,
    ...sideSessionRange(root),
  );

/** The one of the named session and its side sessions that the request continues; undefined if there is none. */
function continued(sql: SqlStorage, named: SessionRow, request: OpenRequest, now: number): SessionRow | undefined {
  const { fingerprint, firstMessageDigest } = request.session;
  if (!fingerprint) return named;
  const root = rootSession(named.id);
  const same = sessionOfRequest(sql, request.digest, now, root);
  if (same && isAlive(sql, same.id, now)) return same;
  const answered = sessionOfAnswer(sql, request);
  if (answered && rootSession(answered.id) === root && isAlive(sql, answered.id, now)) return answered;
  // The client names the conversation, and its model has replaced the history.
  if (fingerprint.isCompacted && knowsPrompt(promptsOf(named), fingerprint.prompt)) return named;
  // Results of calls belong to the session that released the calls.
  const isFork = (row: ThreadRow) => request.newMessage && !knowsPrompt(promptsOf(row), fingerprint.prompt);
  const family = familyOf(sql, root, now).filter((row) => !isFork(row));
  const read = ({ id }: ThreadRow) => (id === named.id ? named : byId(sql, id));
  for (const marks of fingerprint.replies) {
    const found = family.find(({ reply }) => (JSON.parse(reply) as string[]).some((mark) => marks.includes(mark)));
    if (found) return read(found);
  }
  // No reply of it has reached the client yet: its first request is tried again, perhaps with another text.
  const begins = family.find(({ reply, opening: own }) => reply === NO_REPLY && own === firstMessageDigest);
  return begins ? read(begins) : request.session.command ? named : undefined;
}

const NO_REPLY = "[]";

type ThreadRow = Pick<SessionRow, "id" | "opening" | "reply" | "prompts">;

/** Per conversation: a frontend may open a side session with each message. */
const MAX_FAMILY = 64;

/** The session itself and its live side sessions, the last used first. Without their pins, which may be long. */
const familyOf = (sql: SqlStorage, root: string, now: number): ThreadRow[] =>
  selectAll<ThreadRow>(
    sql,
    `SELECT id, opening, reply, prompts FROM sessions WHERE id = ? OR (id > ? AND id < ? AND seen >= ?)
       ORDER BY seen DESC, id DESC LIMIT ?`,
    root,
    ...sideSessionRange(root),
    now - SESSION_IDLE_MS,
    MAX_FAMILY,
  );

export function newSession({ session }: OpenRequest, now: number): SessionRow {
  return {
    id: session.id ?? newId("sess", now),
    mode: null,
    intents: "[]",
    task: 0,
    opening: session.firstMessageDigest,
    // A session opened in the middle of a conversation is found by the pair that it already has.
    fresh: session.id === undefined && session.conversationKey === undefined ? 1 : 0,
    pins: "{}",
    standing: "{}",
    reply: NO_REPLY,
    prompts: "[]",
    pair: null,
    turn_list: "[]",
    opened: null,
    created: now,
    seen: now,
  };
}

/** Restrictions of the conversation apply to it too. */
function sideSession(named: SessionRow, request: OpenRequest, now: number): SessionRow {
  const { untrusted } = readHeld(named).taskState;
  return {
    ...newSession(request, now),
    id: sideSessionKey(rootSession(named.id), newId("sess", now)),
    fresh: 0,
    mode: named.mode,
    pins: named.pins,
    standing: JSON.stringify({ untrusted }),
  };
}

/**
 * Stores the pair as the session's own, which the caller saves; a second one goes to `pairs`. The last session of a pair wins: its
 * conversation continues.
 */
export function pairOf(
  { sql, now }: Pick<Transaction, "sql" | "now">,
  pair: string,
  { id, pair: own }: Pick<SessionRow, "id" | "pair">,
): string {
  sql.exec("UPDATE sessions SET pair = NULL WHERE pair = ? AND id <> ?", pair, id);
  sql.exec("DELETE FROM pairs WHERE pair = ?", pair);
  if (own === null || own === pair) return pair;
  insertRow(sql, "pairs", { pair, session: id, at: now });
  return own;
}
