/** A managed call as executors get it: the runner has found its target, and what the system fills in. */
import type { ManagedCall } from "./tool-runner.ts";

export interface PreparedCall extends ManagedCall {
  /** As vetted, what the system fills in set over it: for whoever runs it, never for a record, a log or an error. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the system filled in, by argument name. */
  readonly system: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; before the ledger's own, so that the outcome still arrives. */
  readonly deadline: number;
  /** Providers that the tool needs: `{{connection.token}}` is of the one there is. */
  readonly connections: readonly string[];
}
