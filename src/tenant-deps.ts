/** The gateway as it is for a tenant with settings of its own, made for `deps.ts`. */
import type { Deps } from "./deps.ts";
import type { KeyRing } from "./lib/key-ring.ts";
import type { TenantDirectoryPort } from "./ports/tenant-directory-port.ts";
import type { TenantLedgerPort } from "./ports/tenant-ledger-port.ts";
import { type GatewayVariables, layTenantOver } from "./settings/tenant-variables.ts";
import { kvWithDeadline } from "./stores/policies/policy-source.ts";
import { DIRECTORY } from "./stores/tenant/tenant-keys.ts";
import { type TenantSettings, type TenantSettingsSource, tenantSettings } from "./stores/tenant/tenant-settings.ts";

export interface TenantVariables {
  /** `1`: tenants may have settings of their own, at `/admin/tenants`. */
  readonly TENANT_SETTINGS?: string;
}

export interface Tenants {
  readonly settings: TenantSettingsSource;
  /** A stub is of one request: another may not use it. */
  readonly directory: () => TenantDirectoryPort;
  /** Seals what is stored of them. */
  readonly keys: KeyRing;
  /** The deployment's own variables, over which a tenant's lie. */
  readonly gateway: GatewayVariables;
  /** The same gateway with the tenant's settings. */
  readonly depsFor: (tenant: string, settings: TenantSettings) => Deps;
}

/** What the gateway of a tenant shares with the one for all: what takes memory, and is the same for both. */
export interface SharedDeps {
  readonly tenant: string;
  readonly jurisdiction: DurableObjectJurisdiction | undefined;
  readonly issuerKeys: Deps["issuerKeys"];
  /** Undefined where the tenant has sentence vectors of its own. */
  readonly semantic: Deps["semantic"] | undefined;
  /** Whether it has upstreams of its own. */
  readonly ownUpstreams: boolean;
}

interface TenantsParts<Env> {
  readonly env: Env;
  readonly kv: KVNamespace;
  readonly keys: KeyRing;
  readonly ledgerOf: (tenant: string) => TenantLedgerPort;
  readonly gateway: Deps;
  readonly create: (env: Env, shared: SharedDeps) => Deps;
}

export function tenantsOf<Env extends GatewayVariables>(parts: TenantsParts<Env>): Tenants {
  const { env, kv, keys, ledgerOf, gateway, create } = parts;
  const tenants: Tenants = {
    settings: tenantSettings(kvWithDeadline(kv), keys),
    directory: () => ledgerOf(DIRECTORY).tenants,
    keys,
    gateway: env,
    depsFor: (tenant, { variables, jurisdiction }) => {
      const has = (prefix: string) => Object.keys(variables).some((name) => name.startsWith(prefix));
      const semantic = has("EMBEDDINGS_") ? undefined : gateway.semantic;
      const ownUpstreams = has("UPSTREAM_");
      const shared = { tenant, jurisdiction, issuerKeys: gateway.issuerKeys, semantic, ownUpstreams };
      // Operators may be of a tenant with settings of its own.
      return { ...create(layTenantOver(env, tenant, variables), shared), tenants };
    },
  };
  return tenants;
}
