/** The view of the audit explorer (a kind of record and filters), read from and written into its address. Pure. */
import { HOUR_MS } from "../../lib/time.ts";
import { trailTexts } from "../trail/trail-texts.ts";

/** The filters of each kind of record, by the API's names. */
export const KINDS = {
  decisions: ["user", "tool", "effect", "reason", "session", "turn", "from", "to"],
  turns: ["user", "stop_reason", "session", "from", "to"],
  approvals: ["user", "tool", "event", "session", "turn", "from", "to"],
  runs: ["user", "tool", "status", "executor", "session", "turn", "from", "to"],
  plans: ["user", "event", "status", "session", "from", "to"],
  connections: ["user", "provider", "event", "from", "to"],
  resets: ["user", "event", "from", "to"],
  changes: ["user", "event", "from", "to"],
} as const;
export type Kind = keyof typeof KINDS;

const ANSWERS = ["asked", "approved", "edited", "denied", "expired", "cancelled"];

/** Filters with a fixed set of values; the kind is part of the key if kinds differ. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  effect: ["allow", "confirm", "deny"],
  executor: ["http", "mcp", "builtin"],
  reason: Object.keys(trailTexts.reason),
  stop_reason: Object.keys(trailTexts.stop),
  "approvals event": ANSWERS,
  "changes event": Object.keys(trailTexts.event).filter((event) => !ANSWERS.includes(event)),
};

/** Undefined: any value. */
export const choicesOf = (kind: Kind, name: string): readonly string[] | undefined =>
  CHOICES[name] ?? CHOICES[`${kind} ${name}`];

export interface View {
  readonly kind: Kind;
  readonly filters: readonly (readonly [name: string, value: string])[];
}

export const isTime = (name: string): boolean => name === "from" || name === "to";

/** A time without a zone is in the device's zone. Text that is no time is kept: the gateway reports the error. */
export function asInstant(time: string): string {
  const isLocal = /T/.test(time) && !/(Z|[+-]\d{2}:\d{2})$/.test(time);
  const at = isLocal ? Date.parse(time) : Number.NaN;
  return Number.isNaN(at) ? time : new Date(at).toISOString();
}

/** The time spans that are offered as buttons. */
export const SPANS = ["hour", "today", "yesterday", "week"] as const;
export type Span = (typeof SPANS)[number];

/** @param now milliseconds since the epoch. Days begin at midnight in the device's zone. */
export function withSpan(view: View, span: Span, now: number): View {
  const midnight = (daysAgo: number): number => {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
  };
  const from = { hour: now - HOUR_MS, today: midnight(0), yesterday: midnight(1), week: now - 168 * HOUR_MS }[span];
  const since = withFilter(withoutFilter(view, "to"), "from", new Date(from).toISOString());
  return span === "yesterday" ? withFilter(since, "to", new Date(midnight(0)).toISOString()) : since;
}

const isKind = (name: string | undefined): name is Kind => name !== undefined && Object.hasOwn(KINDS, name);

/** Parameters that the kind does not have are ignored. */
export function readView(query: Readonly<Record<string, string>>): View {
  const kind = isKind(query.kind) ? query.kind : "decisions";
  const names: readonly string[] = KINDS[kind];
  const given = Object.entries(query).filter(([name, value]) => names.includes(name) && value !== "");
  return { kind, filters: given.map(([name, value]) => [name, isTime(name) ? asInstant(value) : value] as const) };
}

export const addressOf = ({ kind, filters }: View): string =>
  `/console/audit?${new URLSearchParams([["kind", kind], ...filters.map(([name, value]) => [name, value])])}`;

/** @param limit records per page. */
export const pathOf = ({ kind, filters }: View, limit: number): string =>
  `/v1/audit/${kind}?${new URLSearchParams([["limit", String(limit)], ...filters.map(([name, value]) => [name, value])])}`;

export const withFilter = (view: View, name: string, value: string): View => ({
  ...view,
  filters: [...view.filters.filter(([one]) => one !== name), [name, value]],
});

export const withoutFilter = (view: View, name: string): View => ({
  ...view,
  filters: view.filters.filter(([one]) => one !== name),
});
