/**
 * The object of one user, as a turn reaches it: a small port for each thing that it stores. Routes also use its other APIs
 * (`stores/guard/guard-apis.ts`).
 */
import type { SessionInfo } from "../session/state.ts";
import type { ApprovalsPort } from "./approvals-port.ts";
import type { CallsPort, RunsPort } from "./calls-port.ts";
import type { PlansPort } from "./plans-port.ts";
import type { TurnsPort } from "./turns/turns-port.ts";

export interface UserGuardPort {
  readonly turns: TurnsPort;
  readonly sessions: SessionsPort;
  readonly approvals: ApprovalsPort;
  readonly calls: CallsPort;
  readonly runs: RunsPort;
  readonly plans: PlansPort;
  readonly connections: ConnectionTokensPort;
}

interface ConnectionTokensPort {
  /** @returns the sealed token; undefined if there is none, it has expired, or it may not go to that host. */
  token(provider: string, host: string): Promise<string | undefined>;
}

interface SessionsPort {
  find(id: string): Promise<SessionInfo | undefined>;
}
