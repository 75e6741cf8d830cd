/** Opening a turn: which session it belongs to, what its tool results settle, what its task holds. One transaction. */
import { newId } from "../../lib/ids.ts";
import type { Opened, OpenRequest, ReleasedCall } from "../../turn/guard-port.ts";
import type { TurnRecord } from "../audit-record.ts";
import { readOwner, setMeta } from "./outbox.ts";
import { first, RETRY_MS, SESSION_IDLE_MS } from "./schema.ts";
import { forgetSession, type SessionRow, saveSession } from "./sessions.ts";

type Settled = TurnRecord["settled"][number];

/** The answer to an open, and what is left to write of it. */
export interface OpenedTurn {
  readonly opened: Opened;
  readonly write: () => void;
  /** Whether something was written already, so that the rest belongs to the same transaction. */
  readonly urgent: boolean;
}

export function openTurn(sql: SqlStorage, request: OpenRequest, now: number): OpenedTurn {
  const { principal, session: asked } = request;
  const newOwner = !readOwner(sql);
  if (newOwner) setMeta(sql, "owner", JSON.stringify({ tenant: principal.tenant, user: principal.user }));

  const resent = request.resent && asked.id === undefined ? findByDigest(sql, request.digest, now) : undefined;
  const known = resent ?? findSession(sql, request, now);
  const session = known ?? newSession(request, now);
  const newPair = !known && asked.id === undefined && asked.pair !== undefined;
  if (newPair) rememberPair(sql, asked.pair ?? "", session.id, now);
  // A session that was only just opened has nothing to give again, and nothing hidden.
  const replay = known && !request.reset ? findReplay(sql, session.id, request.digest, now) : undefined;
  const settled = replay ? [] : moveTask(sql, session, request);
  const changed = replay ? [] : pinDefinitions(session, request.definitions);
  session.seen = now;
  const write = () => {
    saveSession(sql, session);
    saveTurn(sql, request, session, settled, now);
  };
  const hidden = !known
    ? []
    : sql
        .exec<{ anchors: string; place: number; messages: string }>(
          "SELECT anchors, place, messages FROM exchanges WHERE session = ? AND task = ? ORDER BY ordinal",
          session.id,
          session.task,
        )
        .toArray();
  const opened: Opened = {
    session: session.id,
    mode: session.mode ?? undefined,
    fresh: session.fresh === 1,
    intents: JSON.parse(session.intents) as string[],
    changedDefinitions: changed,
    hidden: hidden.map((row) => ({
      anchors: JSON.parse(row.anchors) as string[],
      place: row.place,
      messages: JSON.parse(row.messages) as unknown[],
    })),
    replay,
  };
  return { opened, write, urgent: newOwner || newPair || request.reset || settled.length > 0 };
}

function saveTurn(
  sql: SqlStorage,
  { turn, digest, model, principal }: OpenRequest,
  { id, task }: SessionRow,
  settled: readonly Settled[],
  now: number,
): void {
  sql.exec(
    "INSERT INTO turns (id, session, task, digest, at, model, role, open, settled) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
    turn,
    id,
    task,
    digest,
    now,
    model,
    principal.role,
    JSON.stringify(settled),
  );
}

/** A first request that the client says it sends again belongs to the session that its first try opened. */
function findByDigest(sql: SqlStorage, digest: string, now: number): SessionRow | undefined {
  return first(
    sql.exec<SessionRow>(
      "SELECT s.* FROM turns t JOIN sessions s ON s.id = t.session WHERE t.digest = ? AND t.at > ? ORDER BY t.at DESC LIMIT 1",
      digest,
      now - RETRY_MS,
    ),
  );
}

