/** What a request's tool results settle, and how the session's task moves with it. Part of the transaction of an open. */

import type { TurnRecord } from "../../../ports/audit-record.ts";
import type { OpenRequest } from "../../../ports/guard-port.ts";
import { type Held, moveHeld } from "../../../session/standing.ts";
import { rootSession } from "../../../session/thread.ts";
import { noteSettled } from "../kept-calls.ts";
import { noteResult } from "../plans/ended.ts";
import type { Stores } from "../plans/record.ts";
import { first } from "../schema.ts";
import { clearLasting, forgetExchanges } from "./exchanges.ts";
import { readHeld, type SessionRow } from "./sessions.ts";

export type Settled = TurnRecord["settled"][number];

/**
 * Settles what came back, then begins a new task where there is a new message or a reset: what is still pending then is
 * abandoned. Changes `session`. @param unheardOf nothing can be pending in it.
 */
export function moveTask(stores: Stores, session: SessionRow, request: OpenRequest, unheardOf: boolean): Settled[] {
  const { sql } = stores;
  const before = readHeld(session);
  const next = session.task + 1;
  let held = before;
  if (request.reset) {
    Object.assign(session, { pins: "{}", mode: null });
    clearLasting(sql, rootSession(session.id));
    const { intents, standing } = moveHeld(held, { kind: "clear" }, [], next);
    held = { intents, standing: { ...standing, untrusted: false } };
  }
  const back = settleResults(stores, session, request, held);
  held = back.held;
  const begins = request.newMessage || request.reset;
  const abandoned = begins && !unheardOf ? abandon(stores, session.id, request.turn) : [];
  if (begins) session.task = next;
  if (request.newMessage) held = beginTask(held, request, next);
  if (request.untrusted && !held.standing.untrusted)
    held = { ...held, standing: { ...held.standing, untrusted: true } };
  if (held !== before) {
    session.intents = JSON.stringify(held.intents);
    session.standing = JSON.stringify(held.standing);
  }
  return [...back.settled, ...abandoned];
}

function beginTask(held: Held, { intents: move, detected, variant }: OpenRequest, next: number): Held {
  const { intents, standing } = moveHeld(held, move, detected, next);
  return { intents, standing: move.kind === "keep" ? standing : { ...standing, variant } };
}

interface CallRow extends Record<string, SqlStorageValue> {
  ordinal: number;
  decision: string;
  task: number;
  epoch: number | null;
  families: string;
}

/** A success counts for the intents that stand if the call was made under them, in this epoch. */
function settleResults(
  stores: Stores,
  session: SessionRow,
  { turn, results }: OpenRequest,
  held: Held,
): { settled: Settled[]; held: Held } {
  const { sql } = stores;
  const settled: Settled[] = [];
  const succeeded = new Set(held.standing.succeeded);
  for (const result of results) {
    // Providers repeat ids, and clients may make results up: only a call that this session released, once.
    const row = first(
      sql.exec<CallRow>(
        `SELECT ordinal, decision, task, epoch, families FROM calls
         WHERE session = ? AND call_id = ? AND outcome IS NULL ORDER BY ordinal LIMIT 1`,
        session.id,
        result.callId,
      ),
    );
    if (!row) continue;
    const outcome = result.succeeded ? "succeeded" : "failed";
    sql.exec("UPDATE calls SET outcome = ? WHERE ordinal = ?", outcome, row.ordinal);
    noteSettled(sql, row.decision, outcome, result.text);
    noteResult(stores, row.decision, outcome, { text: result.text, turn });
    settled.push({ decision: row.decision, outcome });
    const counts = row.epoch === null ? row.task === held.standing.task : row.epoch === held.standing.epoch;
    if (result.succeeded && counts) {
      for (const family of JSON.parse(row.families) as string[]) succeeded.add(family);
    }
  }
  if (succeeded.size === held.standing.succeeded.length) return { settled, held };
  return { settled, held: { ...held, standing: { ...held.standing, succeeded: [...succeeded] } } };
}

function abandon(stores: Stores, session: string, turn: string): Settled[] {
  const { sql } = stores;
  const abandoned = sql
    .exec<{ decision: string }>(
      "UPDATE calls SET outcome = 'abandoned' WHERE session = ? AND outcome IS NULL RETURNING decision",
      session,
    )
    .toArray();
  forgetExchanges(sql, session);
  for (const { decision } of abandoned) {
    noteSettled(sql, decision, "abandoned");
    noteResult(stores, decision, "abandoned", { turn });
  }
  return abandoned.map(({ decision }) => ({ decision, outcome: "abandoned" }));
}
