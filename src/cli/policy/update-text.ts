/** What the gateway tells of policies and their changes, in words. Pure. */
import type { PolicyInForce, PolicyUpdate } from "./admin-client.ts";

/** Enough to tell versions apart, and to find one in a list. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

export function sinceText({ version, source, created_at: at, created_by: by }: PolicyInForce): string {
  if (version === null) return `which is the ${source} one`;
  const since = at === null ? "" : `, since ${new Date(at * 1000).toISOString()}`;
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}

/** One line for each part of the document that changes. Where the gateway cannot tell them, a warning of its own says so. */
export function changeLines(changes: PolicyUpdate["changes"]): string[] {
  const { truncated, ...parts } = changes ?? {};
  const lines = Object.entries(parts).flatMap(([part, entries]) =>
    Array.isArray(entries) && entries.length > 0 ? [`${part}: ${entries.map(changeText).join(", ")}`] : [],
  );
  return truncated ? [...lines, "there is more that changes than the gateway tells"] : lines;
}

const changeText = (entry: unknown): string => (typeof entry === "string" ? entry : JSON.stringify(entry));