function findSession(sql: SqlStorage, { session }: OpenRequest, now: number): SessionRow | undefined {
  const row =
    session.id !== undefined
      ? first(sql.exec<SessionRow>("SELECT * FROM sessions WHERE id = ?", session.id))
      : session.pair === undefined
        ? undefined
        : first(
            sql.exec<SessionRow>(
              "SELECT s.* FROM pairs p JOIN sessions s ON s.id = p.session WHERE p.pair = ?",
              session.pair,
            ),
          );
  if (row && row.seen < now - SESSION_IDLE_MS) {
    forgetSession(sql, row.id);
    return undefined;
  }
  return row;
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

/** The calls of the same request of this session, if it was answered with calls and none of them is settled. */
function findReplay(sql: SqlStorage, session: string, digest: string, now: number): ReleasedCall[] | undefined {
  const calls = sql
    .exec<{ call_id: string; tool: string; arguments: string; extra: string | null; outcome: string | null }>(
      `SELECT call_id, tool, arguments, extra, outcome FROM calls WHERE turn = (
         SELECT t.id FROM turns t WHERE t.digest = ? AND t.session = ? AND t.at > ? AND EXISTS (SELECT 1 FROM calls c WHERE c.turn = t.id)
         ORDER BY t.at DESC LIMIT 1) ORDER BY ordinal`,
      digest,
      session,
      now - RETRY_MS,
    )
    .toArray();
  if (calls.length === 0 || calls.some((call) => call.outcome !== null)) return undefined;
  return calls.map(({ call_id, tool, arguments: args, extra }) => ({
    id: call_id,
    tool,
    arguments: args,
    extra: extra === null ? undefined : (JSON.parse(extra) as Record<string, unknown>),
  }));
}

/** Settles what came back, and begins a new task where there is a new message. Changes `session`. */
function moveTask(sql: SqlStorage, session: SessionRow, request: OpenRequest): Settled[] {
  if (request.reset) {
    Object.assign(session, { intents: "[]", pins: "{}", mode: null });
    sql.exec("DELETE FROM exchanges WHERE session = ?", session.id);
    session.task += 1;
  }
  if (request.mode !== undefined) session.mode = request.mode;
  const settled = request.results.flatMap((result) => {
    // Providers repeat ids, and clients may make results up: only a call that this session released, once.
    const row = first(
      sql.exec<{ ordinal: number; decision: string }>(
        "SELECT ordinal, decision FROM calls WHERE session = ? AND call_id = ? AND outcome IS NULL ORDER BY ordinal LIMIT 1",
        session.id,
        result.callId,
      ),
    );
    if (!row) return [];
    const outcome = result.succeeded ? "succeeded" : "failed";
    sql.exec("UPDATE calls SET outcome = ? WHERE ordinal = ?", outcome, row.ordinal);
    return [{ decision: row.decision, outcome } as const];
  });
  if (!request.newMessage) return settled;
  const abandoned = sql
    .exec<{ decision: string }>(
      "UPDATE calls SET outcome = 'abandoned' WHERE session = ? AND outcome IS NULL RETURNING decision",
      session.id,
    )
    .toArray();
  session.task += 1;
  if (request.intents.kind === "replace") session.intents = JSON.stringify(request.intents.intents);
  sql.exec("DELETE FROM exchanges WHERE session = ?", session.id);
  return [...settled, ...abandoned.map(({ decision }) => ({ decision, outcome: "abandoned" as const }))];
}

/** Pins what is new, tells what is not as it was first sent. Changes `session`. */
function pinDefinitions(session: SessionRow, definitions: OpenRequest["definitions"]): string[] {
  if (definitions.length === 0) return [];
  const pins = new Map(Object.entries(JSON.parse(session.pins) as Record<string, string>));
  const known = pins.size;
  const changed: string[] = [];
  for (const [name, digest] of definitions) {
    const pinned = pins.get(name);
    if (pinned === undefined) pins.set(name, digest);
    else if (pinned !== digest) changed.push(name);
  }
  if (pins.size > known) session.pins = JSON.stringify(Object.fromEntries(pins));
  return changed;
}
