/** Names of what is kept of tenants' settings. Pure. */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";

/** The object that holds the settings of all tenants. No tenant has this name: a name has printable characters alone. */
export const DIRECTORY = "\u0000tenants";

export const tenantKey = (tenant: string): string => `tenant:${tenant}`;
export const issuerKey = (digest: string): string => `issuer:${digest}`;
export const issuerDigest = (issuer: string, audience: string): string => sha256Hex(lengthPrefixed(issuer, audience));

/** What tenants' settings are sealed for. Tokens of connections are sealed for three names. */
export const settingsPurpose = (tenant: string): string => lengthPrefixed("tenant-settings", tenant);
