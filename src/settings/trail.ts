/** How audit records get from users' objects to the trail: `TRAIL`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";

export interface TrailVariables {
  /** With `queued`: into how many groups of tenants each day of the archive is divided. */
  readonly ARCHIVE_GROUPS?: string;
  /** `direct` or `queued`. */
  readonly TRAIL?: string;
  /** With `queued`: carries records to the consumer. */
  readonly TRAIL_QUEUE?: unknown;
  /** With `queued`: the archive, and what is too large for the queue. */
  readonly ARCHIVE?: unknown;
}

export interface TrailSettings {
  readonly kind: "direct" | "queued";
  readonly groups: number;
}

/** When the archive is compacted, beside every night. */
export const COMPACT_CRON = "47 * * * *";

export const DIRECT_TRAIL: TrailSettings = { kind: "direct", groups: 1 };

const MAX_GROUPS = 256;

/** The texts alone; every error at once. */
export function readTrailTexts({ TRAIL, ARCHIVE_GROUPS }: TrailVariables): Result<TrailSettings, readonly string[]> {
  const errors: string[] = [];
  const kind = TRAIL?.trim() || "direct";
  const isKind = kind === "direct" || kind === "queued";
  if (!isKind) errors.push("TRAIL: write `direct` or `queued`, or leave it out");
  const groups = Number(ARCHIVE_GROUPS?.trim() || 1);
  if (!Number.isInteger(groups) || groups < 1 || groups > MAX_GROUPS)
    errors.push(`ARCHIVE_GROUPS: write a whole number from 1 to ${MAX_GROUPS}, or leave it out`);
  return isKind && errors.length === 0 ? ok({ kind, groups }) : err(errors);
}

/** With the bindings. */
export function readTrail(variables: TrailVariables): Result<TrailSettings, readonly string[]> {
  const read = readTrailTexts(variables);
  const isBound = variables.TRAIL_QUEUE !== undefined && variables.ARCHIVE !== undefined;
  if (!read.ok || read.value.kind === "direct" || isBound) return read;
  return err(["TRAIL is `queued`, and the Worker has no TRAIL_QUEUE or no ARCHIVE: deploy it with `npm run deploy`"]);
}
