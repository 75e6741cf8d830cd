/** Reads the query parameters of the audit lists. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Effect } from "../../policy/decision.ts";
import type { ApprovalRecord, ConnectionRecord, PlanRecord, RunRecord } from "../../ports/audit-record.ts";
import type { CallMaker } from "../../session/call-maker.ts";
import type { Variant } from "../../session/variant.ts";
import type { PageRequest } from "../../stores/audit/audit-page.ts";
import type {
  ApprovalFilter,
  ConnectionFilter,
  DecisionFilter,
  PlanFilter,
  RunFilter,
  TurnFilter,
} from "../../stores/audit/d1-audit-query.ts";
import { checkTenant } from "../admin/admin-params.ts";
import { badRequest, type Problem } from "../problem.ts";
import { limit, order, type Parameter, readParams, text } from "../query-params.ts";

const effect = oneOf<Effect>(["allow", "confirm", "deny"]);
const event = oneOf<ApprovalRecord["event"]>(["asked", "approved", "edited", "denied", "expired", "cancelled"]);
const status = oneOf<RunRecord["status"]>(["succeeded", "failed", "unknown", "not_started"]);
const executor = oneOf<RunRecord["executor"]>(["http", "mcp", "builtin"]);
const arm = oneOf<Variant>(["llm_first", "system_first"]);
const maker = oneOf<CallMaker>(["system", "plan"]);
const connectionEvent = oneOf<ConnectionRecord["event"]>(["set", "removed"]);
const planEvent = oneOf<PlanRecord["event"]>([
  "generated",
  "planning_error",
  "approved",
  "approval_withdrawn",
  "results_replaced",
  "started",
  "finished",
  "failed",
  "cancelled",
]);
const planStatus = oneOf<PlanRecord["status"]>([
  "empty",
  "ready",
  "running",
  "paused",
  "failed",
  "finished",
  "cancelled",
]);
export const time: Parameter<number> = {
  read: readTime,
  accepts: "milliseconds since the epoch, or ISO 8601 such as `2026-10-01` or `2026-10-01T12:00:00Z`",
};
const seq: Parameter<number> = {
  read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
  accepts: "the `seq` of a record",
};
const paged = { tenant: text, user: text, from: time, to: time, limit, after: text, order };
const shared = { ...paged, session: text, turn: text };

/** Whose records are asked for, where the query says so: an operator may ask for any tenant's. */
export function readTenant(params: URLSearchParams): Result<string | undefined, Problem> {
  const [tenant, again] = params.getAll("tenant");
  if (again !== undefined) return err(badRequest("tenant", "`tenant` is given twice; give it once"));
  const problem = tenant === undefined ? undefined : checkTenant(tenant);
  return problem ? err(problem) : ok(tenant);
}

export interface AuditQuery<F> {
  readonly filter: F;
  readonly page: PageRequest;
}

export function readTurnQuery(params: URLSearchParams): Result<AuditQuery<TurnFilter>, Problem> {
  const read = readParams(params, { ...shared, stop_reason: text, arm, plan: text });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, stop_reason: stopReason, ...filter } = read.value;
  return ok({ filter: { ...filter, stopReason }, page: { limit, after, order } });
}

export function readDecisionQuery(params: URLSearchParams): Result<AuditQuery<DecisionFilter>, Problem> {
  const acted = { approval: text, grant: text, undoes: text, made_by: maker, plan: text };
  const read = readParams(params, { ...shared, tool: text, effect, reason: text, ...acted });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, made_by: madeBy, ...filter } = read.value;
  return ok({ filter: { ...filter, madeBy }, page: { limit, after, order } });
}

export function readApprovalQuery(params: URLSearchParams): Result<AuditQuery<ApprovalFilter>, Problem> {
  const read = readParams(params, { ...shared, tool: text, approval: text, event });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter, page: { limit, after, order } });
}

export function readRunQuery(params: URLSearchParams): Result<AuditQuery<RunFilter>, Problem> {
  const read = readParams(params, { ...shared, tool: text, status, executor, decision: text });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter, page: { limit, after, order } });
}

export function readPlanQuery(params: URLSearchParams): Result<AuditQuery<PlanFilter>, Problem> {
  const read = readParams(params, { ...shared, plan: text, event: planEvent, status: planStatus });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter, page: { limit, after, order } });
}

export function readConnectionQuery(params: URLSearchParams): Result<AuditQuery<ConnectionFilter>, Problem> {
  const read = readParams(params, { ...paged, provider: text, event: connectionEvent });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter, page: { limit, after, order } });
}

/** A turn's trail is named by its path, and whole. */
export function readTrailQuery(params: URLSearchParams): Result<unknown, Problem> {
  return readParams(params, { tenant: text });
}

/** Whose chain, and the `seq` that a page begins after. */
export function readChainQuery(
  params: URLSearchParams,
): Result<{ readonly user: string; readonly after: number | undefined }, Problem> {
  const read = readParams(params, { tenant: text, user: text, after: seq });
  if (!read.ok) return read;
  const { user, after } = read.value;
  return user === undefined ? err(badRequest("user", "say whose records: `user=…`")) : ok({ user, after });
}

function oneOf<T extends string>(accepted: readonly [T, T, ...T[]]): Parameter<T> {
  const told = accepted.map((one) => `\`${one}\``);
  return {
    read: (value) => accepted.find((one) => one === value),
    accepts: `${told.slice(0, -1).join(", ")} or ${told.at(-1)}`,
  };
}

function readTime(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const time = iso.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
