/** What the gateway tells of policies and their changes, in words. Pure. */
import type { PolicyInForce } from "./admin-client.ts";

/** Enough to tell versions apart, and to find one in a list. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

export function sinceText({ version, source, created_at: at, created_by: by }: PolicyInForce): string {
  if (version === null) return `which is the ${source} one`;
  const since = at === null ? "" : `, since ${at}`;
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}
