/** How many calls wait, and for whom. Pure. */
import type { ApprovalView } from "../api/approval.ts";

export interface WaitingCounts {
  readonly mine: number;
  readonly others: number;
  /** The other person, where there is only one. */
  readonly person: string | undefined;
}

/** @param self the user who looks. An approval without a user is theirs. */
export function countWaiting(all: readonly Pick<ApprovalView, "user">[], self: string | undefined): WaitingCounts {
  const others = all.flatMap(({ user }) => (user === undefined || user === self ? [] : [user]));
  const people = new Set(others);
  return {
    mine: all.length - others.length,
    others: others.length,
    person: people.size === 1 ? others[0] : undefined,
  };
}
