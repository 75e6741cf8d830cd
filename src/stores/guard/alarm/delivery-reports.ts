/** The object's reports on its deliveries: counts for the metrics, if they are on, and failures for `/health`. */
import type { AuditRecord } from "../../../ports/audit-record.ts";
import type { SettingVariables } from "../../../settings/settings-table.ts";
import { noTelemetry, readTelemetry, type TelemetrySettings } from "../../../settings/telemetry.ts";
import {
  countDelivery,
  countExport,
  countFailedWebhook,
  type FailedDelivery,
} from "../../../telemetry/metrics/count-delivery.ts";
import { reportFailedDelivery, reportFailedExport } from "../../../telemetry/trail-health.ts";
import type { MetricsHub } from "../../objects/metrics-hub.ts";
import type { ExportOutcome } from "../outbox/export-records.ts";

interface ReportsHost {
  readonly ctx: Pick<DurableObjectState, "waitUntil">;
  readonly env: SettingVariables & { readonly METRICS_HUB: DurableObjectNamespace<MetricsHub> };
  readonly now: () => number;
}

export class DeliveryReports {
  private readonly host: ReportsHost;

  constructor(host: ReportsHost) {
    this.host = host;
  }

  failed(full: boolean): void {
    reportFailedDelivery(this.hub, { full, now: this.host.now() }, this.background);
  }

  count(delivery: readonly AuditRecord[] | FailedDelivery): void {
    const { metrics } = this.telemetry;
    if (metrics) countDelivery(delivery, this.hub, metrics, this.background);
  }

  exported(outcome: ExportOutcome): void {
    if (outcome.failed) reportFailedExport(this.hub, this.host.now(), this.background);
    const { metrics } = this.telemetry;
    if (metrics) countExport(outcome, this.hub, metrics, this.background);
  }

  webhookFailed(isGivenUp: boolean): void {
    const { metrics } = this.telemetry;
    if (metrics) countFailedWebhook(isGivenUp, this.hub, metrics, this.background);
  }

  private get telemetry(): TelemetrySettings {
    const telemetry = readTelemetry(this.host.env);
    return telemetry.ok ? telemetry.value : noTelemetry;
  }

  private readonly hub = (): DurableObjectStub<MetricsHub> => {
    const { METRICS_HUB: hubs } = this.host.env;
    return hubs.get(hubs.idFromName("hub"));
  };

  private readonly background = (work: Promise<unknown>): void => this.host.ctx.waitUntil(work);
}
