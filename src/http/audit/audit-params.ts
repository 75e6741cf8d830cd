/** Reads the query parameters of the audit lists. Pure. */
import { err, ok, type Result } from "../../lib/result.ts";
import type { Effect } from "../../policy/decision.ts";
import type { ApprovalRecord, ConnectionRecord, PlanRecord, RunRecord } from "../../ports/audit-record.ts";
import type { CallMaker } from "../../session/call-maker.ts";
import type { Variant } from "../../session/variant.ts";
import type { PageRequest, RecordFilter } from "../../stores/audit/d1-audit-query.ts";
import { type FilterName, type RecordKind, recordKinds } from "../../stores/audit/record-kinds.ts";
import { checkTenant } from "../admin/admin-params.ts";
import { badRequest, type Problem } from "../problem.ts";
import { limit, order, type Parameter, readParams, text } from "../query-params.ts";

/** The filters that are no text. */
const accepted: { readonly [K in RecordKind]: { readonly [Name in FilterName<K>]?: Parameter<string> } } = {
  turn: { arm: oneOf<Variant>(["llm_first", "system_first"]) },
  decision: {
    effect: oneOf<Effect>(["allow", "confirm", "deny"]),
    made_by: oneOf<CallMaker>(["system", "plan"]),
    reason: text,
  },
  approval: {
    event: oneOf<ApprovalRecord["event"]>(["asked", "approved", "edited", "denied", "expired", "cancelled"]),
  },
  run: {
    status: oneOf<RunRecord["status"]>(["succeeded", "failed", "unknown", "not_started"]),
    executor: oneOf<RunRecord["executor"]>(["http", "mcp", "builtin"]),
  },
  plan: {
    event: oneOf<PlanRecord["event"]>([
      "generated",
      "planning_error",
      "approved",
      "approval_withdrawn",
      "results_replaced",
      "started",
      "finished",
      "failed",
      "cancelled",
    ]),
    status: oneOf<PlanRecord["status"]>(["empty", "ready", "running", "paused", "failed", "finished", "cancelled"]),
  },
  connection: { event: oneOf<ConnectionRecord["event"]>(["set", "removed"]) },
};

export const time: Parameter<number> = {
  read: readTime,
  accepts: "milliseconds since the epoch, or ISO 8601 such as `2026-10-01` or `2026-10-01T12:00:00Z`",
};
const seq: Parameter<number> = {
  read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
  accepts: "the `seq` of a record",
};
const paged = { tenant: text, from: time, to: time, limit, after: text, order };

/** Whose records are asked for, where the query says so: an operator may ask for any tenant's. */
export function readTenant(params: URLSearchParams): Result<string | undefined, Problem> {
  const [tenant, again] = params.getAll("tenant");
  if (again !== undefined) return err(badRequest("tenant", "`tenant` is given twice; give it once"));
  const problem = tenant === undefined ? undefined : checkTenant(tenant);
  return problem ? err(problem) : ok(tenant);
}

interface AuditQuery<K extends RecordKind> {
  readonly filter: RecordFilter<K>;
  readonly page: PageRequest;
}

/** Each filter of the kind is a parameter; a text but for those in `accepted`. */
export function readAuditQuery<K extends RecordKind>(kind: K, params: URLSearchParams): Result<AuditQuery<K>, Problem> {
  const filters = recordKinds[kind].filters.map((name) => [name, text] as const);
  const others: Readonly<Record<string, Parameter<string>>> = { ...Object.fromEntries(filters), ...accepted[kind] };
  const read = readParams(params, { ...others, ...paged });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter: filter as RecordFilter<K>, page: { limit, after, order } });
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
