/** What the person chose to allow, as the API takes it. Pure. */
import type { GrantBody } from "../../api/approval.ts";

export const grantLengths = ["session", "hours", "month", "open"] as const;
export type GrantLength = (typeof grantLengths)[number];

const until: Readonly<Record<GrantLength, string>> = {
  session: "session",
  hours: "8h",
  month: "30d",
  open: "withdrawn",
};

/** @param only names of arguments whose values the grant is bound to. */
export function grantBody(
  length: GrantLength,
  only: readonly string[],
  values: Readonly<Record<string, unknown>>,
): GrantBody {
  const conditions = Object.fromEntries(only.map((name) => [name, { equals: values[name] }]));
  return { until: until[length], ...(only.length > 0 ? { arguments: conditions } : {}) };
}
