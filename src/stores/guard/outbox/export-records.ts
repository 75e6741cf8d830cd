/**
 * Sends the user's records to receivers that subscribe to them, such as a SIEM: JSON lines, in order, each record at least once. It
 * reads the outbox, where a record stays for two days after the trail has it; so a failing receiver delays nothing, and misses older
 * records.
 */
import { retryAfterMs } from "../../../lib/back-off.ts";
import type { KeyRing } from "../../../lib/key-ring.ts";
import { describeError, log } from "../../../lib/log.ts";
import { webhookHeaders } from "../../../lib/standard-webhook.ts";
import type { SealedRecord } from "../../../ports/audit-record.ts";
import type { ExportedKind, WebhookSettings } from "../../../settings/webhooks.ts";
import { chainBeganAt } from "../erasure/erasures.ts";
import { readMeta, writeMeta } from "../transaction.ts";
import { hostOf, retryDelayMs } from "../webhooks.ts";
import { readAfter } from "./outbox.ts";
import { readHead } from "./record-chain.ts";

/** Per request. */
const RECORDS = 200;
const ANSWER_MS = 10_000;
/** Records within this time are sent together. */
const GATHER_MS = 5_000;
/** Shorter than the threshold of `/health`. */
const MAX_WAIT_MS = 300_000;

interface ExportReceiver {
  readonly url: string;
  readonly kinds: ReadonlySet<ExportedKind>;
}

export interface ExportOutcome {
  /** Records that a receiver took. */
  readonly sent: number;
  /** Records that were deleted before a receiver took them. */
  readonly missed: number;
  readonly failed: boolean;
}

interface RecordExporterParts {
  readonly sql: () => SqlStorage;
  readonly now: () => number;
  /** A receiver was served: the alarm may have to ring at another time. */
  readonly changed: () => void;
  readonly report: (outcome: ExportOutcome) => void;
}

export class RecordExporter {
  private readonly parts: RecordExporterParts;
  private receivers: readonly ExportReceiver[] = [];
  private keys: KeyRing | undefined;
  private readonly busy = new Map<string, Promise<void>>();

  constructor(parts: RecordExporterParts) {
    this.parts = parts;
  }

  /** Begins to send what is due. */
  send({ webhooks, keys }: WebhookSettings): void {
    this.keys = keys;
    const wanting = webhooks.filter(({ records }) => records.length > 0);
    const owner = wanting.length > 0 ? readMeta(this.parts.sql(), "owner") : undefined;
    const own = wanting.filter(({ tenant }) => tenant === undefined || tenant === owner?.tenant);
    // The same URL may be set for this tenant, and for all.
    this.receivers = [...Map.groupBy(own, ({ url }) => url)].map(([url, entries]) => ({
      url,
      kinds: new Set(entries.flatMap(({ records }) => records)),
    }));
    if (this.receivers.length > 0) this.forgetOthers();
    for (const receiver of this.receivers) {
      const { url } = receiver;
      const due = this.dueFor(url);
      if (keys && due !== undefined && due <= this.parts.now() && !this.busy.has(url))
        this.busy.set(url, this.begin(receiver, keys));
    }
  }

  /** When something is due, in milliseconds since the epoch; undefined if nothing waits. */
  dueAt(): number | undefined {
    if (!this.keys) return undefined;
    const due = this.receivers.flatMap(({ url }) => (this.busy.has(url) ? [] : (this.dueFor(url) ?? [])));
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  private dueFor(url: string): number | undefined {
    const sql = this.parts.sql();
    const { seq, next } = this.cursorOf(url);
    return (readHead(sql)?.seq ?? 0) > seq ? next : undefined;
  }

  private cursorOf(url: string) {
    return readMeta(this.parts.sql(), "exports")?.[url] ?? { seq: 0, next: 0, failures: 0 };
  }

  private store(url: string, cursor: ReturnType<RecordExporter["cursorOf"]>): void {
    const sql = this.parts.sql();
    writeMeta(sql, "exports", { ...readMeta(sql, "exports"), [url]: cursor });
  }

  private forgetOthers(): void {
    const sql = this.parts.sql();
    const known = readMeta(sql, "exports") ?? {};
    const kept = Object.entries(known).filter(([url]) => this.receivers.some((receiver) => receiver.url === url));
    if (kept.length < Object.keys(known).length) writeMeta(sql, "exports", Object.fromEntries(kept));
  }

  private async begin(receiver: ExportReceiver, keys: KeyRing): Promise<void> {
    const { url } = receiver;
    try {
      const outcome = await this.serve(receiver, keys);
      this.parts.report(outcome);
    } catch (error) {
      log("error", "export_failed", { host: hostOf(url), ...describeError(error) });
    } finally {
      this.busy.delete(url);
      this.parts.changed();
    }
  }

  /** One request. */
  private async serve({ url, kinds }: ExportReceiver, keys: KeyRing): Promise<ExportOutcome> {
    const { sql, now } = this.parts;
    const before = chainBeganAt(sql());
    const cursor = this.cursorOf(url);
    const records = readAfter(sql(), cursor.seq, RECORDS);
    const wanted = records.filter(({ record }) => kinds.has(record.kind as ExportedKind));
    const first = records[0]?.seq ?? (readHead(sql())?.seq ?? 0) + 1;
    // A new receiver gets what is there.
    const missed = cursor.seq === 0 ? 0 : first - cursor.seq - 1;
    const failure = wanted.length === 0 ? undefined : await this.post(url, keys, wanted);
    // Another chain begins after an erasure.
    if (chainBeganAt(sql()) === before) {
      const failures = failure ? cursor.failures + 1 : 0;
      const wait = failure ? Math.min(retryDelayMs(failures, failure.waitMs), MAX_WAIT_MS) : GATHER_MS;
      const seq = failure ? cursor.seq : (records.at(-1)?.seq ?? first - 1);
      this.store(url, { seq, next: now() + wait, failures });
    }
    if (failure) log("warn", "export_failed", { host: hostOf(url), ...failure.fields });
    else if (missed > 0) log("error", "export_missed_records", { host: hostOf(url), missed });
    return failure ? { sent: 0, missed: 0, failed: true } : { sent: wanted.length, missed, failed: false };
  }

  private async post(url: string, keys: KeyRing, records: readonly SealedRecord[]): Promise<Failure | undefined> {
    const { now } = this.parts;
    const body = records.map((sealed) => `${JSON.stringify(sealed)}\n`).join("");
    // The same records have the same id, so that a receiver that has taken them recognises it.
    const id = `${records[0]?.record.id}.${records.at(-1)?.record.id}`;
    const headers = {
      "content-type": "application/x-ndjson",
      "user-agent": "toolgate",
      ...webhookHeaders(keys, url, { id, body }, now()),
    };
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      await response.body?.cancel();
      if (response.ok) return undefined;
      return { fields: { status: response.status }, waitMs: retryAfterMs(response.headers, now()) ?? 0 };
    } catch (error) {
      return { fields: describeError(error), waitMs: 0 };
    }
  }
}

interface Failure {
  readonly fields: object;
  readonly waitMs: number;
}
