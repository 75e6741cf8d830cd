/**
 * UserGuard: the Durable Object of one user of one tenant. One thread and transactions, so counts are exact: two
 * parallel turns cannot both spend the last use, and nothing runs unrecorded.
 *
 * What it records waits in an outbox, which its alarm delivers to D1 (`AlarmWork`). An outbox that D1 does not take grows up to
 * what an object's storage holds (10 GB); then nothing is decided any more.
 */
import type { Answer, Approval, Gate, Grant } from "../../approvals/approval.ts";
import { describeError } from "../../lib/describe-error.ts";
import { log, setLogLevel } from "../../lib/log.ts";
import type { AnswerOutcome, ApprovalsPort, ApprovalsQuery } from "../../ports/approvals-port.ts";
import type { CallsPort, CallsQuery, KeptCall } from "../../ports/calls-port.ts";
import type { ChainPort, ChainState } from "../../ports/chain-port.ts";
import type { Connection, ConnectionsPort } from "../../ports/connections-port.ts";
import type {
  CloseRequest,
  Decided,
  DecideRequest,
  KeepRequest,
  Opened,
  OpenRequest,
  UserGuardPort,
} from "../../ports/guard-port.ts";
import type { FinishRun, KeptRun } from "../../ports/run-port.ts";
import type { Principal } from "../../session/principal.ts";
import type { SessionInfo } from "../../session/session-info.ts";
import { noTelemetry, readTelemetry } from "../../settings/telemetry.ts";
import { type AuditKeys, parseAuditKeys } from "../audit/audit-keys.ts";
import { AlarmWork } from "../guard/alarm/alarm-work.ts";
import { ApprovalDesk, type DeskHost } from "../guard/approvals/desk.ts";
import { listConnections, removeConnection, replaceConnections, tokenFor } from "../guard/connections.ts";
import type { GuardEnv } from "../guard/guard-env.ts";
import { readCall, readCalls } from "../guard/kept-calls.ts";
import { readMeta, writeMeta } from "../guard/meta.ts";
import { readChainState } from "../guard/outbox/chain-state.ts";
import { deliverAgain } from "../guard/outbox/outbox.ts";
import { lookAt, lookInD1 } from "../guard/outbox/retention.ts";
import { PlanDesk } from "../guard/plans/desk.ts";
import { PlanSurface } from "../guard/plans/surface.ts";
import { RunDesk } from "../guard/runs/desk.ts";
import { guardSchema, SWEEP_MS } from "../guard/schema.ts";
import { closeTurn } from "../guard/turns/close.ts";
import { decideStep } from "../guard/turns/decide.ts";
import { keepHidden } from "../guard/turns/exchanges.ts";
import { openGate, withdrawGate } from "../guard/turns/gates.ts";
import { openTurn, readsOthers } from "../guard/turns/open.ts";
import { OpenTurns } from "../guard/turns/open-turns.ts";
import { deleteSession, readSession, setSessionMode } from "../guard/turns/sessions.ts";
import { WriteBehind } from "../guard/write-behind.ts";
import { upgradeObject } from "./object-schema.ts";

/** How soon an object that newer code or other settings must serve looks whether they do. */
const LATER_MS = 300_000;

const NO_KEYS: AuditKeys = { signing: "", secrets: new Map() };

export class UserGuard extends PlanSurface implements UserGuardPort, ChainPort {
  private readonly keys: AuditKeys;
  private readonly work: AlarmWork;
  /** Why this code, or these settings, may not serve the object. */
  private readonly refusal: { readonly event: string; readonly message: string } | undefined;
  private readonly behind = new WriteBehind((session, write) =>
    this.attempt("session_not_written", { session }, write),
  );
  private readonly turns = new OpenTurns();
  private readonly desk: ApprovalDesk;
  private readonly runs: RunDesk;
  protected readonly planDesk: PlanDesk;

