/** What the parts of an enumerated message mean, taken together. Pure. */
import type { DetectedIntent } from "../../intent/detection.ts";

/** Each intent once, as sure as its surest part; best first. */
export function joinGuesses(parts: readonly (readonly DetectedIntent[])[]): readonly DetectedIntent[] {
  if (parts.length === 1) return parts[0] ?? [];
  const best = new Map<string, DetectedIntent>();
  for (const guess of parts.flat()) {
    if (guess.confidence > (best.get(guess.name)?.confidence ?? -1)) best.set(guess.name, guess);
  }
  return [...best.values()].sort((a, b) => b.confidence - a.confidence);
}
