/** The ledger as turns use it while tools run. */
import type { FinishRun, KeptRun, RunsPort } from "../../../ports/calls-port.ts";
import type { ObjectContext } from "../object-context.ts";
import { finishRun } from "./finish.ts";
import { findRun, toRun } from "./rows.ts";

export class RunsApi implements RunsPort {
  private readonly context: ObjectContext;

  constructor(context: ObjectContext) {
    this.context = context;
  }

  async finish(request: FinishRun): Promise<KeptRun> {
    return this.context.change(({ sql, keys, now }) => toRun(finishRun(sql, keys, request, now)));
  }

  async wait(ids: readonly string[], waitMs: number): Promise<readonly KeptRun[]> {
    return this.context.wait(() => {
      const value = this.context.read(({ sql }) => ids.flatMap((id) => findRun(sql, id) ?? []).map(toRun));
      const started = value.filter(({ status }) => status === "started");
      const nextAt = started.length === 0 ? undefined : Math.min(...started.map(({ entry }) => entry.deadline + 1));
      return { value, done: started.length === 0, nextAt };
    }, waitMs);
  }
}
