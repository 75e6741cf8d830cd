/** Opening a turn: which session it belongs to, what its tool results settle, what its task holds. One transaction. */
import type { Approval } from "../../approvals/approval.ts";
import { newId } from "../../lib/ids.ts";
import { awaitedBy } from "../../session/awaited-values.ts";
import type { HiddenExchange, Opened, OpenRequest, ReleasedCall } from "../../turn/guard-port.ts";
import type { AuditKeys } from "../audit-keys.ts";
import { cancelOpen, endedBy } from "./approvals/end.ts";
import { readWaiting, sessionOfAnswer, type Waits } from "./approvals/waiting.ts";
import { type LiveLink, liveLinks } from "./connections.ts";
import { endDue } from "./end-due.ts";
import { readHidden } from "./exchanges.ts";
import { giveAgain } from "./give-again.ts";
import { grantsOf } from "./judged-alike.ts";
import { readMeta, writeMeta } from "./meta.ts";
import { moveTask, type Settled } from "./move-task.ts";
import { runsOfEarlier, takeOver } from "./runs/again.ts";
import { type RunRow, tellRuns } from "./runs/rows.ts";
import { first, RETRY_MS } from "./schema.ts";
import { forgetSession, isAlive, readHeld, type SessionRow, saveSession } from "./sessions.ts";

/** Tool names that a session pins; a name has at most 128 characters, and all pins are one row of at most 2 MB. */
const MAX_PINS = 2048;

/** The answer to an open, and what is left to write of it. */
export interface OpenedTurn {
  readonly opened: Opened;
  readonly write: () => void;
  /** Whether something was written already, so that the rest belongs to the same transaction. */
  readonly urgent: boolean;
  /** Whether approvals changed. */
  readonly changed: boolean;
}

export function openTurn(sql: SqlStorage, keys: AuditKeys, request: OpenRequest, now: number): OpenedTurn {
  const { principal, session: asked } = request;
  const expired = endDue(sql, keys, now);
  const before = request.again ? openedBefore(sql, request, now) : undefined;
  if (before) return { opened: before, write: () => {}, urgent: true, changed: expired };
  const newOwner = readMeta(sql, "owner") === undefined;
  if (newOwner) writeMeta(sql, "owner", { tenant: principal.tenant, user: principal.user });

  const { known, back, forgot } = findSession(sql, keys, request, now);
  const session = known ?? newSession(request, now);
  // A session that was only just opened has nothing to give again, and nothing hidden.
  const replay = known && !request.reset ? giveAgain(sql, session, request, now) : undefined;
  const runs = known ? runsOfEarlier(sql, known, request, now) : [];
  const waits = replay ? undefined : readWaiting(sql, known, request, now);
  if (waits && waits.unknown.length > 0) return refused(session, waits.unknown, expired || forgot);
  const newPair = !known && asked.id === undefined && asked.pair !== undefined;
  if (newPair) rememberPair(sql, asked.pair ?? "", session.id, now);
  if (back) session.fresh = 0;
  // The same request again: what it moved and settled it has moved and settled.
  const again = replay !== undefined || runs.length > 0;
  const { task } = session;
  // Under a name of the client's own there may have been one before.
  const unheardOf = !known && asked.id === undefined;
  const moves = !again && !waits?.stays && (request.newMessage || request.reset);
  if (runs.length > 0) takeOver(sql, runs, request.turn);
  const cancelled = known && moves ? cancelOpen(sql, keys, known.id, { turn: request.turn, now }) : [];
  const settled = again
    ? []
    : moveTask({ sql, keys, now }, session, waits?.stays ? { ...request, newMessage: false } : request, unheardOf);
  if (request.mode !== undefined) session.mode = request.mode;
  const redefined = replay ? [] : pinDefinitions(session, request.definitions);
  session.seen = now;
  const links = liveLinks(sql, now);
  const write = () => {
    saveSession(sql, session);
    saveTurn(sql, request, session, { settled, links, now });
  };
  const opened = answer(session, request.digest, redefined, known ? readHidden(sql, session) : [], replay);
  const answeredBefore =
    known && opened.arm && request.newMessage && wasAnswered(sql, { ...known, task }, request.digest, now);
  const changed = expired || forgot || cancelled.length > 0;
  const urgent = newOwner || newPair || request.reset || changed || settled.length > 0 || again;
  return {
    opened: {
      ...opened,
      ...(answeredBefore ? { again: true } : {}),
      ...told(waits, runs.length > 0 ? endedBy(sql, request.turn) : cancelled),
      ...ledger(links, runs),
    },
    write,
    urgent,
    changed,
  };
}