  constructor(ctx: DurableObjectState, env: GuardEnv) {
    super(ctx, env);
    const telemetry = readTelemetry(env);
    setLogLevel((telemetry.ok ? telemetry.value : noTelemetry).logLevel);
    const upgraded = upgradeObject(ctx.storage, "UserGuard", guardSchema);
    const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
    this.keys = keys.ok ? keys.value : NO_KEYS;
    this.work = new AlarmWork({ ctx, env, keys: this.keys, attempt: (...one) => this.attempt(...one) });
    const host: DeskHost = {
      sql: () => this.sql,
      keys: this.keys,
      transact: (body) => this.transact(body),
      changed: () => this.changed(),
    };
    this.desk = new ApprovalDesk(host);
    this.runs = new RunDesk(host);
    this.planDesk = new PlanDesk({
      ...host,
      transact: (body) => {
        this.behind.flush();
        return this.transact(body);
      },
    });
    // Not thrown here: an alarm whose object cannot be made is given up, and the outbox would wait for ever.
    if (!upgraded.ok) this.refusal = { event: "object_schema_too_new", message: upgraded.error };
    // Without a key nothing could be recorded, so nothing may be decided.
    else if (!keys.ok) this.refusal = { event: "audit_key_unusable", message: `AUDIT_KEY: ${keys.error}` };
    ctx.blockConcurrencyWhile(() => this.work.begin(this.refusal === undefined));
  }

  private get sql(): SqlStorage {
    if (this.refusal) throw new Error(this.refusal.message);
    return this.ctx.storage.sql;
  }

  /**
   * A plain open is answered from what is stored and from what is still to be written, and written behind the answer:
   * the model need not wait for a commit. If it dies with the object, the turn is unknown, and decides nothing.
   */
  async open(request: OpenRequest): Promise<Opened> {
    if (readsOthers(request) || (request.session.id !== undefined && this.behind.holdsAny())) this.behind.flush();
    const { opened, write, urgent, changed } = this.transact(() => {
      const turn = this.turns.open(request, Date.now(), (now) => openTurn(this.sql, this.keys, request, now));
      if (turn.urgent) turn.write();
      return turn;
    });
    if (!urgent) this.behind.later(opened.session, write);
    if (changed) this.changed();
    this.work.clock.arm(SWEEP_MS);
    return opened;
  }

  async decide(request: DecideRequest): Promise<readonly Decided[]> {
    this.behind.flush();
    const decided = this.transact(() => decideStep(this.sql, this.keys, request, Date.now()));
    this.changed();
    return decided;
  }

  async keep(request: KeepRequest): Promise<void> {
    this.behind.flush();
    this.transact(() => keepHidden(this.sql, request));
  }

  /** What the client's next request must find is written at once. */
  async close(request: CloseRequest): Promise<void> {
    const { sql } = this;
    this.turns.close(request.turn);
    this.behind.later(request.session, () => {
      closeTurn(sql, this.keys, request, Date.now());
      this.work.turnClosed();
    });
    if (request.taskGoesOn || request.giveBack) this.behind.flush();
  }

  async consent(principal: Principal, tool: string, session: string | undefined): Promise<boolean> {
    this.behind.flush();
    return this.transact(() => openGate(this.sql, principal, tool, session, Date.now()));
  }

  async withdraw(tool: string): Promise<boolean> {
    return this.transact(() => withdrawGate(this.sql, tool));
  }

  async session(id: string): Promise<SessionInfo | undefined> {
    this.behind.flush();
    return readSession(this.sql, id);
  }

  async setMode(id: string, mode: string): Promise<SessionInfo | undefined> {
    this.behind.flush();
    setSessionMode(this.sql, id, mode);
    return readSession(this.sql, id);
  }

  async deleteSession(id: string): Promise<boolean> {
    this.behind.flush();
    const forgotten = this.transact(() => deleteSession(this.sql, this.keys, id, Date.now()));
    this.changed();
    return forgotten;
  }

  approvals(query: ApprovalsQuery): ReturnType<ApprovalsPort["approvals"]> {
    return this.desk.approvals(query);
  }

  approval(id: string): Promise<Approval | undefined> {
    return this.desk.approval(id);
  }

