/**
 * A summary of a tenant's trail in D1 over a time: counts of turns, decisions and answers, the most frequent refusals, and counts by
 * user.
 */
import { isOutcome, type Outcomes, outcomesOf } from "./call-outcome.ts";
import type { AuditReader } from "./shards/shards.ts";

/** The last ones of each kind: all that are counted are read. */
const MAX_COUNTED = 25_000;
const TOP_REFUSALS = 10;

interface SummaryRange {
  /** Milliseconds since the epoch: `from` ≤ at < `to`. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds of one point of the series. */
  readonly step: number;
}

interface TrailSummary {
  readonly turns: {
    readonly turns: number;
    readonly sessions: number;
    readonly users: number;
    /** Turns that began with a message of the user: the others continue one. */
    readonly tasks: number;
    readonly tokensSaved: number;
  };
  /** By the beginning of each step. */
  readonly series: readonly (TurnPoint & { readonly effects: Outcomes })[];
  /** Each call once, by the last decision on it. */
  readonly effects: Outcomes;
  /** Among those with `deny`: a person refused them, and the rules would have let them through. */
  readonly deniedByPerson: number;
  /** Events of questions: `asked`, `approved`, `edited`, `denied`, `expired`, `cancelled`. */
  readonly events: Readonly<Record<string, number>>;
  /** Milliseconds from each question to a person's answer, ascending. */
  readonly waits: readonly number[];
  readonly refused: readonly Refusal[];
  /** More was recorded than is counted. */
  readonly isCut: boolean;
}

interface TurnPoint {
  readonly at: number;
  readonly turns: number;
}

interface EffectPoint {
  readonly point: number;
  readonly effect: keyof Outcomes;
  readonly calls: number;
  /** Null if none of these decisions has a reason. */
  readonly denied: number | null;
}

/** Calls of one tool that were refused for one reason: the first of the decision's that says why. */
interface Refusal {
  readonly tool: string;
  readonly reason: string;
  readonly calls: number;
  /** The last one's turn, session and time. */
  readonly turn: string;
  readonly session: string;
  readonly at: number;
}

const recent = (table: string, columns: string) =>
  `(SELECT ${columns} FROM ${table} INDEXED BY ${table}_by_time
    WHERE tenant = ?1 AND at >= ?2 AND at < ?3 AND seq > 0 ORDER BY at DESC, id DESC LIMIT ${MAX_COUNTED})`;
const POINT = "at - at % ?4 AS point";

const TURNS = `SELECT COUNT(*) AS turns, COUNT(DISTINCT session) AS sessions, COUNT(DISTINCT user) AS users,
  COUNT(json_extract(record, '$.detection')) AS tasks, COALESCE(SUM(json_extract(record, '$.tokensSaved')), 0) AS tokensSaved
  FROM ${recent("turns", "session, user, record")}`;
const TURN_SERIES = `SELECT ${POINT}, COUNT(*) AS turns FROM ${recent("turns", "at")} GROUP BY point`;
const EFFECT_SERIES = `SELECT ${POINT}, effect, COUNT(*) AS calls,
    SUM(json_extract(record, '$.reasons[0].code') = 'approval_denied') AS denied
  FROM ${recent("decisions", "at, effect, approval, record")} d WHERE ${isOutcome("d", "AND later.at < ?3")} GROUP BY point, effect`;
// SQLite takes the other columns from the row that has the maximum. That a tool was not offered says nothing if another reason says
// why.
const REFUSED = `SELECT tool, COALESCE(
    NULLIF(json_extract(record, '$.reasons[0].code'), 'not_offered'), json_extract(record, '$.reasons[1].code'), 'not_offered') AS reason, COUNT(*) AS calls, turn, session, MAX(at) AS at
  FROM ${recent("decisions", "tool, effect, record, turn, session, at")} WHERE effect = 'deny'
  GROUP BY tool, reason ORDER BY calls DESC, at DESC LIMIT ${TOP_REFUSALS}`;
const EVENTS = `SELECT event, COUNT(*) AS events FROM ${recent("approvals", "event")} GROUP BY event`;
const WAITS = `SELECT a.at - q.at AS wait FROM ${recent("approvals", "event, approval, at")} a
  JOIN approvals q INDEXED BY approvals_by_approval ON q.tenant = ?1 AND q.approval = a.approval AND q.event = 'asked'
  WHERE a.event IN ('approved', 'edited', 'denied') ORDER BY wait`;

