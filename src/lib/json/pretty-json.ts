/**
 * JSON as a person reads it, over several lines. Pure. What is nested deeper than this stays on one line: each level is indented
 * further, so that 64 KB of brackets would become megabytes.
 */
const MAX_DEPTH = 8;

/** Undefined for what JSON has no text for. */
export function prettyJson(value: unknown): string | undefined {
  return isDeeper(value, MAX_DEPTH) ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}
