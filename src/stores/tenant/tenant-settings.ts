/**
 * The settings of tenants as isolates read them from KV. A value is valid for a minute; if KV fails, for another one. After that
 * nothing is known of the tenant, and nothing is served for it: its limits and its upstream would be others.
 */
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import type { KeyRing } from "../../lib/key-ring.ts";
import { unseal } from "../../lib/seal.ts";
import type { KvPort } from "../../ports/kv-port.ts";
import type { Variables } from "../../settings/tenant-variables.ts";
import { issuerDigest, issuerKey, settingsPurpose, tenantKey } from "./tenant-keys.ts";

export interface TenantSettings {
  /** Changes with anything in them. */
  readonly digest: string;
  readonly jurisdiction: DurableObjectJurisdiction | undefined;
  readonly variables: Variables;
}

export interface TenantSettingsSource {
  /** Undefined if the tenant has none. Throws if they cannot be read. */
  of(tenant: string, now: number): Promise<TenantSettings | undefined>;
  /** The tenant for which tokens of this issuer count, by their audiences. Throws if KV fails. */
  ofIssuer(issuer: string, audiences: readonly string[], now: number): Promise<string | undefined>;
}

const KNOWN_FOR_MS = 60_000;
const STALE_FOR_MS = 60_000;
const MAX_AUDIENCES = 10;

interface CachedSetting<T> {
  readonly value: T | undefined;
  readonly readAt: number;
}

/** @param keys open what is sealed. */
export function tenantSettings(kv: KvPort, keys: KeyRing): TenantSettingsSource {
  const settings = boundedCache<CachedSetting<TenantSettings>>({ maxBytes: CACHE_BYTES.tenants });
  const issuers = boundedCache<CachedSetting<string>>({ maxBytes: CACHE_BYTES.issuers });

  return {
    of: (tenant, now) =>
      remembered(settings, tenant, now, async () => {
        const text = await kv.get(tenantKey(tenant));
        return text === null ? undefined : open(tenant, text, keys);
      }),
    async ofIssuer(issuer, audiences, now) {
      for (const audience of audiences.slice(0, MAX_AUDIENCES)) {
        const key = issuerKey(issuerDigest(issuer, audience));
        const tenant = await remembered(issuers, key, now, async () => (await kv.get(key)) ?? undefined);
        if (tenant !== undefined) return tenant;
      }
      return undefined;
    },
  };
}

async function remembered<T>(
  cache: ReturnType<typeof boundedCache<CachedSetting<T>>>,
  key: string,
  now: number,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = cache.get(key);
  if (known && now - known.readAt < KNOWN_FOR_MS) return known.value;
  try {
    const value = await read();
    cache.set(key, { value, readAt: now }, 200 + 4 * JSON.stringify(value ?? null).length);
    return value;
  } catch (error) {
    if (known && now - known.readAt < KNOWN_FOR_MS + STALE_FOR_MS) return known.value;
    throw error;
  }
}

interface ProjectedSettings {
  readonly jurisdiction: DurableObjectJurisdiction | null;
  readonly sealed: string;
}

async function open(tenant: string, text: string, keys: KeyRing): Promise<TenantSettings> {
  const { jurisdiction, sealed } = JSON.parse(text) as ProjectedSettings;
  const opened = await unseal(keys, settingsPurpose(tenant), sealed);
  if (opened === undefined) throw new Error("the settings of a tenant are sealed by no key of CONNECTION_KEY");
  const digest = sha256Hex(`${jurisdiction ?? ""}:${opened}`);
  return { digest, jurisdiction: jurisdiction ?? undefined, variables: JSON.parse(opened) as Variables };
}
