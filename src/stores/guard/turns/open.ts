/** Opening a turn: which session it belongs to, what its tool results settle, what its task holds. One transaction. */
import type { Approval } from "../../../approvals/approval.ts";
import type { HiddenExchange, Opened, OpenRequest, ReleasedCall } from "../../../ports/guard-port.ts";
import { rootSession, withPrompt } from "../../../session/thread.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { endDue } from "../alarm/end-due.ts";
import { cancelOpen, endedBy } from "../approvals/end.ts";
import { readWaiting, type Waits } from "../approvals/waiting.ts";
import { type LiveLink, liveLinks } from "../connections.ts";
import { readMeta, writeMeta } from "../meta.ts";
import { runsOfEarlier, takeOver } from "../runs/again.ts";
import { type RunRow, tellRuns } from "../runs/rows.ts";
import { first, RETRY_MS } from "../schema.ts";
import { readHidden } from "./exchanges.ts";
import { findSession, rememberPair } from "./find-session.ts";
import { giveAgain } from "./give-again.ts";
import { grantsOf } from "./judged-alike.ts";
import { moveTask, type Settled } from "./move-task.ts";
import { promptsOf, readHeld, type SessionRow, saveSession } from "./sessions.ts";

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

  const { session, known: isKnown, back, forgot } = findSession(sql, keys, request, now);
  const known = isKnown ? session : undefined;
  // A session that was only just opened has nothing to give again, and nothing hidden.
  const replay = known && !request.reset ? giveAgain(sql, session, request, now) : undefined;
  const runs = known ? runsOfEarlier(sql, known, request, now) : [];
  const waits = replay ? undefined : readWaiting(sql, known, request, now);
  if (waits && waits.unknown.length > 0)
    return refused(session, { unknownApprovals: waits.unknown }, expired || forgot);
  const isSide = rootSession(session.id) !== session.id;
  const newPair = !known && !isSide && asked.id === undefined && asked.pair !== undefined;
  if (newPair) rememberPair(sql, asked.pair ?? "", session.id, now);
  if (back) session.fresh = 0;
  // The same request again: what it moved and settled it has moved and settled.
  const again = replay !== undefined || runs.length > 0;
  const { task } = session;
  // Under a name of the client's own there may have been one before.
  const unheardOf = !known && (isSide || asked.id === undefined);
  const moves = !again && !waits?.stays && (request.newMessage || request.reset);
  if (runs.length > 0) takeOver(sql, runs, request.turn);
  const cancelled = known && moves ? cancelOpen(sql, keys, known.id, { turn: request.turn, now }) : [];
  const settled = again
    ? []
    : moveTask({ sql, keys, now }, session, waits?.stays ? { ...request, newMessage: false } : request, unheardOf);
  if (request.mode !== undefined) session.mode = request.mode;
  const redefined = replay ? [] : pinDefinitions(session, request.definitions);
  session.seen = now;
  if (asked.thread) session.prompts = JSON.stringify(withPrompt(promptsOf(session), asked.thread.prompt));
  const links = liveLinks(sql, now);
  const write = () => {
    saveSession(sql, session);
    saveTurn(sql, request, session, { settled, links, now });
  };
  const opened = answer(session, redefined, known || isSide ? readHidden(sql, session) : [], replay);
  const answeredBefore =
    known && opened.variant && request.newMessage && wasAnswered(sql, { ...known, task }, request.digest, now);
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

/** Whether the answer depends on what other turns may not have written yet, beside those of the same session. */
export const readsOthers = ({ resent, again, session, answering }: OpenRequest): boolean =>
  resent || again === true || session.pair !== undefined || answering !== undefined;

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
export const refused = (session: SessionRow, why: Partial<Opened>, changed: boolean): OpenedTurn => ({
  opened: { ...answer(session, [], [], undefined), ...why },
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
  changedDefinitions: readonly string[],
  hidden: readonly HiddenExchange[],
  replay: readonly ReleasedCall[] | undefined,
): Opened => {
  const { intents, standing } = readHeld(session);
  const { detected, succeeded, reminded, untrusted, variant } = standing;
  const task = { intents, detected, succeeded, reminded, untrusted };
  return {
    session: session.id,
    mode: session.mode ?? undefined,
    fresh: session.fresh === 1,
    ...task,
    ...(variant ? { variant } : {}),
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
  const opened = answer(session, changed, readHidden(sql, session), replay);
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
