/** The gateway as it is for a tenant with settings of its own, made for `create-deps.ts`. */
import type { Deps, Tenants } from "./deps.ts";
import type { KeyRing } from "./lib/key-ring.ts";
import type { TenantLedgerPort } from "./ports/tenant-ledger-port.ts";
import { type GatewayVariables, layTenantOver } from "./settings/tenant-variables.ts";
import { kvWithDeadline } from "./stores/policies/policy-source.ts";
import { DIRECTORY } from "./stores/tenant/tenant-keys.ts";
import { tenantSettings } from "./stores/tenant/tenant-settings.ts";

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
