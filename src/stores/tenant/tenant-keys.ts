/** Names of what is stored of tenants' settings. Pure. */
import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";

/** The object that has the settings of all tenants. No tenant has this name: a name has only printable characters. */
export const DIRECTORY = "\u0000tenants";

export const tenantKey = (tenant: string): string => `tenant:${tenant}`;
export const issuerKey = (digest: string): string => `issuer:${digest}`;
export const issuerDigest = (issuer: string, audience: string): string => sha256Hex(lengthPrefixed(issuer, audience));

/** The purpose of sealed tenants' settings. Tokens of connections are sealed for three names. */
export const settingsPurpose = (tenant: string): string => lengthPrefixed("tenant-settings", tenant);