/** In this task. A turn that is still open may have died: then the one that comes again begins the task for the record. */
const wasAnswered = (sql: SqlStorage, { id, task }: SessionRow, digest: string, now: number): boolean =>
  first(
    sql.exec(
      "SELECT 1 FROM turns WHERE digest = ? AND session = ? AND task = ? AND open = 0 AND at > ? LIMIT 1",
      digest,
      id,
      task,
      now - RETRY_MS,
    ),
  ) !== undefined;

/** Nothing is written of it: the turn never was. */
const refused = (session: SessionRow, unknown: readonly string[], changed: boolean): OpenedTurn => ({
  opened: { ...answer(session, "", [], [], undefined), unknownApprovals: unknown },
  write: () => {},
  urgent: true,
  changed,
});

const told = (waits: Waits | undefined, cancelled: readonly Approval[]): Partial<Opened> => ({
  ...(waits && waits.waiting.length > 0 ? { waiting: waits.waiting } : {}),
  ...(cancelled.length > 0 ? { cancelled } : {}),
});

const ledger = (links: readonly LiveLink[], runs: readonly RunRow[]): Partial<Opened> => ({
  ...(links.length > 0 ? { connections: links.map(({ provider }) => provider) } : {}),
  ...(runs.length > 0 ? { runs: tellRuns(runs) } : {}),
});

const answer = (
  session: SessionRow,
  digest: string,
  changedDefinitions: readonly string[],
  hidden: readonly HiddenExchange[],
  replay: readonly ReleasedCall[] | undefined,
): Opened => {
  const { intents, standing } = readHeld(session);
  const { detected, succeeded, reminded, untrusted, arm, values } = standing;
  const awaiting = awaitedBy(values, digest);
  const task = { intents, detected, succeeded, reminded, untrusted };
  return {
    session: session.id,
    mode: session.mode ?? undefined,
    fresh: session.fresh === 1,
    ...task,
    ...(arm ? { arm } : {}),
    ...(awaiting ? { awaiting } : {}),
    changedDefinitions,
    hidden,
    replay,
  };
};

/**
 * What was answered to an open that was done already; undefined where it never was. Its task moved then, and not again. Throws
 * where the task is over: the turn may move no other, and what the next one has is not its to end.
 */
function openedBefore(sql: SqlStorage, request: OpenRequest, now: number): Opened | undefined {
  const row = "SELECT s.*, t.task AS opened FROM turns t JOIN sessions s ON s.id = t.session WHERE t.id = ?";
  const session = first(sql.exec<SessionRow & { opened: number }>(row, request.turn));
  if (!session) return undefined;
  if (session.opened !== session.task) throw new Error("the conversation has gone on since the turn was opened");
  const replay = request.reset ? undefined : giveAgain(sql, session, request, now);
  const changed = replay ? [] : pinDefinitions({ ...session }, request.definitions);
  const waits = replay || request.reset ? undefined : readWaiting(sql, session, request, now);
  const runs = runsOfEarlier(sql, session, request, now);
  const opened = answer(session, request.digest, changed, readHidden(sql, session), replay);
  const again = hasTwin(sql, session, request) ? { again: true as const } : {};
  return { ...opened, ...again, ...told(waits, endedBy(sql, request.turn)), ...ledger(liveLinks(sql, now), runs) };
}

const hasTwin = (sql: SqlStorage, { id, task }: SessionRow, { turn, digest }: OpenRequest): boolean =>
  first(
    sql.exec(
      "SELECT 1 FROM turns WHERE digest = ? AND session = ? AND task = ? AND id <> ? LIMIT 1",
      digest,
      id,
      task,
      turn,
    ),
  ) !== undefined;

