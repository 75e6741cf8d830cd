/** What the gateway tells of policies and their changes, in words. Pure. */
import type { Issue, PolicyInForce } from "./admin-client.ts";
import { issueText } from "./files.ts";

/** Enough to tell versions apart, and to find one in a list. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

export function sinceText({ version, source, created_at: at, created_by: by }: PolicyInForce): string {
  if (version === null) return `which is the ${source} one`;
  const since = at === null ? "" : `, since ${at}`;
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}

/** A gateway of an earlier version gives neither code nor severity. */
export interface WarningGiven extends Issue {
  readonly code?: string;
  readonly severity?: string;
}

/** One line for each message, with every place that it is about: six tools with one setting are one warning. */
export const warningTexts = (warnings: readonly WarningGiven[]): readonly string[] =>
  texts(warnings.filter(({ severity }) => severity !== "note"));

/** What is worth reading once, not at every push. */
export const noteTexts = (warnings: readonly WarningGiven[]): readonly string[] =>
  texts(warnings.filter(({ severity }) => severity === "note"));

function texts(warnings: readonly WarningGiven[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const { path, message, code } of warnings) {
    const line = code === undefined ? message : `${message} (${code})`;
    const known = places.get(line) ?? new Set();
    places.set(line, known.add(path || "/"));
  }
  return [...places].map(([line, paths]) => issueText({ path: [...paths].join(", "), message: line }));
}
