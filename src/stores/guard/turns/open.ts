/** Opens a turn: finds its session, settles the tool results, and returns the facts of its task. One transaction. */

import type { Approval } from "../../../approvals/approval.ts";
import { lengthPrefixed } from "../../../lib/digest.ts";
import type { JsonObject } from "../../../lib/json/json-value.ts";
import type { HiddenExchange } from "../../../ports/turns/hidden-exchange.ts";
import type { OpenRequest, OpenResult } from "../../../ports/turns/open-turn-request.ts";
import { rootSession, withPrompt } from "../../../session/conversation-fingerprint.ts";
import { heldFacts } from "../../../session/task.ts";
import type { ReleasedCall } from "../../../wire/call-parts.ts";
import { type AuditKeys, secretTag } from "../../audit/audit-keys.ts";
import { selectAll } from "../../objects/sql-rows.ts";
import { endDue } from "../alarm/expiry.ts";
import { approvalsEndedBy, cancelOpen } from "../approvals/end-approvals.ts";
import { readWaiting, type WaitingCalls } from "../approvals/waiting.ts";
import { type LiveLink, liveLinks } from "../connections.ts";
import { RETRY_MS } from "../lifetimes.ts";
import { type RunRow, toRunsWithinLimit } from "../runs/rows.ts";
import { readHistory } from "../tool-history.ts";
import { noteOwner, type Transaction } from "../transaction.ts";
import { advanceTask, type SettledCall } from "./advance-task.ts";
import { readHidden } from "./exchanges.ts";
import { findSession, pairOf } from "./find-session.ts";
import { grantsOf, moveRuns, replayCalls, runsOfEarlier } from "./replay-calls.ts";
import { readTurns, type SessionTurn, triesInTask, turnColumns, turnsIn, withoutOld } from "./session-turns.ts";
import { promptsOf, readHeld, type SessionRow, saveSession } from "./sessions.ts";
import { readTaintedWrites } from "./stored-writes.ts";

/** Tool names that a session pins; a name has at most 128 characters, and all pins are one row of at most 2 MB. */
const MAX_PINS = 2048;

/** The result of an open, and its write, which may follow the answer. */
export interface AppliedOpen {
  readonly opened: OpenResult;
  readonly write: () => void;
  /** Some rows are already written: write the rest in the same transaction. */
  readonly urgent: boolean;
  /** Whether approvals changed. */
  readonly changed: boolean;
}

export function applyOpen(transaction: Transaction, request: OpenRequest): AppliedOpen {
  const { sql, now } = transaction;
  const { principal, session: named } = request;
  const expired = endDue(transaction);
  const before = request.repeatedOpen ? openedBefore(transaction, request) : undefined;
  if (before) return { opened: before, write: () => {}, urgent: true, changed: expired };
  const newOwner = noteOwner(sql, principal);

  const { session, known: isKnown, isReturning, forgot } = findSession(transaction, request);
  const known = isKnown ? session : undefined;
  // A new session has nothing to replay, and nothing hidden.
  const replay = known && !request.reset ? replayCalls(sql, session, request, now) : undefined;
  const runs = known ? runsOfEarlier(sql, known, request, now) : [];
  const waits = replay ? undefined : readWaiting(sql, known, request, now);
  if (waits && waits.unknown.length > 0)
    return refused(session, { unknownApprovals: waits.unknown }, expired || forgot);
  const isSide = rootSession(session.id) !== session.id;
  const newKey = !known && !isSide && named.id === undefined && named.conversationKey !== undefined;
  if (newKey) session.pair = pairOf(transaction, named.conversationKey ?? "", session);
  if (isReturning) session.fresh = 0;
  // The same request again: it has advanced and settled before.
  const continuesEarlierTry = replay !== undefined || runs.length > 0;
  const { task } = session;
  // A session with a client-chosen id may have existed before and been deleted.
  const isNewSession = !known && (isSide || named.id === undefined);
  const moves = !continuesEarlierTry && !waits?.stays && (request.newMessage || request.reset);
  if (runs.length > 0) moveRuns(sql, runs, request.turn);
  const cancelled = known && moves ? cancelOpen(transaction, known.id, request.turn) : [];
  const settled = continuesEarlierTry
    ? []
    : advanceTask(transaction, session, waits?.stays ? { ...request, newMessage: false } : request, isNewSession);
  if (request.mode !== undefined) session.mode = request.mode;
  const redefined = replay ? [] : pinDefinitions(session, request.definitions);
  session.seen = now;
  if (named.fingerprint) session.prompts = JSON.stringify(withPrompt(promptsOf(session), named.fingerprint.prompt));
  const links = liveLinks(sql, now);
  const write = () => {
    const before = isNewSession ? [] : withoutOld(sql, session.id, readTurns(sql, session.id), now);
    const turn = newTurnEntry(request, session, { settled, links, now });
    saveSession(sql, { ...session, ...turnColumns([...before, turn]) });
  };
  const hidden = known || isSide ? readHidden(sql, session) : [];
  const held = openResult(session, redefined, hidden, replay);
  const changed = expired || forgot || cancelled.length > 0;
  const urgent = newOwner || newKey || request.reset || changed || settled.length > 0 || continuesEarlierTry;
  const opened = factsOfOpen(transaction, request, session, {
    ...{ held, waits, runs, links },
    cancelled: runs.length > 0 ? approvalsEndedBy(sql, request.turn) : cancelled,
    seenBefore:
      known !== undefined &&
      held.variant !== undefined &&
      request.newMessage &&
      wasAnswered({ ...known, task }, request.digest, now),
    hasCalls: known !== undefined,
    needsTag: request.wantsTag || hidden.length > 0,
  });
  return { opened, write, urgent, changed };
}

