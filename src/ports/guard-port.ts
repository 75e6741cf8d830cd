/** The object of one user, as the rest of the gateway reaches it: a small port for each thing that it stores. */
import type { Gate, Grant } from "../approvals/approval.ts";
import type { PushKeys } from "../lib/web-push/encrypt-push.ts";
import type { Owner } from "../session/principal.ts";
import type { SessionInfo } from "../session/state.ts";
import type { ApprovalsPort } from "./approvals-port.ts";
import type { CallsPort, RunsPort } from "./calls-port.ts";
import type { ChainPort } from "./chain-port.ts";
import type { ConnectionsPort } from "./connections-port.ts";
import type { ErasurePort } from "./erasure-port.ts";
import type { ChangeRecord } from "./operator-records.ts";
import type { PlansPort } from "./plans-port.ts";
import type { RepliesPort } from "./replies-port.ts";
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

/** The record of what an admin has changed for the whole tenant. */
export interface ChangesPort {
  /** @param owner who changed it, in the tenant that was changed. */
  record(owner: Owner, change: Pick<ChangeRecord, "event" | "subject">): Promise<void>;
}

export interface PushSubscription extends PushKeys {
  /** Where the browser's push service takes messages for it. */
  readonly endpoint: string;
}

/** The browsers of a user that are notified of what waits. */
export interface PushPort {
  /** The same endpoint again replaces its keys. Of many the oldest give way. */
  subscribe(owner: Owner, subscription: PushSubscription): Promise<void>;
  /** @returns false where there was none. */
  unsubscribe(endpoint: string): Promise<boolean>;
}

/** What an operator may withdraw from a user. Each act is recorded with its author. */
export interface ResetPort {
  /** @param by who withdraws it. @returns false where there is no such grant. */
  withdrawGrant(id: string, by: string): Promise<boolean>;
  /** Every consent to the tool. @returns false where there is none. */
  withdrawConsent(tool: string, by: string): Promise<boolean>;
  /** All sessions with what waits in them, all grants and all consents. Rate windows, connections and records stay. */
  resetUser(by: string): Promise<UserReset>;
}

/** How many of each there were. */
export interface UserReset {
  readonly sessions: number;
  readonly grants: number;
  readonly consents: number;
}

/**
 * Answers that a client sends in a request of its own, for a request of the same user that waits for it, in whichever isolate. They are
 * kept in the object's memory: where the object restarts, the request that waits gets none.
 */
export interface MailboxPort {
  /**
   * Waits for the message of this id, at most `waitMs` (at most 10,000), and takes it.
   * @returns undefined where none has come yet.
   */
  take(id: string, waitMs: number): Promise<string | undefined>;
  /** The first message counts. One that nobody has waited for within the last minute is dropped. */
  put(id: string, message: string): Promise<void>;
}
