/** The ledger as turns use it while tools run: each method is one transaction, but for the waiting. */
import type { FinishRun, KeptRun, RunsPort } from "../../../ports/run-port.ts";
import type { DeskHost } from "../approvals/desk.ts";
import { Waiters } from "../approvals/waiters.ts";
import { endOverdue, finishRun } from "./finish.ts";
import { findRun, toKept } from "./rows.ts";

export class RunDesk implements RunsPort {
  private readonly host: DeskHost;
  private readonly waiters = new Waiters();

  constructor(host: DeskHost) {
    this.host = host;
  }

  /** Whoever waits looks again. */
  wake(): void {
    this.waiters.wake();
  }

  async finishRun(request: FinishRun): Promise<KeptRun> {
    const { sql, keys, transact, changed } = this.host;
    const row = transact(() => {
      const now = Date.now();
      endOverdue(sql(), keys, now);
      return finishRun(sql(), keys, request, now);
    });
    changed();
    return toKept(row);
  }

  async awaitRuns(ids: readonly string[], waitMs: number): Promise<readonly KeptRun[]> {
    return this.waiters.until(() => {
      const told = this.read(ids);
      const started = told.filter(({ status }) => status === "started");
      const nextAt = started.length === 0 ? undefined : Math.min(...started.map(({ entry }) => entry.deadline + 1));
      return { told, done: started.length === 0, nextAt };
    }, waitMs);
  }

  /** After what is over its time is noted as unknown. */
  private read(ids: readonly string[]): KeptRun[] {
    const { sql, keys, transact, changed } = this.host;
    const { told, ended } = transact(() => {
      const ended = endOverdue(sql(), keys, Date.now());
      return { told: ids.flatMap((id) => findRun(sql(), id) ?? []).map(toKept), ended };
    });
    if (ended) changed();
    return told;
  }
}
