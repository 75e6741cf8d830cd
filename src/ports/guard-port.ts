/** The object of one user, as the rest of the gateway reaches it: a small port for each thing that it stores. */
import type { Gate, Grant } from "../approvals/approval.ts";
import type { Owner } from "../session/principal.ts";
import type { SessionInfo } from "../session/state.ts";
import type { ApprovalsPort } from "./approvals-port.ts";
import type { CallsPort, RunsPort } from "./calls-port.ts";
import type { ChainPort } from "./chain-port.ts";
import type { ChangesPort } from "./changes-port.ts";
import type { ConnectionsPort } from "./connections-port.ts";
import type { ErasurePort } from "./erasure-port.ts";
import type { MailboxPort } from "./mailbox-port.ts";
import type { PlansPort } from "./plans-port.ts";
import type { PushPort } from "./push-port.ts";
import type { RepliesPort } from "./replies-port.ts";
import type { ResetPort } from "./reset-port.ts";
import type { ConversationsPort, ResponsesPort } from "./responses-port.ts";
import type { TurnsPort } from "./turns/turns-port.ts";

export interface UserGuardPort {
  readonly turns: TurnsPort;
  readonly sessions: SessionsPort;
  readonly gates: GatesPort;
  readonly approvals: ApprovalsPort;
  readonly grants: GrantsPort;
  readonly calls: CallsPort;
  readonly runs: RunsPort;
  readonly reset: ResetPort;
  readonly changes: ChangesPort;
  readonly push: PushPort;
  readonly connections: ConnectionsPort;
  readonly plans: PlansPort;
  readonly responses: ResponsesPort;
  readonly conversations: ConversationsPort;
  readonly mailbox: MailboxPort;
  readonly mcpSessions: McpSessionsPort;
  readonly replies: RepliesPort;
  readonly chain: ChainPort;
  readonly erasure: ErasurePort;
}

export interface SessionsPort {
  find(id: string): Promise<SessionInfo | undefined>;
  setMode(id: string, mode: string): Promise<SessionInfo | undefined>;
  delete(id: string): Promise<boolean>;
}

/** First-time consents. */
export interface GatesPort {
  list(): Promise<readonly Gate[]>;
  /** @param session undefined: for every one. @returns false where there is no such session: nothing was stored. */
  open(owner: Owner, tool: string, session: string | undefined): Promise<boolean>;
  /** Withdraws every consent to the tool; no retry gets a call of it again. */
  withdraw(tool: string): Promise<boolean>;
}

export interface GrantsPort {
  list(): Promise<readonly Grant[]>;
  /** @returns false where there is no such grant. */
  withdraw(id: string): Promise<boolean>;
}

/** Sessions of MCP clients, beside what every session has: one isolate may get a request, and another its answer. */
export interface McpSessionsPort {
  /** Deletes the session, and remembers for a day that it is over. */
  end(session: string): Promise<void>;
  isOver(session: string): Promise<boolean>;
  /**
   * The session wants to hear of a resource of a relayed server.
   * @returns false where the session, or the user, has as many as are kept.
   */
  subscribe(session: string, uri: string): Promise<boolean>;
  unsubscribe(session: string, uri: string): Promise<void>;
  /** What it wants to hear of. Forgotten a day after the last time that it was read. */
  subscriptions(session: string): Promise<readonly string[]>;
}
