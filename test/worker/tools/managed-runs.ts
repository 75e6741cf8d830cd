/** Managed calls as a turn brings them to the ledger, and what the ledger holds of them. */
import { runInDurableObject } from "cloudflare:test";
import type { RunRecord } from "../../../src/ports/audit-record.ts";
import type { CallToDecide } from "../../../src/ports/turns/decide-request.ts";
import type { RunEntry, RunOutcome, RunStatus } from "../../../src/tools/run.ts";
import { type Asker, asks, type OpenedTurn } from "../support/guard-asker.ts";
import { runInGuard } from "../support/run-in-guard.ts";

export const entry = (over: Partial<RunEntry> = {}): RunEntry => ({
  kind: "http",
  target: "crm.example.com",
  deadline: Date.now() + 30_000,
  trusted: true,
  ...over,
});

/** A call that is run without a question, and counts in the window `k`. */
export const managed = (over: Partial<CallToDecide> = {}): CallToDecide =>
  asks(
    { path: "a" },
    {
      question: undefined,
      counted: { windows: [{ key: "k", max: 100, windowMs: 3600_000 }] },
      run: entry(),
      ...over,
    },
  );

export const outcome = (status: Exclude<RunStatus, "started">, over: Partial<RunOutcome> = {}): RunOutcome => ({
  status,
  failure: status === "succeeded" ? null : status === "not_started" ? "unavailable" : "tool_failed",
  detail: status === "succeeded" ? null : "the tool answered 500",
  text: `it ${status}`,
  result: '{"id":1}',
  ms: 5,
  bytes: 8,
  cut: false,
  suspicious: [],
  httpStatus: 200,
  attempts: 1,
  ...over,
});

/** Decides one managed call. @returns the id of its decision. */
export async function started(self: Asker, turn: OpenedTurn, call = managed(), step = 1): Promise<string> {
  const [decided] = await self.decide(turn, [call], { step });
  if (decided?.effect !== "allow" || decided.ordinal === undefined) throw new Error(JSON.stringify(decided));
  return decided.id;
}

export const finish = (self: Asker, turn: OpenedTurn, id: string, status: Exclude<RunStatus, "started">, over = {}) =>
  self.guard.runs.finish({ turn: turn.turn, session: turn.session, id, outcome: outcome(status, over) });

export const runRecords = async (self: Asker): Promise<readonly RunRecord[]> =>
  (await self.records()).flatMap((record) => (record.kind === "run" ? [record] : []));

export const ring = (self: Asker): Promise<void> => runInDurableObject(self.stub, (object) => object.alarm());

export const query = <T extends Record<string, SqlStorageValue>>(self: Asker, sql: string): Promise<T[]> =>
  runInGuard(self.stub, (_, { storage }) => storage.sql.exec<T>(sql).toArray());

export const usesLeft = async (self: Asker): Promise<number> =>
  (await query<{ n: number }>(self, "SELECT COUNT(*) AS n FROM uses"))[0]?.n ?? -1;
