/** What the audit explorer shows, as its address says it: a kind of record and filters. Pure. */
import { trailTexts } from "../trail/trail-texts.ts";

/** The filters of each kind, as the API has them. */
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

/** Filters that take one of few values, by kind where they differ. */
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

export const isKind = (name: string | undefined): name is Kind => name !== undefined && Object.hasOwn(KINDS, name);

/** What no kind has is left out. */
export function readView(query: Readonly<Record<string, string>>): View {
  const kind = isKind(query.kind) ? query.kind : "decisions";
  const names: readonly string[] = KINDS[kind];
  return { kind, filters: Object.entries(query).filter(([name, value]) => names.includes(name) && value !== "") };
}

export const addressOf = ({ kind, filters }: View): string =>
  `/console/audit?${new URLSearchParams([["kind", kind], ...filters.map(([name, value]) => [name, value])])}`;

/** @param limit of a page. */
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
