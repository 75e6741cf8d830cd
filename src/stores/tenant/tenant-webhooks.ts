/** The receivers of approval events of a tenant that may have settings of its own, for a user's object. */
import type { KvPort } from "../../ports/kv-port.ts";
import type { SettingVariables } from "../../settings/settings-table.ts";
import { layTenantOver } from "../../settings/tenant-variables.ts";
import { readConnectionKey } from "../../settings/tool-secrets.ts";
import { readWebhooks, type WebhookSettings } from "../../settings/webhooks.ts";
import { kvWithDeadline } from "../policies/policy-source.ts";
import { tenantSettings } from "./tenant-settings.ts";

interface TenantWebhookVariables extends SettingVariables {
  readonly KV: KvPort;
}

/** Throws if the tenant's settings cannot be read. */
export type TenantWebhooks = (tenant: string, now: number) => Promise<WebhookSettings>;

/** Undefined if no tenant has settings of its own. */
export function tenantWebhooks(env: TenantWebhookVariables): TenantWebhooks | undefined {
  if (env.TENANT_SETTINGS !== "1") return undefined;
  const keys = readConnectionKey(env);
  const settings = keys.ok && keys.value ? tenantSettings(kvWithDeadline(env.KV), keys.value) : undefined;
  return async (tenant, now) => {
    const own = await settings?.of(tenant, now);
    const webhooks = readWebhooks(layTenantOver<SettingVariables>(env, tenant, own?.variables ?? {}));
    if (!settings || !webhooks.ok) throw new Error("the webhooks of a tenant cannot be read");
    return webhooks.value;
  };
}