export async function querySummary(
  db: AuditReader,
  tenant: string,
  { from, to, step }: SummaryRange,
): Promise<TrailSummary> {
  const range = [tenant, from, to];
  const [turns, turnSeries, effectSeries, refused, events, waits] = await db.batch([
    db.prepare(TURNS).bind(...range),
    db.prepare(TURN_SERIES).bind(...range, step),
    db.prepare(EFFECT_SERIES).bind(...range, step),
    db.prepare(REFUSED).bind(...range),
    db.prepare(EVENTS).bind(...range),
    db.prepare(WAITS).bind(...range),
  ]);
  const counted = (turns?.results[0] ?? {}) as TrailSummary["turns"];
  const byEffect = (effectSeries?.results ?? []) as EffectPoint[];
  const eventRows = (events?.results ?? []) as { event: string; events: number }[];
  const turnPoints = (turnSeries?.results ?? []) as { point: number; turns: number }[];
  const decisions = byEffect.reduce((sum, { calls }) => sum + calls, 0);
  return {
    turns: counted,
    series: seriesOf(turnPoints, byEffect),
    effects: outcomesOf(byEffect),
    deniedByPerson: byEffect.reduce((sum, { effect, denied }) => sum + (effect === "deny" ? (denied ?? 0) : 0), 0),
    events: Object.fromEntries(eventRows.map(({ event, events }) => [event, events])),
    waits: ((waits?.results ?? []) as { wait: number }[]).map(({ wait }) => wait),
    refused: (refused?.results ?? []) as unknown as Refusal[],
    isCut: counted.turns >= MAX_COUNTED || decisions >= MAX_COUNTED,
  };
}

function seriesOf(
  turns: readonly { readonly point: number; readonly turns: number }[],
  effects: readonly EffectPoint[],
): TrailSummary["series"] {
  const points = [...new Set([...turns, ...effects].map(({ point }) => point))].sort((one, other) => one - other);
  return points.map((at) => ({
    at,
    turns: turns.find(({ point }) => point === at)?.turns ?? 0,
    effects: outcomesOf(effects.filter(({ point }) => point === at)),
  }));
}

interface UsersQuery {
  /** As in `SummaryRange`. */
  readonly from: number;
  readonly to: number;
  /** A part of the name, in any case. */
  readonly search?: string | undefined;
}

export interface SeenUser {
  readonly id: string;
  /** From the last turn. */
  readonly role: string;
  readonly sessions: number;
  readonly turns: number;
  readonly lastAt: number;
  /** Each call once, by the last decision on it. */
  readonly effects: Outcomes;
}

// SQLite takes the role from the row that has the maximum.
const USERS = `SELECT user AS id, json_extract(record, '$.role') AS role, COUNT(DISTINCT session) AS sessions, COUNT(*) AS turns, MAX(at) AS lastAt
  FROM ${recent("turns", "user, session, at, record")} WHERE instr(lower(user), lower(?4)) > 0 GROUP BY user`;
const USER_EFFECTS = `SELECT user, effect, COUNT(*) AS calls FROM ${recent("decisions", "user, effect, approval, record")} d
  WHERE instr(lower(user), lower(?4)) > 0 AND ${isOutcome("d", "AND later.at < ?3")} GROUP BY user, effect`;

/** The users who had a turn in that time, in no order. */
export async function queryUsers(
  db: AuditReader,
  tenant: string,
  { from, to, search = "" }: UsersQuery,
): Promise<{ readonly users: readonly SeenUser[]; readonly isCut: boolean }> {
  const range = [tenant, from, to, search];
  const [turns, calls, counted] = await db.batch([
    db.prepare(USERS).bind(...range),
    db.prepare(USER_EFFECTS).bind(...range),
    db.prepare(`SELECT COUNT(*) AS turns FROM ${recent("turns", "id")}`).bind(tenant, from, to),
  ]);
  const rows = (calls?.results ?? []) as { user: string; effect: keyof Outcomes; calls: number }[];
  const byUser = Map.groupBy(rows, ({ user }) => user);
  const users = (turns?.results ?? []) as unknown as Omit<SeenUser, "effects">[];
  return {
    users: users.map((user) => ({ ...user, effects: outcomesOf(byUser.get(user.id) ?? []) })),
    isCut: ((counted?.results[0] as { turns?: number } | undefined)?.turns ?? 0) >= MAX_COUNTED,
  };
}
