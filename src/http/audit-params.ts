/** Reads the query parameters of the audit lists. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { Effect } from "../policy/decision.ts";
import type { PageRequest } from "../stores/audit-page.ts";
import type { ApprovalRecord, RunRecord } from "../stores/audit-record.ts";
import type { ApprovalFilter, DecisionFilter, RunFilter, TurnFilter } from "../stores/d1-audit-query.ts";
import { checkTenant } from "./admin-params.ts";
import { badRequest, type Problem } from "./problem.ts";
import { limit, order, type Parameter, readParams, text } from "./query-params.ts";

const effects: readonly Effect[] = ["allow", "confirm", "deny"];
const events: readonly ApprovalRecord["event"][] = ["asked", "approved", "edited", "denied", "expired", "cancelled"];

const statuses: readonly RunRecord["status"][] = ["succeeded", "failed", "unknown", "not_started"];
const executors: readonly RunRecord["executor"][] = ["http", "mcp", "builtin"];

const time: Parameter<number> = {
  read: readTime,
  accepts: "milliseconds since the epoch, or ISO 8601 such as `2026-10-01` or `2026-10-01T12:00:00Z`",
};
const effect: Parameter<Effect> = {
  read: (value) => effects.find((one) => one === value),
  accepts: "`allow`, `confirm` or `deny`",
};
const event: Parameter<ApprovalRecord["event"]> = {
  read: (value) => events.find((one) => one === value),
  accepts: "`asked`, `approved`, `edited`, `denied`, `expired` or `cancelled`",
};
const status: Parameter<RunRecord["status"]> = {
  read: (value) => statuses.find((one) => one === value),
  accepts: "`succeeded`, `failed`, `unknown` or `not_started`",
};
const executor: Parameter<RunRecord["executor"]> = {
  read: (value) => executors.find((one) => one === value),
  accepts: "`http`, `mcp` or `builtin`",
};
const seq: Parameter<number> = {
  read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
  accepts: "the `seq` of a record",
};
const shared = { tenant: text, user: text, session: text, turn: text, from: time, to: time, limit, after: text, order };

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
  const read = readParams(params, { ...shared, stop_reason: text });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, stop_reason: stopReason, ...filter } = read.value;
  return ok({ filter: { ...filter, stopReason }, page: { limit, after, order } });
}

export function readDecisionQuery(params: URLSearchParams): Result<AuditQuery<DecisionFilter>, Problem> {
  const acted = { approval: text, grant: text, undoes: text };
  const read = readParams(params, { ...shared, tool: text, effect, reason: text, ...acted });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter, page: { limit, after, order } });
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

function readTime(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const time = iso.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
