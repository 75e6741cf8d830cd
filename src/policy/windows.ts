import type { ToolSettings } from "./document/document-parts.ts";
import type { RateWindow } from "./facts.ts";

/** @param key what shares the windows: `tool:NAME`, or a group's selector as written. */
export function windowsOf(key: string, limits: NonNullable<ToolSettings["rateLimits"]>): RateWindow[] {
  return limits.map(({ max, window }) => ({ key, max, windowMs: window }));
}
