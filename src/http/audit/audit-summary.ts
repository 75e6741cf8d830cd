/** `GET /v1/audit/summary`, `/v1/audit/sessions` and `/v1/audit/users`: what the console's overview and its lists of sessions and users show. */
import type { Context } from "hono";
import { err, ok, type Result } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.ts";
import { querySessions } from "../../stores/audit/d1-sessions.ts";
import { querySummary, queryUsers, type SeenUser } from "../../stores/audit/d1-summary.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody, unknownCursor } from "../list-body.ts";
import { badRequest, type Problem } from "../problem.ts";
import { limit, type Parameter, readParams, text } from "../query-params.ts";
import { orTrailUnavailable } from "../reach.ts";
import type { AuditDeps, AuditEnv } from "./audit-chain.ts";
import { time } from "./audit-params.ts";

const MAX_DAYS = 92;

export async function summarize(c: Context<AuditEnv>, { audit, now }: AuditDeps): Promise<HandlerResult> {
  const read = readParams(c.req, { tenant: text, from: time, to: time });
  if (!read.ok) return read;
  const range = rangeOf(read.value, now());
  if (!range.ok) return range;
  const { from, to } = range.value;
  const step = stepOf(to - from);
  const found = await orTrailUnavailable(
    audit(c.var.tenant, (db) => querySummary(db, c.var.tenant, { from, to, step })),
  );
  if (!found.ok) return found;
  const { turns, series, effects, events, waits, refused, isCut, deniedByPerson } = found.value;
  const { tokensSaved, ...counts } = turns;
  return ok({
    object: "audit.summary",
    from: isoTime(from),
    to: isoTime(to),
    step_ms: step,
    cut: isCut,
    ...counts,
    tokens_saved: tokensSaved,
    effects,
    denied_by_person: deniedByPerson,
    approvals: events,
    answer_ms: waits.length === 0 ? null : { median: quantile(waits, 0.5), p90: quantile(waits, 0.9) },
    refused: refused.map((one) => ({ ...one, at: isoTime(one.at) })),
    series: series.map(({ at, ...point }) => ({ at: isoTime(at), ...point })),
  });
}

interface Range {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** The default is the last week. */
function rangeOf(given: Partial<Range>, now: number): Result<Range, Problem> {
  const { to = now } = given;
  const { from = to - 7 * DAY_MS } = given;
  if (from >= to) return err(badRequest("from", "`from` must be before `to`, which is now unless it is given"));
  if (to - from > MAX_DAYS * DAY_MS)
    return err(badRequest("from", `\`from\` and \`to\` must be at most ${MAX_DAYS} days apart`, "range_too_wide"));
  return ok({ from, to });
}

/** At most about a hundred points. */
function stepOf(ms: number): number {
  if (ms <= 2 * HOUR_MS) return MINUTE_MS;
  if (ms <= 2 * DAY_MS) return HOUR_MS / 2;
  return ms <= 8 * DAY_MS ? 2 * HOUR_MS : DAY_MS;
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

export async function listSessions(c: Context<AuditEnv>, { audit }: AuditDeps): Promise<HandlerResult> {
  const read = readParams(c.req, { tenant: text, user: text, limit, after: text });
  if (!read.ok) return read;
  const found = await orTrailUnavailable(audit(c.var.tenant, (db) => querySessions(db, c.var.tenant, read.value)));
  if (!found.ok) return found;
  const data = found.value.slice(0, read.value.limit).map(({ firstAt, lastAt, stopReason, ...session }) => ({
    object: "audit.session",
    ...session,
    first_at: isoTime(firstAt),
    last_at: isoTime(lastAt),
    stop_reason: stopReason,
  }));
  return ok(listBody(data, found.value.length > data.length));
}

const ORDERS = {
  last: ({ lastAt }) => lastAt,
  sessions: ({ sessions }) => sessions,
  refused: ({ effects }) => effects.deny,
} as const satisfies Readonly<Record<string, (user: SeenUser) => number>>;
const sort: Parameter<keyof typeof ORDERS> = {
  read: (value) => (value === "last" || value === "sessions" || value === "refused" ? value : undefined),
  accepts: "`last`, `sessions` or `refused`",
};

export async function listUsers(c: Context<AuditEnv>, { audit, now }: AuditDeps): Promise<HandlerResult> {
  const read = readParams(c.req, { tenant: text, from: time, to: time, search: text, sort, limit, after: text });
  if (!read.ok) return read;
  const { search, sort: by = "last", limit: most, after } = read.value;
  const range = rangeOf(read.value, now());
  if (!range.ok) return range;
  const found = await orTrailUnavailable(
    audit(c.var.tenant, (db) => queryUsers(db, c.var.tenant, { ...range.value, search })),
  );
  if (!found.ok) return found;
  const { users, isCut } = found.value;
  const mostFirst = [...users].sort(
    (one, other) => ORDERS[by](other) - ORDERS[by](one) || (one.id < other.id ? -1 : 1),
  );
  const from = after === undefined ? 0 : mostFirst.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) return err(unknownCursor("a user"));
  const data = mostFirst.slice(from, from + most).map(({ lastAt, ...user }) => ({
    object: "audit.user",
    ...user,
    last_at: isoTime(lastAt),
  }));
  return ok({ ...listBody(data, from + most < users.length), cut: isCut });
}
