/** Reads the audit trail in D1: pages by time across a tenant's users, and one user's chain in order. */
import type { Result } from "../../lib/result.ts";
import type { Effect } from "../../policy/decision.ts";
import type {
  ApprovalRecord,
  AuditRecord,
  ConnectionRecord,
  DecisionRecord,
  PlanRecord,
  RunRecord,
  SealedRecord,
  TurnRecord,
} from "../../ports/audit-record.ts";
import type { CallMaker } from "../../session/call-maker.ts";
import type { Variant } from "../../session/variant.ts";
import {
  byRecord,
  type Equality,
  type Page,
  type PageRequest,
  queryPage,
  type Source,
  type UnknownCursor,
} from "./audit-page.ts";
import { type AuditRow, readLink } from "./audit-row.ts";
import { auditTables } from "./audit-tables.ts";

/** What is not given does not filter. Times are milliseconds since the epoch: `from` ≤ at < `to`. */
interface CommonFilter {
  readonly user?: string;
  readonly session?: string;
  /** Id of the turn. */
  readonly turn?: string;
  readonly from?: number;
  readonly to?: number;
}

export interface TurnFilter extends CommonFilter {
  readonly stopReason?: string;
  readonly arm?: Variant;
  /** Id of the plan that it ran. */
  readonly plan?: string;
}

export interface DecisionFilter extends CommonFilter {
  readonly tool?: string;
  readonly effect?: Effect;
  /** A code that is among the decision's reasons. */
  readonly reason?: string;
  /** Id of the approval that it made or acted on. */
  readonly approval?: string;
  /** Id of the grant that allowed it. */
  readonly grant?: string;
  /** Id of the decision on the call that it undoes. */
  readonly undoes?: string;
  /** Of those whose call the model did not make. */
  readonly madeBy?: CallMaker;
  /** Id of the plan that its call is a step of. */
  readonly plan?: string;
}

export interface ApprovalFilter extends CommonFilter {
  readonly tool?: string;
  readonly approval?: string;
  readonly event?: ApprovalRecord["event"];
}

export interface RunFilter extends CommonFilter {
  readonly tool?: string;
  readonly status?: RunRecord["status"];
  readonly executor?: RunRecord["executor"];
  /** Id of the decision that let it run. */
  readonly decision?: string;
}

export interface PlanFilter extends CommonFilter {
  readonly plan?: string;
  readonly event?: PlanRecord["event"];
  readonly status?: PlanRecord["status"];
}

export interface ConnectionFilter extends Pick<CommonFilter, "user" | "from" | "to"> {
  readonly provider?: string;
  readonly event?: ConnectionRecord["event"];
}

type Found<R extends AuditRecord> = Promise<Result<Page<R>, UnknownCursor>>;

export function queryTurns(db: D1Database, tenant: string, filter: TurnFilter, page: PageRequest): Found<TurnRecord> {
  const { user, session, turn, stopReason, arm, plan, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.id", turn, undefined],
    ["t.plan", plan, "turns_by_plan"],
    ["t.session", session, "turns_by_session"],
    ["t.user", user, "turns_by_user"],
    ["t.stop_reason", stopReason, "turns_by_stop_reason"],
    ["t.arm", arm, "turns_by_arm"],
  ];
  return queryPage(db, tenant, { source: byRecord("turns", equals), equals, from, to }, page);
}

export function queryDecisions(
  db: D1Database,
  tenant: string,
  filter: DecisionFilter,
  page: PageRequest,
): Found<DecisionRecord> {
  const { user, session, turn, tool, effect, reason, approval, grant, undoes, madeBy, plan, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.approval", approval, "decisions_by_approval"],
    ["t.undoes", undoes, "decisions_by_undoes"],
    ["t.turn", turn, "decisions_by_turn"],
    ["t.plan", plan, "decisions_by_plan"],
    ["t.granted_by", grant, "decisions_by_grant"],
    ["t.session", session, "decisions_by_session"],
    ["t.user", user, "decisions_by_user"],
    ["t.tool", tool, "decisions_by_tool"],
    ["t.made_by", madeBy, "decisions_by_maker"],
    ["t.effect", effect, "decisions_by_effect"],
    ["r.code", reason, undefined],
  ];
  const source = reason === undefined ? byRecord("decisions", equals) : byReason;
  return queryPage(db, tenant, { source, equals, from, to }, page);
}

