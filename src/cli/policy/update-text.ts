/** What the gateway tells of policies and their changes, in words. Pure. */
import type { PolicyInForce, PolicyUpdate } from "./admin-client.ts";

/** Enough to tell versions apart, and to find one in a list. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

export function sinceText({ version, source, created_at: at, created_by: by }: PolicyInForce): string {
  if (version === null) return `which is the ${source} one`;
  const since = at === null || at === undefined ? "" : `, since ${at}`;
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}

/** One line for each part of the document that changes. */
export function changeLines(changes: PolicyUpdate["changes"]): string[] {
  return Object.entries(changes)
    .filter(([, entries]) => entries.length > 0)
    .map(([part, entries]) => `${part}: ${entries.map(changeText).join(", ")}`);
}

const changeText = (entry: unknown): string => (typeof entry === "string" ? entry : JSON.stringify(entry));
