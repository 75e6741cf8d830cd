/**
 * The work of the one alarm of a user's object. It delivers the audit outbox to the trail, deletes what has expired, removes records
 * from the trail after their retention, and starts sending webhooks. The runtime gives an alarm up after a few failures, so a failed
 * delivery is caught and scheduled again.
 */
import { describeError, log } from "../../../lib/log.ts";
import { HOUR_MS } from "../../../lib/time.ts";
import type { AuditRecord } from "../../../ports/audit-record.ts";
import type { KvPort } from "../../../ports/kv-port.ts";
import type { TrailPort } from "../../../ports/trail-port.ts";
import { readPush } from "../../../settings/push.ts";
import { readWebhooks, type WebhookSettings } from "../../../settings/webhooks.ts";
import type { AuditKeys } from "../../audit/audit-keys.ts";
import { isDatabaseFull } from "../../audit/d1-audit.ts";
import { retentionDays } from "../../audit/retention-overdue.ts";
import { trailOf } from "../../audit/trail-of.ts";
import type { MetricsHub } from "../../objects/metrics-hub.ts";
import { type TenantWebhooks, tenantWebhooks } from "../../tenant/tenant-webhooks.ts";
import { type ErasureEnv, eraseSome } from "../erasure/erase-stores.ts";
import { erasureDueAt } from "../erasure/erasures.ts";
import { forgetOrdered } from "../erasure/forget.ts";
import { SWEEP_MS } from "../lifetimes.ts";
import { type Delivery, deliverSome } from "../outbox/deliver.ts";
import { RecordExporter } from "../outbox/export-records.ts";
import { storeNextDelivered } from "../outbox/marks.ts";
import { lostAt, oldestWaiting, sendAgain, waitingCount } from "../outbox/outbox.ts";
import { removeExpired, retentionDueAt, scheduleRetention } from "../outbox/retention.ts";
import { subscribedEndpoints } from "../push-subscriptions.ts";
import { readMeta } from "../transaction.ts";
import { WebhookSender } from "../webhook-sender.ts";
import { setHasReceivers } from "../webhooks.ts";
import { AlarmClock } from "./alarm-clock.ts";
import { DeliveryReports } from "./delivery-reports.ts";
import { type Attempt, expireIdle, expireTimed, hasAlarmWork, idleDueAt, timedDueAt } from "./expiry.ts";

/** Records within this time are delivered together; within a second if there are several turns in a quarter of one. */
const GATHER_MS = 250;
const GATHER_BUSY_MS = 1000;
/** With this many undelivered records, each failed delivery logs that the outbox grows. */
const MANY_WAITING = 10_000;
/** How soon a failed removal of old records is repeated. */
const RETENTION_RETRY_MS = HOUR_MS;
/** Deliveries ring the alarm more often than something expires. */
const SWEEP_EVERY_MS = 60_000;

export interface GuardEnv extends ErasureEnv {
  readonly KV: KvPort;
  readonly METRICS_HUB: DurableObjectNamespace<MetricsHub>;
}

interface AlarmHost {
  readonly ctx: Pick<DurableObjectState, "storage" | "waitUntil">;
  readonly env: GuardEnv;
  readonly keys: AuditKeys;
  readonly now: () => number;
  readonly attempt: Attempt;
  /** Does the alarm's work, without an alarm. */
  readonly work: () => void;
}

/** Only for an object that may be served. */
export class AlarmWork {
  readonly clock: AlarmClock;
  private readonly host: AlarmHost;
  /** Undefined if the settings cannot be read: messages wait for better ones. */
  private readonly webhooks: WebhookSender | undefined;
  /** Undefined if no tenant has settings of its own. */
  private readonly tenants: TenantWebhooks | undefined;
  private readonly exporter: RecordExporter;
  private readonly reports: DeliveryReports;
  /** The gateway's receivers; undefined if they cannot be read. */
  private readonly settings: WebhookSettings | undefined;
  private sweptAt = 0;
  /** Turns closed since the alarm rang, and whether there were several the time before. */
  private closed = 0;
  private busy = false;