export function queryApprovals(
  db: D1Database,
  tenant: string,
  filter: ApprovalFilter,
  page: PageRequest,
): Found<ApprovalRecord> {
  const { user, session, turn, tool, approval, event, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.approval", approval, "approvals_by_approval"],
    ["t.turn", turn, "approvals_by_turn"],
    ["t.session", session, "approvals_by_session"],
    ["t.user", user, "approvals_by_user"],
    ["t.tool", tool, "approvals_by_tool"],
    ["t.event", event, "approvals_by_event"],
  ];
  return queryPage(db, tenant, { source: byRecord("approvals", equals), equals, from, to }, page);
}

export function queryRuns(db: D1Database, tenant: string, filter: RunFilter, page: PageRequest): Found<RunRecord> {
  const { user, session, turn, tool, status, executor, decision, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.decision", decision, "runs_by_decision"],
    ["t.turn", turn, "runs_by_turn"],
    ["t.session", session, "runs_by_session"],
    ["t.user", user, "runs_by_user"],
    ["t.tool", tool, "runs_by_tool"],
    ["t.status", status, "runs_by_status"],
    ["t.executor", executor, "runs_by_executor"],
  ];
  return queryPage(db, tenant, { source: byRecord("runs", equals), equals, from, to }, page);
}

export function queryPlans(db: D1Database, tenant: string, filter: PlanFilter, page: PageRequest): Found<PlanRecord> {
  const { user, session, turn, plan, event, status, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.plan", plan, "plans_by_plan"],
    ["t.turn", turn, "plans_by_turn"],
    ["t.session", session, "plans_by_session"],
    ["t.user", user, "plans_by_user"],
    ["t.event", event, "plans_by_event"],
    ["t.status", status, "plans_by_status"],
  ];
  return queryPage(db, tenant, { source: byRecord("plans", equals), equals, from, to }, page);
}

export function queryConnections(
  db: D1Database,
  tenant: string,
  filter: ConnectionFilter,
  page: PageRequest,
): Found<ConnectionRecord> {
  const { user, provider, event, from, to } = filter;
  const equals: readonly Equality[] = [
    ["t.user", user, "connections_by_user"],
    ["t.provider", provider, "connections_by_provider"],
    ["t.event", event, "connections_by_event"],
  ];
  return queryPage(db, tenant, { source: byRecord("connections", equals), equals, from, to }, page);
}

/** SQLite takes the tables of a CROSS JOIN as they stand. */
const byReason: Source = {
  table: "decisions",
  from: "decision_reasons r CROSS JOIN decisions t ON t.id = r.decision_id AND t.tenant = r.tenant",
  tenant: "r.tenant",
  at: "r.at",
  id: "r.decision_id",
};

/** D1 takes no more in one statement. */
const TABLES_AT_ONCE = 5;

interface ChainOwner {
  readonly tenant: string;
  readonly user: string;
}

/** One user's records of every kind, ascending by `seq`, from the one after `afterSeq`, for who looks whether they are intact. */
export async function readChain(
  db: D1Database,
  owner: ChainOwner,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly SealedRecord[]> {
  const columns = "seq, previous, hash, key_id, record";
  const found = await fromAllTables<AuditRow>(db, owner, `SELECT ${columns}`, ["seq >", afterSeq, limit]);
  return found.slice(0, limit).map(readLink);
}

/** The first record at `seq` or below, where the user's chain holds none. */
export async function firstUpTo(db: D1Database, owner: ChainOwner, seq: number): Promise<number | undefined> {
  const [found] = await fromAllTables<{ seq: number }>(db, owner, "SELECT seq", ["seq <=", seq, 1]);
  return found?.seq;
}

/** Ascending by `seq`; up to `limit` rows of each statement. In one transaction: no record comes between them. */
async function fromAllTables<R extends { readonly seq: number }>(
  db: D1Database,
  { tenant, user }: ChainOwner,
  select: string,
  [beyond, seq, limit]: readonly [beyond: "seq >" | "seq <=", seq: number, limit: number],
): Promise<readonly R[]> {
  const parts = auditTables.map((table) => `${select} FROM ${table} WHERE tenant = ?1 AND user = ?2 AND ${beyond} ?3`);
  const statements: D1PreparedStatement[] = [];
  for (let at = 0; at < parts.length; at += TABLES_AT_ONCE) {
    const statement = `${parts.slice(at, at + TABLES_AT_ONCE).join(" UNION ALL ")} ORDER BY seq LIMIT ?4`;
    statements.push(db.prepare(statement).bind(tenant, user, seq, limit));
  }
  const found = (await db.batch<R>(statements)).flatMap(({ results }) => results);
  return found.sort((one, other) => one.seq - other.seq);
}
