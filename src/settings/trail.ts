/** How audit records get from users' objects to the trail, and which databases take them: `TRAIL`, `TRAIL_SHARDS`. Pure. */
import { err, ok, type Result } from "../lib/result.ts";
import type { SettingVariables } from "./settings-table.ts";

/** With the bindings. */
export interface TrailVariables extends SettingVariables {
  /** With `queued`: carries records to the consumer. */
  readonly TRAIL_QUEUE?: unknown;
  /** With `queued`: the archive, and what is too large for the queue. */
  readonly ARCHIVE?: unknown;
}

interface TrailSettings {
  readonly kind: "direct" | "queued";
  readonly groups: number;
  /** Undefined: the index keeps its records as long as the policy says. */
  readonly hotDays: number | undefined;
  /** Bindings of the databases, at least one. */
  readonly shards: readonly string[];
}

/** When the archive is compacted, and tenants are moved to the databases that they belong to, beside every night. */
export const COMPACT_CRON = "47 * * * *";

export const DIRECT_TRAIL: TrailSettings = { kind: "direct", groups: 1, hotDays: undefined, shards: ["AUDIT_DB"] };

const MAX_GROUPS = 256;
const MAX_SHARDS = 64;
/** An object may send its records again for 48 hours. */
const MIN_HOT_DAYS = 3;
const MAX_HOT_DAYS = 3_650;

/** The texts alone; every error at once. */
export function readTrailTexts(variables: SettingVariables): Result<TrailSettings, readonly string[]> {
  const { TRAIL, ARCHIVE_GROUPS, TRAIL_SHARDS, HOT_DAYS } = variables;
  const errors: string[] = [];
  const kind = TRAIL?.trim() || "direct";
  const isKind = kind === "direct" || kind === "queued";
  if (!isKind) errors.push("TRAIL: write `direct` or `queued`, or leave it out");
  const groups = Number(ARCHIVE_GROUPS?.trim() || 1);
  if (!Number.isInteger(groups) || groups < 1 || groups > MAX_GROUPS)
    errors.push(`ARCHIVE_GROUPS: write a whole number from 1 to ${MAX_GROUPS}, or leave it out`);
  const hotDays = HOT_DAYS?.trim() ? Number(HOT_DAYS) : undefined;
  const isNumber =
    hotDays === undefined || (Number.isInteger(hotDays) && hotDays >= MIN_HOT_DAYS && hotDays <= MAX_HOT_DAYS);
  if (!isNumber) errors.push(`HOT_DAYS: write a whole number from ${MIN_HOT_DAYS} to ${MAX_HOT_DAYS}, or leave it out`);
  else if (hotDays !== undefined && kind !== "queued")
    errors.push("HOT_DAYS: without `TRAIL=queued` there is no archive that has the older records; leave it out");
  const shards = (TRAIL_SHARDS?.trim() || "AUDIT_DB").split(",").map((name) => name.trim());
  // The first database has the records from the time when it was the only one.
  const areNamed = shards.includes("AUDIT_DB") && shards.every((name) => /^AUDIT_DB(_\d{1,3})?$/.test(name));
  if (!areNamed || new Set(shards).size !== shards.length || shards.length > MAX_SHARDS)
    errors.push(
      `TRAIL_SHARDS: write up to ${MAX_SHARDS} bindings, each once: \`AUDIT_DB\`, and others as \`AUDIT_DB_2\``,
    );
  return isKind && errors.length === 0 ? ok({ kind, groups, hotDays, shards }) : err(errors);
}

/** With the bindings. */
export function readTrail(variables: TrailVariables): Result<TrailSettings, readonly string[]> {
  const read = readTrailTexts(variables);
  const bound = variables as Readonly<Record<string, unknown>>;
  const unbound =
    read.ok && read.value.shards.length > 1 ? read.value.shards.filter((name) => bound[name] === undefined) : [];
  if (unbound.length > 0)
    return err([
      `TRAIL_SHARDS names ${unbound.join(", ")}, which the Worker does not have: deploy it with \`npm run deploy\``,
    ]);
  const isBound = variables.TRAIL_QUEUE !== undefined && variables.ARCHIVE !== undefined;
  if (!read.ok || read.value.kind === "direct" || isBound) return read;
  return err(["TRAIL is `queued`, and the Worker has no TRAIL_QUEUE or no ARCHIVE: deploy it with `npm run deploy`"]);
}
