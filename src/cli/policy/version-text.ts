/** How versions of a policy are shown. Commands take what is shown: `wholeVersion` finds the version that begins so. */
import type { PolicyView } from "../../api-views/policy-views.ts";

/** Long enough to tell versions apart, and to find one in a list. */
export const shortVersion = (version: string | null): string => version?.slice(0, 12) ?? "the embedded policy";

export function sinceText({ version, source, created_at: at, created_by: by }: PolicyView): string {
  if (version === null) return `which is the ${source} one`;
  const since = at ? `, since ${at}` : "";
  return `version ${shortVersion(version)}${since}${by ? `, by ${by}` : ""}`;
}