  constructor(host: AlarmHost) {
    const { storage } = host.ctx;
    this.host = host;
    this.clock = new AlarmClock(storage, host.now, host.work);
    const webhooks = readWebhooks(host.env);
    this.tenants = tenantWebhooks(host.env);
    const perTenant = this.tenants !== undefined;
    // Settings that cannot be read may name some.
    const push = readPush(host.env);
    const tells = push.ok && push.value !== undefined && subscribedEndpoints(storage.sql).length > 0;
    setHasReceivers(
      storage.sql,
      perTenant || !webhooks.ok || webhooks.value.webhooks.some(({ events }) => events.length > 0) || tells,
    );
    const changed = () => this.scheduleWebhooks();
    this.reports = new DeliveryReports(host);
    this.exporter = new RecordExporter({
      sql: () => storage.sql,
      now: host.now,
      changed,
      report: (outcome) => this.reports.exported(outcome),
    });
    this.settings = webhooks.ok ? webhooks.value : undefined;
    this.webhooks = webhooks.ok
      ? new WebhookSender({
          storage,
          now: host.now,
          settings: webhooks.value,
          push: push.ok ? push.value : undefined,
          perTenant,
          changed,
          failed: (isGivenUp) => this.reports.webhookFailed(isGivenUp),
        })
      : undefined;
  }

  /** Once, when the object begins. @param served whether it may serve: if not, only the clock is read. */
  async start(served: boolean): Promise<void> {
    const armed = await this.clock.load();
    if (!served) return;
    // The object may have died before it delivered, or before it stored that it had.
    if (waitingCount(this.sql) > 0) {
      storeNextDelivered(this.sql);
      this.clock.scheduleSoon(GATHER_MS);
    } else if (!armed && hasAlarmWork(this.sql)) this.clock.schedule(GATHER_MS);
    this.scheduleWebhooks();
  }

  /** After a turn's record was put into the outbox. */
  turnClosed(): void {
    this.closed += 1;
    this.clock.scheduleSoon(this.busy ? GATHER_BUSY_MS : GATHER_MS);
  }

  /** After a transaction that has put records into the outbox. */
  recorded(): void {
    this.clock.scheduleSoon(GATHER_MS);
    this.scheduleWebhooks();
  }

  /** After a transaction that may have changed approvals as well. */
  changed(): void {
    this.recorded();
    this.scheduleTimed();
  }

  /** @param backsOff as returned by `AlarmClock.rang`. */
  async run(backsOff: boolean): Promise<void> {
    const { keys, attempt } = this.host;
    const { sql } = this;
    const now = this.host.now();
    this.busy = this.closed > 1;
    this.closed = 0;
    const transaction = { sql, keys, now };
    // Here, since a delivery or a removal under way would continue with a chain that is gone.
    attempt("erasure_failed", {}, () => forgetOrdered(transaction));
    if ((timedDueAt(sql) ?? Infinity) <= now) attempt("not_tidied", {}, () => expireTimed(transaction));
    if (now - this.sweptAt >= SWEEP_EVERY_MS) {
      const more = expireIdle(transaction, attempt);
      this.sweptAt = more ? 0 : now;
      if (more) this.clock.scheduleAt(now + GATHER_MS);
    }
    await this.sendWebhooks(now);
    // Retention runs after a failed delivery too: a full database takes no record before others are removed.
    if (backsOff || (await this.deliver()) === "more") this.clock.schedule(0);
    else await this.retain();
    await eraseSome({ sql, env: this.host.env, keys, now });
    // After the delivery: a failed one resets the alarm, and delivered records expire later.
    this.scheduleIdle();
    this.scheduleTimed();
    this.scheduleWebhooks();
    const erasure = erasureDueAt(sql);
    if (erasure !== undefined) this.clock.scheduleAt(Math.max(erasure, now));
    const lost = lostAt(sql);
    if (lost !== undefined) this.clock.scheduleAt(Math.max(lost, now + GATHER_MS));
  }

