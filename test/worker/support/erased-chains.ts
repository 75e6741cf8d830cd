/** What the nightly check removes of erased chains with. */
import { env } from "cloudflare:test";
import { parseAuditKeys } from "../../../src/stores/audit/audit-keys.ts";
import { directTrail } from "../../../src/stores/audit/direct-trail.ts";

const keys = parseAuditKeys(env.AUDIT_KEY ?? "");
if (!keys.ok) throw new Error(keys.error);

export const erasedChains = { trail: directTrail(env.AUDIT_DB), keys: keys.value };