interface FoundAtOpen {
  readonly held: OpenResult;
  readonly waits: WaitingCalls | undefined;
  readonly cancelled: readonly Approval[];
  readonly runs: readonly RunRow[];
  readonly links: readonly LiveLink[];
  readonly seenBefore: boolean;
  /** False for a new session: it has released no call. */
  readonly hasCalls: boolean;
  /** Results may go to the model. */
  readonly needsTag: boolean;
}

/** Empty lists are left out: most opens have none of these. */
const factsOfOpen = (
  { sql, keys }: Transaction,
  { wantsStored, history }: OpenRequest,
  session: SessionRow,
  { held, waits, cancelled, runs, links, seenBefore, hasCalls, needsTag }: FoundAtOpen,
): OpenResult => ({
  ...held,
  seenBefore: seenBefore || undefined,
  ...(needsTag ? { resultTag: resultTag(keys, session) } : {}),
  ...(wantsStored ? { stored: readTaintedWrites(sql) } : {}),
  ...(hasCalls ? membersPart(sql, session) : {}),
  waiting: filled(waits?.waiting),
  cancelled: filled(cancelled),
  connections: filled(links.map(({ provider }) => provider)),
  runs: filled(toRunsWithinLimit(runs)),
  ...(history ? { history: readHistory(sql, rootSession(session.id)) } : {}),
});

/** Each may have 64 KB. */
const MAX_MEMBERS = 32;

function membersPart(sql: SqlStorage, { id, task }: SessionRow): Pick<OpenResult, "members"> {
  const rows = selectAll<{ call_id: string; extra: string }>(
    sql,
    "SELECT call_id, extra FROM calls WHERE session = ? AND task = ? AND extra IS NOT NULL ORDER BY ordinal DESC LIMIT ?",
    id,
    task,
    MAX_MEMBERS,
  );
  if (rows.length === 0) return {};
  return { members: Object.fromEntries(rows.map(({ call_id, extra }) => [call_id, JSON.parse(extra) as JsonObject])) };
}

/** Not of the id alone: a client may choose it, and tools may get it. */
export const resultTag = (keys: AuditKeys, { id, created }: Pick<SessionRow, "id" | "created">): string =>
  secretTag(keys, lengthPrefixed("results", id, String(created)));

/** Whether the result depends on pending writes of other sessions. */
export const readsOthers = ({ clientRetry, repeatedOpen, session, answering }: OpenRequest): boolean =>
  clientRetry || repeatedOpen === true || session.conversationKey !== undefined || answering !== undefined;

/** In this task. A turn that is still open may have died: then the repeated one begins the task for the record. */
const wasAnswered = (session: SessionRow, digest: string, now: number): boolean =>
  triesInTask(session, digest).some(({ open, at }) => !open && at > now - RETRY_MS);

/** Nothing of it is written: there is no turn. */
export const refused = (session: SessionRow, why: Partial<OpenResult>, changed: boolean): AppliedOpen => ({
  opened: { ...openResult(session, [], [], undefined), ...why },
  write: () => {},
  urgent: true,
  changed,
});

const filled = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

const openResult = (
  session: SessionRow,
  changedDefinitions: readonly string[],
  hidden: readonly HiddenExchange[],
  replay: readonly ReleasedCall[] | undefined,
): OpenResult => {
  const held = readHeld(session);
  return {
    session: session.id,
    mode: session.mode ?? undefined,
    fresh: session.fresh === 1,
    ...heldFacts(held),
    variant: held.taskState.variant,
    changedDefinitions,
    hidden,
    replay,
  };
};

/**
 * The result of an open that was done before; undefined if it was not. Its task has advanced then, and does not again. Throws if that
 * task is over: the turn may change no later one.
 */
function openedBefore(transaction: Transaction, request: OpenRequest): OpenResult | undefined {
  const { sql, now } = transaction;
  const open = "SELECT * FROM sessions WHERE opened IS NOT NULL";
  const ownTurn = (row: SessionRow) => turnsIn(row).find(({ id }) => id === request.turn);
  const session = selectAll<SessionRow>(sql, open).find(ownTurn);
  if (!session) return undefined;
  if (ownTurn(session)?.task !== session.task)
    throw new Error("the conversation has gone on since the turn was opened");
  const replay = request.reset ? undefined : replayCalls(sql, session, request, now);
  const redefined = replay ? [] : pinDefinitions({ ...session }, request.definitions);
  return factsOfOpen(transaction, request, session, {
    held: openResult(session, redefined, readHidden(sql, session), replay),
    waits: replay || request.reset ? undefined : readWaiting(sql, session, request, now),
    cancelled: approvalsEndedBy(sql, request.turn),
    runs: runsOfEarlier(sql, session, request, now),
    links: liveLinks(sql, now),
    seenBefore: triesInTask(session, request.digest).some(({ id }) => id !== request.turn),
    hasCalls: true,
    needsTag: true,
  });
}

const newTurnEntry = (
  { turn, digest, model, principal, policy, reset }: OpenRequest,
  session: SessionRow,
  { settled, links, now }: { settled: readonly SettledCall[]; links: readonly LiveLink[]; now: number },
): SessionTurn => ({
  id: turn,
  task: session.task,
  epoch: readHeld(session).taskState.epoch,
  digest,
  at: now,
  model,
  role: principal.role,
  grants: grantsOf(principal, links),
  mode: session.mode,
  policy,
  open: true,
  settled,
  reset,
  cleared: false,
});

/**
 * Pins new definitions, and returns the names of changed ones. Changes `session`. A session pins `MAX_PINS` names; a new one beyond
 * them could change unseen from request to request, so it counts as changed: the tool is withheld until a reset clears the pins.
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