  /** If the tenant's settings cannot be read, its messages wait. */
  private async sendWebhooks(now: number): Promise<void> {
    const owner = this.tenants && readMeta(this.sql, "owner");
    if (!this.tenants || !owner) {
      this.webhooks?.send();
      if (this.settings) this.exporter.send(this.settings);
      return;
    }
    try {
      const settings = await this.tenants(owner.tenant, now);
      this.webhooks?.send(settings);
      this.exporter.send(settings);
    } catch (error) {
      log("error", "tenant_settings_unreadable", { tenant: owner.tenant, ...describeError(error) });
      this.clock.scheduleAt(now + SWEEP_EVERY_MS);
    }
  }

  private get sql(): SqlStorage {
    return this.host.ctx.storage.sql;
  }

  /** Removes old records from the trail, and schedules the next removal. */
  private async retain(): Promise<void> {
    const { sql } = this;
    const { env, keys } = this.host;
    const owner = readMeta(sql, "owner");
    const now = this.host.now();
    try {
      if (owner && (retentionDueAt(sql) ?? Infinity) <= now) {
        const days = (tenant: string) => retentionDays(env.KV, tenant, now);
        await removeExpired({ sql, trail: this.trail, keys, days }, owner, now);
      }
    } catch (error) {
      log("error", "audit_retention_failed", describeError(error));
      // Not with each failed delivery: a database that is down gets no second request for each.
      scheduleRetention(sql, now + RETENTION_RETRY_MS);
    }
    const dueAt = retentionDueAt(sql);
    if (dueAt !== undefined) this.clock.schedule(Math.max(0, dueAt - now));
  }

  /** Made on use: wrong settings fail a delivery, and not the object. */
  private get trail(): TrailPort {
    return trailOf(this.host.env);
  }

  /** After records that were sent are stored, or were given up: then the next ones are sent with the back-off. */
  settled(stored: readonly AuditRecord[], gaveUp: boolean): void {
    this.reports.count(stored);
    if (gaveUp) this.clock.deliveryFailed();
    else this.clock.deliverySucceeded();
    const dueAt = retentionDueAt(this.sql);
    if (dueAt !== undefined) this.clock.schedule(Math.max(0, dueAt - this.host.now()));
  }

  private async deliver(): Promise<Delivery | "failed"> {
    const { sql, clock } = this;
    if ((lostAt(sql) ?? Infinity) <= this.host.now()) sendAgain(sql, 0);
    try {
      const delivered = (records: readonly AuditRecord[]) => this.reports.count(records);
      const delivery = await deliverSome({ sql, trail: this.trail, now: this.host.now, delivered });
      if (delivery !== "held") clock.deliverySucceeded();
      else {
        clock.deliveryFailed();
        this.reports.count({ full: false, oldest: undefined });
        this.reports.failed(false);
      }
      return delivery;
    } catch (error) {
      const full = isDatabaseFull(error);
      const [attempt, waiting] = [clock.deliveryFailed(), waitingCount(sql)];
      const event = full ? "audit_database_full" : "audit_delivery_failed";
      log("error", event, { attempt, waiting, ...describeError(error) });
      if (waiting >= MANY_WAITING) log("error", "audit_outbox_grows", { ...readMeta(sql, "owner"), waiting });
      this.reports.count({ full, oldest: oldestWaiting(sql) });
      this.reports.failed(full);
      return "failed";
    }
  }

  private scheduleWebhooks(): void {
    for (const dueAt of [this.webhooks?.dueAt(), this.exporter.dueAt()])
      if (dueAt !== undefined) this.clock.scheduleAt(Math.max(dueAt, this.host.now()));
  }

  /** At most once an hour: a session that waits for a person must not make the alarm ring without end. */
  private scheduleIdle(): void {
    const dueAt = idleDueAt(this.sql);
    if (dueAt !== undefined) this.clock.scheduleAt(Math.max(this.host.now() + SWEEP_MS, dueAt));
  }

  private scheduleTimed(): void {
    const dueAt = timedDueAt(this.sql);
    // A transaction that keeps failing must not make the alarm ring without end.
    if (dueAt !== undefined) this.clock.scheduleAt(Math.max(this.host.now() + GATHER_MS, dueAt));
  }
}