  answer(id: string, answer: Answer): Promise<AnswerOutcome> {
    return this.desk.answer(id, answer);
  }

  awaitApprovals(ids: readonly string[], waitMs: number): Promise<readonly Approval[]> {
    return this.turns.held(ids, waitMs, this.desk.awaitApprovals(ids, waitMs));
  }

  approvalChanges(after: number, waitMs: number): ReturnType<ApprovalsPort["approvalChanges"]> {
    return this.desk.approvalChanges(after, waitMs);
  }

  grants(): Promise<readonly Grant[]> {
    return this.desk.grants();
  }

  withdrawGrant(id: string): Promise<boolean> {
    return this.desk.withdrawGrant(id);
  }

  gates(): Promise<readonly Gate[]> {
    return this.desk.gates();
  }

  async calls(query: CallsQuery): ReturnType<CallsPort["calls"]> {
    this.behind.flush();
    return readCalls(this.sql, query, Date.now());
  }

  async call(id: string): Promise<KeptCall | undefined> {
    this.behind.flush();
    return readCall(this.sql, id, Date.now());
  }

  async finishRun(request: FinishRun): Promise<KeptRun> {
    this.behind.flush();
    return this.runs.finishRun(request);
  }

  awaitRuns(ids: readonly string[], waitMs: number): Promise<readonly KeptRun[]> {
    return this.runs.awaitRuns(ids, waitMs);
  }

  async connections(): Promise<readonly Connection[]> {
    return listConnections(this.sql);
  }

  async setConnections(...change: Parameters<ConnectionsPort["setConnections"]>): Promise<readonly Connection[]> {
    return this.linking((stores) => replaceConnections(stores, ...change));
  }

  async removeConnection(provider: string, by: string): Promise<boolean> {
    return this.linking((stores) => removeConnection(stores, provider, by));
  }

  async connectionToken(provider: string, host: string): Promise<string | undefined> {
    return tokenFor(this.sql, provider, host, Date.now());
  }

  /** What D1's rows of this user are compared with. */
  async chainState(afterSeq: number): Promise<ChainState> {
    this.behind.flush();
    return readChainState(this.sql, afterSeq);
  }

  /** @returns how many records now wait for their delivery. */
  async deliverAgain(afterSeq: number): Promise<number> {
    const waiting = this.transact(() => deliverAgain(this.sql, afterSeq));
    this.work.clock.arm(0);
    return waiting;
  }

  async wake(...[owner, why]: Parameters<ChainPort["wake"]>): Promise<void> {
    if (!readMeta(this.sql, "owner")) writeMeta(this.sql, "owner", owner);
    if (why === "overdue") lookInD1(this.sql);
    else lookAt(this.sql, 0);
    this.work.clock.arm(0);
  }

  override async alarm(): Promise<void> {
    const { clock } = this.work;
    const backsOff = clock.rang();
    if (this.refusal) {
      log("error", this.refusal.event, { message: this.refusal.message });
      return clock.arm(LATER_MS);
    }
    this.behind.flush();
    // What expires in the course of it is told to whoever waits.
    this.desk.wake();
    this.runs.wake();
    await this.work.ring(backsOff);
  }

  /** After a transaction that may have changed approvals or runs: whoever waits for one looks again. */
  private changed(): void {
    this.work.changed();
    this.desk.wake();
    this.runs.wake();
  }

  private linking<T>(change: (stores: Parameters<typeof removeConnection>[0]) => T): T {
    this.behind.flush();
    this.work.changed();
    return this.transact(() => change({ sql: this.sql, keys: this.keys, now: Date.now() }));
  }

  /** A transaction that may fail alone; it is logged. */
  private attempt(event: string, fields: Readonly<Record<string, unknown>>, body: () => void): boolean {
    try {
      this.transact(body);
      return true;
    } catch (error) {
      log("error", event, { ...fields, ...describeError(error) });
      return false;
    }
  }

  private transact<T>(body: () => T): T {
    return this.ctx.storage.transactionSync(body);
  }
}
