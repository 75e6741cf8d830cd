/** Warnings for people. Pure. */
import type { Issue } from "./admin-client.ts";
import { issueText } from "./files.ts";

/** One line for each thing that is said, with every place that it is said of: six tools with one setting are one warning. */
export function warningTexts(warnings: readonly Issue[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const { path, message } of warnings) {
    const known = places.get(message) ?? new Set();
    places.set(message, known.add(path || "/"));
  }
  return [...places].map(([message, paths]) => issueText({ path: [...paths].join(", "), message }));
}