function saveTurn(
  sql: SqlStorage,
  { turn, digest, model, principal, policy, reset }: OpenRequest,
  session: SessionRow,
  {
    settled,
    links,
    now,
  }: { readonly settled: readonly Settled[]; readonly links: readonly LiveLink[]; readonly now: number },
): void {
  sql.exec(
    `INSERT INTO turns (id, session, task, epoch, digest, at, model, role, grants, mode, policy, open, settled, reset)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    turn,
    session.id,
    session.task,
    readHeld(session).standing.epoch,
    digest,
    now,
    model,
    principal.role,
    grantsOf(principal, links),
    session.mode,
    policy,
    JSON.stringify(settled),
    reset ? 1 : 0,
  );
}

/**
 * A first request that the client says it sends again belongs to the session that its first try opened, also while that is under
 * way. One that says nothing of it opens its own, even where the very same comes at the same moment: two tabs may begin alike, and
 * the intents, counters and answers of one conversation are not the other's. Nobody is held to a session that was opened in vain:
 * the reply that the client goes on from leads to the one that it came from.
 */
function findByDigest(sql: SqlStorage, digest: string, now: number): SessionRow | undefined {
  return first(
    sql.exec<SessionRow>(
      `SELECT s.* FROM (SELECT session, at FROM turns WHERE digest = ?1 AND at > ?2
         UNION ALL SELECT session, asked FROM approvals WHERE request = ?1 AND open = 1
         UNION ALL SELECT session, at FROM runs WHERE request = ?1 AND (status = 'started' OR ended > ?2)) t
       JOIN sessions s ON s.id = t.session ORDER BY t.at DESC LIMIT 1`,
      digest,
      now - RETRY_MS,
    ),
  );
}

interface Found {
  readonly known: SessionRow | undefined;
  /** Whether the client has come back with what it was told of the session: its name, or its first reply. */
  readonly back: boolean;
  /** Whether one was found whose time is over. */
  readonly forgot: boolean;
}

function findSession(sql: SqlStorage, keys: AuditKeys, request: OpenRequest, now: number): Found {
  const { id, pair } = request.session;
  const unnamed = id === undefined;
  const again = unnamed
    ? ((request.resent ? findByDigest(sql, request.digest, now) : undefined) ?? sessionOfAnswer(sql, request))
    : undefined;
  if (again && isAlive(sql, again.id, now)) return { known: again, back: false, forgot: false };
  const row = unnamed
    ? pair === undefined
      ? undefined
      : first(
          sql.exec<SessionRow>("SELECT s.* FROM pairs p JOIN sessions s ON s.id = p.session WHERE p.pair = ?", pair),
        )
    : first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", id));
  if (row && !isAlive(sql, row.id, now)) {
    forgetSession(sql, keys, row.id, now);
    return { known: undefined, back: false, forgot: true };
  }
  return { known: row, back: row !== undefined, forgot: false };
}

function newSession({ session }: OpenRequest, now: number): SessionRow {
  return {
    id: session.id ?? newId("sess", now),
    mode: null,
    intents: "[]",
    task: 0,
    opening: session.opening,
    // A session opened in the middle of a conversation is found by the pair that it already has.
    fresh: session.id === undefined && session.pair === undefined ? 1 : 0,
    pins: "{}",
    standing: "{}",
    created: now,
    seen: now,
  };
}

/** The last session of a pair wins: it is the one whose conversation goes on. */
export function rememberPair(sql: SqlStorage, pair: string, session: string, now: number): void {
  sql.exec(
    "INSERT INTO pairs (pair, session, at) VALUES (?, ?, ?) ON CONFLICT (pair) DO UPDATE SET session = excluded.session, at = excluded.at",
    pair,
    session,
    now,
  );
}

/**
 * Pins what is new, tells what is not as it was first sent. Changes `session`. A session holds `MAX_PINS` names; a new
 * one beyond them could change from request to request without being seen, so it is told as changed: the tool is
 * withheld until a reset clears the pins.
 */
function pinDefinitions(session: SessionRow, definitions: OpenRequest["definitions"]): string[] {
  if (definitions.length === 0) return [];
  const pins = new Map(Object.entries(JSON.parse(session.pins) as Record<string, string>));
  const known = pins.size;
  const changed: string[] = [];
  for (const [name, digest] of definitions) {
    const pinned = pins.get(name);
    if (pinned === undefined && pins.size < MAX_PINS) pins.set(name, digest);
    else if (pinned !== digest) changed.push(name);
  }
  if (pins.size > known) session.pins = JSON.stringify(Object.fromEntries(pins));
  return changed;
}
