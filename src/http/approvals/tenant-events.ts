/**
 * The events of a whole tenant, for its operators: read from the audit trail every few seconds, so they come later than a user's own.
 * Records reach the trail out of order; each query starts a little before the newest one, and no record is sent twice. A record that
 * comes later still is in the list, and in no stream.
 */

import type { Deps } from "../../deps.ts";
import { ok, type Result } from "../../lib/result.ts";
import { HOUR_MS } from "../../lib/time.ts";
import type { ApprovalRecord } from "../../ports/audit-record.ts";
import { queryRecords } from "../../stores/audit/d1-audit-query.ts";
import { eventId, KEEP_ALIVE, retryAfter } from "../../wire/write-event.ts";
import type { StreamLease } from "../middleware/stream-lease.ts";
import type { Problem } from "../problem.ts";
import { orTrailUnavailable } from "../reach.ts";
import { approvalEvent } from "./inbox-view.ts";
import { type ApprovalReader, operatorAudience, tenantViews } from "./tenant-approvals.ts";

const POLL_MS = 3_000;
const HEARTBEAT_MS = 15_000;
const RETRY_MS = 5_000;
/** How late a record may come and still be sent. */
const LATE_MS = 60_000;
/** A client that was away for longer gets the pending approvals first. */
const RESUMED_MS = HOUR_MS;
const PAGE = 100;

/** @param after milliseconds since the epoch: the time of the last record that the client has. */
export async function tenantEvents(
  tenant: string,
  deps: Deps,
  after: number | undefined,
  { lease, language }: Pick<TenantStream, "lease" | "language">,
): Promise<Result<AsyncGenerator<string, void>, Problem>> {
  const now = deps.now();
  const resumes = after !== undefined && after <= now && after > now - RESUMED_MS;
  const trail = newTrail(tenant, deps, resumes ? after : now);
  // A new stream sends the pending approvals instead of earlier changes.
  const first = resumes ? ok([]) : await trail.next();
  return first.ok ? ok(blocksFrom(tenant, deps, { trail, resumes, lease, language })) : first;
}

interface TenantStream {
  readonly trail: Trail;
  readonly resumes: boolean;
  readonly lease: StreamLease;
  readonly language: ApprovalReader["language"];
}

async function* blocksFrom(tenant: string, deps: Deps, begun: TenantStream): AsyncGenerator<string, void> {
  const { trail, resumes, lease, language } = begun;
  yield retryAfter(RETRY_MS);
  if (!resumes) {
    if (!(yield* pendingNow(tenant, deps, language))) return;
    yield eventId(trail.newest());
  }
  let spokeAt = deps.now();
  while (await lease.holds()) {
    const records = await trail.next();
    // The client comes back with the last id that it has.
    if (!records.ok) return;
    for (const record of lastOfEach(records.value)) {
      const found = await orTrailUnavailable(deps.approvalIndex.find(tenant, record.approval, deps.now()));
      if (!found.ok) return;
      const reader = { audience: await operatorAudience(deps, tenant), language };
      const views = found.value ? await tenantViews(tenant, [found.value], deps, reader) : [];
      for (const view of views) yield approvalEvent(view, record.at);
    }
    const now = deps.now();
    if (records.value.length > 0) spokeAt = now;
    else if (now - spokeAt >= HEARTBEAT_MS) {
      spokeAt = now;
      yield KEEP_ALIVE;
    }
    // Rejects if the client has gone.
    await scheduler.wait(POLL_MS, { signal: lease.signal }).catch(() => {});
  }
}

/** @returns whether all of it was sent: if not, the client comes back without an id, and gets it again. */
async function* pendingNow(
  tenant: string,
  deps: Deps,
  language: ApprovalReader["language"],
): AsyncGenerator<string, boolean> {
  const reader = { audience: await operatorAudience(deps, tenant), language };
  for (let after: string | undefined; ; ) {
    const query = { status: "pending", now: deps.now(), limit: PAGE, after, order: "asc" } as const;
    const page = await orTrailUnavailable(deps.approvalIndex.list(tenant, query));
    if (!page.ok || !page.value.ok) return false;
    const { data, hasMore } = page.value.value;
    for (const view of await tenantViews(tenant, data, deps, reader)) yield approvalEvent(view);
    after = data.at(-1)?.id;
    if (!hasMore || after === undefined) return true;
  }
}

/** An approval that was asked and answered between two queries is sent once, in its last state. */
const lastOfEach = (records: readonly ApprovalRecord[]): Iterable<ApprovalRecord> =>
  new Map(records.map((record) => [record.approval, record])).values();

interface Trail {
  /** The records that the last query did not find, oldest first. */
  next(): Promise<Result<readonly ApprovalRecord[], Problem>>;
  /** The time of the newest record so far. */
  newest(): number;
}

function newTrail(tenant: string, deps: Deps, since: number): Trail {
  let newest = since;
  /** Times by id. Older ones than a record may be late are dropped. */
  const seen = new Map<string, number>();
  return {
    newest: () => newest,
    async next() {
      const from = newest - LATE_MS;
      for (const [id, at] of seen) if (at < from) seen.delete(id);
      const fresh: ApprovalRecord[] = [];
      for (let after: string | undefined; ; ) {
        const page = { limit: PAGE, order: "asc", ...(after === undefined ? {} : { after }) } as const;
        const read = await orTrailUnavailable(
          deps.audit(tenant, (db) => queryRecords(db, "approval", tenant, { from }, page)),
        );
        if (!read.ok) return read;
        // Retention removed the record that the page began after: the next query starts anew.
        if (!read.value.ok) break;
        const { rows, hasMore } = read.value.value;
        for (const { record } of rows) {
          if (!seen.has(record.id)) fresh.push(record);
          seen.set(record.id, record.at);
          newest = Math.max(newest, record.at);
        }
        after = rows.at(-1)?.record.id;
        if (!hasMore || after === undefined) break;
      }
      return ok(fresh);
    },
  };
}
