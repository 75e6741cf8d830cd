/** The turn's API of the object: opened, its calls decided, closed. */
import type { Approval } from "../../../approvals/approval.ts";
import type { DecidedCall, DecideRequest } from "../../../ports/turns/decide-request.ts";
import type { ConcurrencyLimits, OpenRequest } from "../../../ports/turns/open-turn-request.ts";
import type { SessionSnapshot, TurnsPort } from "../../../ports/turns/turns-port.ts";
import { selectOne } from "../../objects/sql-rows.ts";
import { liveLinks } from "../connections.ts";
import { SWEEP_MS } from "../lifetimes.ts";
import type { ObjectContext } from "../object-context.ts";
import { applyClose } from "./close.ts";
import { decideStep } from "./decide.ts";
import { saveHidden } from "./exchanges.ts";
import { newSession } from "./find-session.ts";
import { type AppliedOpen, applyOpen, readsOthers, refused, resultTag } from "./open.ts";
import type { TurnStart } from "./session-turns.ts";
import type { SessionRow } from "./sessions.ts";

export const turnsApi = (context: ObjectContext, openTurns: OpenTurns): TurnsPort => ({
  /**
   * A plain open only reads, and is answered before it is written: the model need not wait for a commit. If the object dies before
   * the write, the turn is unknown, and decides nothing.
   */
  async open(request) {
    const { sql, keys, writes } = context;
    if (readsOthers(request) || (request.session.id !== undefined && writes.hasPending())) writes.flush();
    const { opened, write, urgent, changed } = context.transactWrites(() => {
      const turn = openTurns.open(request, (now) => applyOpen({ sql, keys, now }, request));
      if (turn.urgent) turn.write();
      return turn;
    });
    if (!urgent) writes.queue(opened.session, write);
    if (changed) context.changed();
    context.alarm.clock.schedule(SWEEP_MS);
    return opened;
  },

  async decide(request) {
    const decided = context.read((transaction) => decideStep(transaction, request));
    if (isTimed(request, decided)) context.changed();
    else context.alarm.recorded();
    return decided;
  },

  saveHidden: async (request) => context.read(({ sql }) => saveHidden(sql, request)),

  /** What the client's next request must find is written at once. */
  async close(request) {
    const { sql, keys, writes, alarm } = context;
    openTurns.close(request.turn);
    const atOnce = request.taskGoesOn || request.giveBack;
    const write = () => {
      applyClose({ sql, keys, now: context.now() }, request);
      alarm.turnClosed();
    };
    if (atOnce) writes.flush({ session: request.session, write });
    else writes.queue(request.session, write);
    return request.taskGoesOn ? snapshotOf(context, request.session) : undefined;
  },
});

/** Whether it may have made something with an expiry of its own, or that a request waits for: an approval, a run, a step of a plan. */
const isTimed = ({ calls }: DecideRequest, decided: readonly DecidedCall[]): boolean =>
  calls.some(({ approval, run, plan, undo }) => approval ?? run ?? plan ?? undo) ||
  decided.some(({ approval }) => approval);

function snapshotOf({ sql, keys, now }: ObjectContext, session: string): SessionSnapshot | undefined {
  type Row = Pick<SessionRow, "id" | "mode" | "intents" | "created">;
  const row = selectOne<Row>(sql, "SELECT id, mode, intents, created FROM sessions WHERE id = ?", session);
  if (!row) return undefined;
  const connections = liveLinks(sql, now()).map(({ provider }) => provider);
  const intents = JSON.parse(row.intents) as string[];
  return { mode: row.mode, intents, connections, resultTag: resultTag(keys, row) };
}

/** Longer than most replies take. A turn whose worker died counts for this time; one that takes longer does not count any more. */
const COUNTED_MS = 10 * 60_000;
/** A held reply calls again as soon as its wait ends. */
const RECONNECT_MS = 5_000;

export class OpenTurns {
  /** By id: until when each counts. */
  private readonly turns = new Map<string, number>();
  /** Likewise, by the first approval that each waits for. */
  private readonly holds = new Map<string, number>();
  private readonly now: () => number;
  /** An idle object leaves the memory while its turns continue: the first open or close counts what is stored. */
  private stored: (() => readonly TurnStart[]) | undefined;

  constructor(now: () => number, stored: () => readonly TurnStart[]) {
    this.now = now;
    this.stored = stored;
  }

  /** Refuses a request at a ceiling. One whose turn is open already is not refused. */
  open(request: OpenRequest, open: (now: number) => AppliedOpen): AppliedOpen {
    const now = this.now();
    this.readStored();
    const over = this.turns.has(request.turn) ? undefined : this.exceededLimit(request, now);
    if (over) return refused(newSession(request, now), { over }, false);
    const opened = open(now);
    if (opened.opened.unknownApprovals === undefined) this.turns.set(request.turn, now + COUNTED_MS);
    return opened;
  }

  close(turn: string): void {
    // Before this close is written: afterwards the turn would count as one that goes on.
    this.readStored();
    this.turns.delete(turn);
  }

  private readStored(): void {
    for (const { id, at } of this.stored?.() ?? []) this.turns.set(id, at + COUNTED_MS);
    this.stored = undefined;
  }

  /** @param waiting one wait of a held reply, of `waitMs` at most. With 0 it is only a look. */
  async countHold<T extends Pick<Approval, "status">>(
    [id = ""]: readonly string[],
    waitMs: number,
    waiting: Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    if (waitMs > 0) this.holds.set(id, this.now() + waitMs + RECONNECT_MS);
    const approvals = await waiting;
    if (approvals.every(({ status }) => status !== "pending")) this.holds.delete(id);
    return approvals;
  }

  private exceededLimit({ ceilings }: OpenRequest, now: number): keyof ConcurrencyLimits | undefined {
    if (!ceilings) return undefined;
    const { turns = Number.POSITIVE_INFINITY, holds = Number.POSITIVE_INFINITY } = ceilings;
    if (counted(this.turns, now) >= turns) return "turns";
    return counted(this.holds, now) >= holds ? "holds" : undefined;
  }
}

function counted(entries: Map<string, number>, now: number): number {
  for (const [id, until] of entries) if (until <= now) entries.delete(id);
  return entries.size;
}
