/** Reads the query parameters of the audit lists. Pure. */

import { err, ok, type Result } from "../../lib/result.ts";
import type { Effect } from "../../policy/decision.ts";
import type { ApprovalRecord, PlanRecord, RunRecord } from "../../ports/audit-record.ts";
import type { ChangeRecord, ConnectionRecord, ResetRecord } from "../../ports/operator-records.ts";
import type { CallMaker } from "../../session/principal.ts";
import type { Variant } from "../../session/variant.ts";
import type { PageRequest, RecordFilter } from "../../stores/audit/d1-audit-query.ts";
import { type FilterName, type RecordKind, recordKinds } from "../../stores/audit/record-kinds.ts";
import { checkTenant } from "../admin/admin-params.ts";
import { badRequest, type Problem } from "../problem.ts";
import { limit, order, type Parameter, readParams, text } from "../query-params.ts";

/** The filters that are not text. */
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
  reset: { event: oneOf<ResetRecord["event"]>(["grant_withdrawn", "consent_withdrawn", "user_reset"]) },
  change: {
    event: oneOf<ChangeRecord["event"]>([
      "policy_put",
      "policy_rolled_back",
      "policy_deleted",
      "candidate_set",
      "candidate_removed",
      "key_made",
      "key_rotated",
      "key_ended",
      "mcp_server_refreshed",
      "mcp_server_forgotten",
      "mcp_tool_accepted",
      "mcp_tool_forgotten",
      "settings_put",
      "settings_deleted",
      "user_erased",
      "chain_closed",
    ]),
  },
  erased: {},
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

/** The tenant whose records are requested, if the query names one: an operator may name any. */
export function readTenant(request: Pick<Request, "url">): Result<string | undefined, Problem> {
  const [tenant, again] = new URL(request.url).searchParams.getAll("tenant");
  if (again !== undefined) return err(badRequest("tenant", "`tenant` is given twice; give it once"));
  const problem = tenant === undefined ? undefined : checkTenant(tenant);
  return problem ? err(problem) : ok(tenant);
}

interface AuditQuery<K extends RecordKind> {
  readonly filter: RecordFilter<K>;
  readonly page: PageRequest;
}

/** Each filter of the kind is a parameter: a text, except for those in `accepted`. */
export function readAuditQuery<K extends RecordKind>(
  kind: K,
  request: Pick<Request, "url">,
): Result<AuditQuery<K>, Problem> {
  const filters = recordKinds[kind].filters.map((name) => [name, text] as const);
  const others: Readonly<Record<string, Parameter<string>>> = { ...Object.fromEntries(filters), ...accepted[kind] };
  const read = readParams(request, { ...others, ...paged });
  if (!read.ok) return read;
  const { limit, after, order, tenant: _, ...filter } = read.value;
  return ok({ filter: filter as RecordFilter<K>, page: { limit, after, order } });
}

/** The user of the chain, and the `seq` that a page begins after. */
export function readChainQuery(
  request: Pick<Request, "url">,
): Result<{ readonly user: string; readonly after: number | undefined }, Problem> {
  const read = readParams(request, { tenant: text, user: text, after: seq });
  if (!read.ok) return read;
  const { user, after } = read.value;
  return user === undefined ? err(badRequest("user", "say whose records: `user=…`")) : ok({ user, after });
}

function oneOf<T extends string>(accepted: readonly [T, T, ...T[]]): Parameter<T> {
  const names = accepted.map((one) => `\`${one}\``);
  return {
    read: (value) => accepted.find((one) => one === value),
    accepts: `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
  };
}

function readTime(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const time = iso.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
