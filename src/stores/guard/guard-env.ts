/** What a user's object is bound to. */

import type { KvPort } from "../../ports/kv-port.ts";
import type { TelemetryVariables } from "../../settings/telemetry.ts";
import type { WebhookVariables } from "../../settings/webhooks.ts";
import type { MetricsHub } from "../objects/metrics-hub.ts";

export interface GuardEnv extends TelemetryVariables, WebhookVariables {
  readonly AUDIT_DB: D1Database;
  readonly AUDIT_KEY?: string;
  readonly KV: KvPort;
  readonly METRICS_HUB: DurableObjectNamespace<MetricsHub>;
}
