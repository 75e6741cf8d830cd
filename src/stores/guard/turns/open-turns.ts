/**
 * Which turns of a user are open now, and which replies are held for a person's answer. Counted in memory: what no worker will
 * ever end is forgotten by itself, and an object that was evicted counts anew.
 */
import type { Approval } from "../../../approvals/approval.ts";
import type { Ceilings, OpenRequest } from "../../../ports/turns-port.ts";
import { newSession } from "./find-session.ts";
import { type OpenedTurn, refused } from "./open.ts";

/** Longer than most replies take. A turn whose worker died counts for as long; one that goes on for longer counts no more. */
const COUNTED_MS = 10 * 60_000;
/** A reply that is held asks again as soon as it is answered. */
const RECONNECT_MS = 5_000;

export class OpenTurns {
  /** By id: until when each counts. */
  private readonly turns = new Map<string, number>();
  /** Likewise, by the first approval that each waits for. */
  private readonly holds = new Map<string, number>();

  /** Refuses a request that meets a ceiling. One whose turn is open already meets none. */
  open(request: OpenRequest, now: number, open: (now: number) => OpenedTurn): OpenedTurn {
    const over = this.turns.has(request.turn) ? undefined : this.ceilingMet(request, now);
    if (over) return refused(newSession(request, now), { over }, false);
    const opened = open(now);
    if (opened.opened.unknownApprovals === undefined) this.turns.set(request.turn, now + COUNTED_MS);
    return opened;
  }

  close(turn: string): void {
    this.turns.delete(turn);
  }

  /** @param waiting one wait of a held reply, of `waitMs` at most. With 0 somebody only looks. */
  async countHold<T extends Pick<Approval, "status">>(
    [id = ""]: readonly string[],
    waitMs: number,
    waiting: Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    if (waitMs > 0) this.holds.set(id, Date.now() + waitMs + RECONNECT_MS);
    const approvals = await waiting;
    if (approvals.every(({ status }) => status !== "pending")) this.holds.delete(id);
    return approvals;
  }

  private ceilingMet({ ceilings }: OpenRequest, now: number): keyof Ceilings | undefined {
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
