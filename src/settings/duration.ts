/** Durations as settings write them: `500ms`, `30s`, `5m`, `1h`. Pure. */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3600_000 } as const;

/** In milliseconds; undefined for what is no duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text.trim());
  return match ? Number(match[1]) * UNITS[match[2] as keyof typeof UNITS] : undefined;
}
