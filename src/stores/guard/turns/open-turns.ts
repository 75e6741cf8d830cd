/**
 * The open turns of a user, and the replies that are held for a person's answer. Counted in memory: turns that no worker ends
 * drop out by time, and an evicted object counts anew.
 */
import type { Approval } from "../../../approvals/approval.ts";
import type { Ceilings, OpenRequest } from "../../../ports/turns-port.ts";
import { newSession } from "./find-session.ts";
import { type OpenedTurn, refused } from "./open.ts";

/** Longer than most replies take. A turn whose worker died counts for this time; one that takes longer counts no more. */
const COUNTED_MS = 10 * 60_000;
/** A held reply calls again as soon as its wait ends. */
const RECONNECT_MS = 5_000;

export class OpenTurns {
  private readonly now: () => number;
  /** By id: until when each counts. */
  private readonly turns = new Map<string, number>();
  /** Likewise, by the first approval that each waits for. */
  private readonly holds = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
  }

  /** Refuses a request at a ceiling. One whose turn is open already is not refused. */
  open(request: OpenRequest, open: (now: number) => OpenedTurn): OpenedTurn {
    const now = this.now();
    const over = this.turns.has(request.turn) ? undefined : this.ceilingMet(request, now);
    if (over) return refused(newSession(request, now), { over }, false);
    const opened = open(now);
    if (opened.opened.unknownApprovals === undefined) this.turns.set(request.turn, now + COUNTED_MS);
    return opened;
  }

  close(turn: string): void {
    this.turns.delete(turn);
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
